import type { ApiCall } from '../faults/api-call.ts';
import { isWrite } from '../faults/api-call.ts';
import { CrashPoint } from '../faults/crash-point.ts';
import type { CallFilter } from '../faults/fault-plan.ts';
import { RefusalPoint } from '../faults/refusal-point.ts';
import { describeWriteByKey, type ExtraWrite, findUnexplainedWrites } from './extra-writes.ts';
import { compareRecordings, type Recording } from './recording.ts';

/** A world whose processes can die. */
export interface CrashableWorld extends AsyncDisposable {
  /** What a process asked for so far, in order, in whichever cluster. */
  callsOf(process: string): readonly ApiCall[];
  /** Lets a process die at a point, and live again soon after, with an empty memory. */
  crash(process: string, point: CrashPoint): void;
  /** Lets one call of a process be refused. */
  refuse(process: string, point: RefusalPoint): void;
}

export interface CrashSweepOptions<W extends CrashableWorld> {
  /** The same world every time. */
  readonly begin: () => Promise<W>;
  /** A story to its end; gives back all that has to be the same, whoever died meanwhile. */
  readonly play: (world: W) => Promise<Recording>;
  readonly processes: readonly string[];
  /** At which calls they die: the writes, unless said otherwise. */
  readonly counts?: CallFilter;
  /** What happens at each of them: the process dies before and after it, unless said otherwise. */
  readonly mishaps?: readonly Mishap[];
  /** Which of the points are tried: all of them, unless said otherwise. */
  readonly isTried?: (point: CrashSite, index: number) => boolean;
  /**
   * Writes that may reach a server beyond those of the undisturbed story, one entry per write: none by default. `any` where the
   * end alone is judged.
   */
  readonly extraWrites?: readonly ExtraWrite[] | 'any';
  /** Writes with the same description are counted together; verb, resource and key by default. */
  readonly describeWrite?: (call: ApiCall) => string;
  readonly onTried?: (point: CrashSite, differences: readonly string[]) => void;
}

/** To a process at one of its calls: it dies before the call takes effect, or after it did, or lives and is refused once. */
type Mishap = 'before' | 'after' | 'refused';

/** A moment in the life of a process. */
export interface CrashSite {
  readonly process: string;
  /** Of its calls that count, the first being 1. */
  readonly number: number;
  readonly when: Mishap;
  readonly call: ApiCall;
}

export interface CrashFailure {
  readonly site: CrashSite;
  /** One line each. */
  readonly differences: readonly string[];
}

export interface CrashSweepReport {
  /** How many points the story has, and how many of them were tried. */
  readonly points: number;
  readonly tried: number;
  readonly failures: readonly CrashFailure[];
}

/**
 * Plays a story once undisturbed, and then once for every write of every process and every mishap. Every time the end has to
 * be the same.
 */
export async function sweepCrashes<W extends CrashableWorld>(
  options: CrashSweepOptions<W>,
): Promise<CrashSweepReport> {
  const { counts = isWrite, isTried = () => true, onTried } = options;
  const calm = await playCalmly({ ...options, counts });
  const chosen = calm.sites.filter(isTried);
  const failures: CrashFailure[] = [];
  for (const site of chosen) {
    const differences = await tryCrash({ ...options, counts }, site, calm);
    if (differences.length > 0) failures.push({ site, differences });
    onTried?.(site, differences);
  }
  return { points: calm.sites.length, tried: chosen.length, failures };
}

/** In words, for people who have to find out. */
export function describeCrash({ site, differences }: CrashFailure): string {
  return [`When ${describeSite(site)}:`, ...differences.map((line) => `  ${line}`)].join('\n');
}

export function describeSite({ process, number, when, call }: CrashSite): string {
  const { verb, resource, namespace = '', name = '' } = call;
  const what = [verb, resource, [namespace, name].filter(Boolean).join('/')].join(' ').trim();
  if (when === 'refused') return `write ${number} of "${process}" is refused (${what})`;
  return `"${process}" dies ${when} its write ${number} (${what})`;
}

