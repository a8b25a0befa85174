import { setTimeout as pause } from 'node:timers/promises';
import { spreadOf } from '../../spread.ts';
import type { BenchWorld } from '../bench-world.ts';
import type { Newcomer } from '../newcomer.ts';
import type { Place } from '../pod-load.ts';
import { onePair, type Sample, type Scenario } from '../scenario.ts';
import type { Start } from '../start-application.ts';
import { type LoadedNamespace, secondsToDelete, secondsToRun } from '../timed-load.ts';

const count = 2000;
/** Of the application, one right after the other: most of them while the crowd is still being made. */
const starts = 16;
const pauseMs = 50;

/**
 * Until it runs, the worst of several and the middle one; what of that comes before and after the scheduler at home has bound
 * it; and how late the API server at home is to tell of a pod, which the scheduler, the virtual kubelet and whoever waits hear in turn.
 */
function rowsFor(what: string, title: string, budget?: number): Scenario['rows'] {
  const id = `neighbours.${what}`;
  const bounded = budget === undefined ? {} : { budget };
  return [
    { id, title: `… ${title}, the worst`, unit: 'ms', ...bounded },
    { id: `${id}-median`, title: '    the median', unit: 'ms', ...bounded },
    { id: `${id}-unbound`, title: '    until it is bound, the worst', unit: 'ms' },
    { id: `${id}-bound`, title: '    from bound to Running, the worst', unit: 'ms', ...bounded },
    { id: `${id}-told`, title: '    told of a pod by the API server, the worst', unit: 'ms' },
    { id: `${id}-starts`, title: '    of how many', unit: 'starts' },
  ];
}

function sampleOf(what: string, starts: Starts): Sample {
  const { ms, medianMs, unboundMs, boundMs, toldMs, number } = starts;
  const id = `neighbours.${what}`;
  return {
    [id]: ms,
    [`${id}-median`]: medianMs,
    [`${id}-unbound`]: unboundMs,
    [`${id}-bound`]: boundMs,
    [`${id}-told`]: toldMs,
    [`${id}-starts`]: number,
  };
}

/**
 * A small application that starts while many pods of another namespace come, or go. With no offloading at all they are in both
 * clusters. Those that stay at home show what its API server and its scheduler alone make of an application that is offloaded.
 */
export const neighbours: Scenario = {
  name: 'neighbours',
  needs: onePair,
  repeats: 3,
  rows: [
    { id: 'neighbours.alone', title: 'two-pod application, alone', unit: 'ms' },
    ...rowsFor('floor-come', `while ${count} others come, with no offloading at all`),
    ...rowsFor('floor-go', `while ${count} others go, with no offloading at all`),
    ...rowsFor('home-come', `while ${count} others come that stay at home`),
    ...rowsFor('home-go', `while ${count} others go that stayed at home`),
    ...rowsFor('come', `while ${count} pods of another namespace come`, 1000),
    {
      id: 'neighbours.come-ratio',
      title: '    the worst, over the worst beside those that stay at home',
      unit: '×',
    },
    ...rowsFor('go', `while ${count} pods of another namespace go`, 1000),
  ],
  measure: async (world) => {
    await using newcomer = await world.newcomer();
    const namespace = await freshNamespace(world, 'virtual');
    const alone = await newcomer.start({ namespace, name: 'alone', place: 'virtual' });
    const { rome, milan } = world;
    const everywhere = { clients: [rome.client, milan.client], place: 'hollow' } as const;
    const atHome = { clients: [rome.client], place: 'hollow' } as const;
    const away = { clients: [rome.client], place: 'virtual' } as const;
    const floor = await measureCrowd(world, newcomer, everywhere, 'hollow');
    const home = await measureCrowd(world, newcomer, atHome, 'virtual');
    const ours = await measureCrowd(world, newcomer, away, 'virtual');
    return {
      'neighbours.alone': alone.ms,
      ...sampleOf('floor-come', floor.come),
      ...sampleOf('floor-go', floor.go),
      ...sampleOf('home-come', home.come),
      ...sampleOf('home-go', home.go),
      ...sampleOf('come', ours.come),
      'neighbours.come-ratio': ours.come.ms / home.come.ms,
      ...sampleOf('go', ours.go),
    };
  },
};

/** Of several starts. */
interface Starts extends Start {
  readonly medianMs: number;
  /** Fewer than wanted where the others were done sooner. */
  readonly number: number;
}

/** Where the pods of a crowd are made, and where they run. */
type Crowd = Omit<LoadedNamespace, 'namespace'>;

/** Starts applications in one place while a crowd comes and goes in the same or another. */
async function measureCrowd(world: BenchWorld, newcomer: Newcomer, crowd: Crowd, place: Place) {
  const where = { ...crowd, namespace: await freshNamespace(world, crowd.place) };
  // They are there before the crowd is: to make one beside it takes as long as a start.
  const namespaces: string[] = [];
  for (let i = 0; i < 2 * starts; i++) namespaces.push(await freshNamespace(world, place));
  const start = (namespace: string) => newcomer.start({ namespace, name: 'web', place });
  const come = await beside(namespaces.slice(starts), start, () => secondsToRun(where, count));
  const go = await beside(namespaces.slice(0, starts), start, () => secondsToDelete(where, count));
  return { come, go };
}

function freshNamespace(world: BenchWorld, place: Place): Promise<string> {
  return world.freshNamespace(place === 'virtual' ? 'offloaded' : 'apart');
}

/** A start in each namespace while the others are at it. */
async function beside(
  namespaces: readonly string[],
  start: (namespace: string) => Promise<Start>,
  crowd: () => Promise<unknown>,
): Promise<Starts> {
  let isOver = false;
  const crowded = crowd().finally(() => {
    isOver = true;
  });
  const took: Start[] = [];
  for (const namespace of namespaces) {
    await pause(pauseMs);
    if (isOver) break;
    took.push(await start(namespace));
  }
  await crowded;
  const worst = (of: keyof Start) => Math.max(...took.map((start) => start[of]));
  const { median } = spreadOf(took.map(({ ms }) => ms));
  return {
    ms: worst('ms'),
    medianMs: median,
    unboundMs: worst('unboundMs'),
    boundMs: worst('boundMs'),
    toldMs: worst('toldMs'),
    number: took.length,
  };
}