type Sweep<W extends CrashableWorld> = CrashSweepOptions<W> & { readonly counts: CallFilter };

type WritesByProcess = ReadonlyMap<string, readonly ApiCall[]>;

interface CalmStory {
  readonly recording: Recording;
  readonly sites: readonly CrashSite[];
  /** The writes of all processes in the story to compare a site with. */
  readonly writesFor: (site: CrashSite) => WritesByProcess;
}

async function playCalmly<W extends CrashableWorld>(sweep: Sweep<W>): Promise<CalmStory> {
  const { processes, mishaps = ['before', 'after'] } = sweep;
  await using world = await sweep.begin();
  const calm = await playAndCount(sweep, world);
  const watched = new Map<string, WritesByProcess>();
  const sites: CrashSite[] = [];
  for (const process of processes) {
    if (mishaps.some(isDeath)) watched.set(process, await playWatched(sweep, process));
    for (const when of mishaps) {
      const writes = isDeath(when) ? watched.get(process) : calm.counted;
      const calls = writes?.get(process) ?? [];
      sites.push(...calls.map((call, index) => ({ process, number: index + 1, when, call })));
    }
  }
  const writesFor = ({ process, when }: CrashSite) =>
    (isDeath(when) && watched.get(process)) || calm.counted;
  return { recording: calm.recording, sites, writesFor };
}

function isDeath(mishap: Mishap): boolean {
  return mishap !== 'refused';
}

/**
 * Plays the story with a crash point that is never reached. A crash point delays the answers to its process, so writes
 * are numbered, and counted, in a story with the same delay.
 */
async function playWatched<W extends CrashableWorld>(
  sweep: Sweep<W>,
  process: string,
): Promise<WritesByProcess> {
  await using world = await sweep.begin();
  strike(world, process, { at: Number.POSITIVE_INFINITY, when: 'before', counts: sweep.counts });
  const { counted } = await playAndCount(sweep, world);
  return counted;
}

/** What a world does while it begins is over when something can happen to it. */
async function playAndCount<W extends CrashableWorld>(
  { processes, counts, play }: Sweep<W>,
  world: W,
): Promise<{ recording: Recording; counted: WritesByProcess }> {
  const countedOf = (process: string) => world.callsOf(process).filter(counts);
  const begun = new Map(processes.map((process) => [process, countedOf(process).length]));
  const recording = await play(world);
  const counted = processes.map(
    (process) => [process, countedOf(process).slice(begun.get(process))] as const,
  );
  return { recording, counted: new Map(counted) };
}

async function tryCrash<W extends CrashableWorld>(
  sweep: Sweep<W>,
  site: CrashSite,
  calm: CalmStory,
): Promise<readonly string[]> {
  const { begin, counts, extraWrites = [], describeWrite = describeWriteByKey } = sweep;
  const { process, number, when } = site;
  await using world = await begin();
  const point = strike(world, process, { at: number, when, counts });
  try {
    const { recording, counted } = await playAndCount(sweep, world);
    if (!point.hasHappened)
      return ['it did not come to that: the story is not the same every time'];
    const differences = compareRecordings(calm.recording, recording);
    if (extraWrites === 'any') return differences;
    const expected = calm.writesFor(site);
    const made = new Map(
      [...counted].map(([who, calls]) => [who, calls.filter((call) => !point.lost.has(call))]),
    );
    return [
      ...differences,
      ...findUnexplainedWrites({ site, expected, made, extraWrites, describeWrite }),
    ];
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
}

function strike<W extends CrashableWorld>(
  world: W,
  process: string,
  { when, ...where }: { readonly at: number; readonly when: Mishap; readonly counts: CallFilter },
): CrashPoint | RefusalPoint {
  if (when === 'refused') {
    const point = new RefusalPoint(where);
    world.refuse(process, point);
    return point;
  }
  const point = new CrashPoint({ ...where, when });
  world.crash(process, point);
  return point;
}
