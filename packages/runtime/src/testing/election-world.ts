import { Client, type InProcessServer, InProcessTransport, Lease } from '@liqo/kube';
import { hearOnceThawed, ProcessClock, seededRandom, VirtualClock } from '@liqo/testkit';
import { startTestCluster } from '@liqo/testkit/cluster';
import { FaultyCalls, noFaults, serveOver } from '@liqo/testkit/faults';
import { type LeaderElection, startLeaderElection } from '../election/leader-election.ts';
import { silentLogger } from '../log/log.ts';
import { leaseKey } from './lease-key.ts';
import { leaseRegister } from './lease-register.ts';

/** One process that runs for leader: its calls to the server and its clock can be tampered with. */
export interface Candidate {
  readonly identity: string;
  readonly clock: ProcessClock;
  readonly faults: FaultyCalls;
  readonly election: LeaderElection;
  /** The signals of its terms, oldest first. */
  readonly terms: readonly AbortSignal[];
  /** Whether the work of its terms may write now, oldest first. */
  readonly fences: readonly (() => boolean)[];
  /** Whom it saw leading, in order. */
  readonly leadersSeen: readonly string[];
}

export interface CandidateOptions {
  readonly skewMs?: number;
  /** How long the work needs to end after its signal aborts. */
  readonly windDownMs?: number;
  /** Instead of work that lasts until its signal aborts. */
  readonly work?: (signal: AbortSignal) => Promise<void>;
}

/** Where a world's lease is kept. */
interface LeaseKeeper extends AsyncDisposable {
  readonly clock: VirtualClock;
  /** Answers the calls of a candidate. */
  serverFor(identity: string): InProcessServer;
}

/** Elections by a cluster's lease. */
export async function startElectionWorld(): Promise<ElectionWorld> {
  const cluster = await startTestCluster({ namespaces: [leaseKey.namespace] });
  return new ElectionWorld({
    clock: cluster.clock,
    serverFor: (name) =>
      serveOver(cluster.cluster.transportFor({ name, groups: ['system:masters'] })),
    [Symbol.asyncDispose]: () => cluster[Symbol.asyncDispose](),
  });
}

/** Elections by a lease alone, so cheap that thousands of them can be held. */
export function createElectionWorld(seed: number): ElectionWorld {
  const server = leaseRegister();
  const keeper: LeaseKeeper = {
    clock: new VirtualClock(),
    serverFor: () => server,
    [Symbol.asyncDispose]: async () => undefined,
  };
  return new ElectionWorld(keeper, seed);
}

/** Candidates for one lease, on one virtual clock, with the rule that nobody starts while somebody leads. */
export class ElectionWorld {
  readonly clock: VirtualClock;
  /** Somebody whose calls never fail. */
  readonly admin: Client;
  readonly candidates: Candidate[] = [];
  readonly violations: string[] = [];
  readonly #keeper: LeaseKeeper;
  readonly #seed: number;

  constructor(keeper: LeaseKeeper, seed = 1) {
    this.#keeper = keeper;
    this.#seed = seed;
    this.clock = keeper.clock;
    const transport = new InProcessTransport(keeper.serverFor('admin'));
    this.admin = new Client({ transport, clock: this.clock, random: seededRandom(seed) });
  }

  lease() {
    return this.admin.get(Lease, leaseKey);
  }

  /** Who may act at this moment. */
  leaders(): string[] {
    return this.candidates.filter(({ election }) => election.isLeader()).map((c) => c.identity);
  }

  start(identity: string, options: CandidateOptions = {}): Candidate {
    const clock = new ProcessClock(this.clock);
    clock.skewMs = options.skewMs ?? 0;
    const faults = new FaultyCalls({ clock: this.clock });
    const random = seededRandom(this.#seed + this.candidates.length);
    const server = faults.before(this.#keeper.serverFor(identity), identity);
    const transport = new InProcessTransport(hearOnceThawed(clock, server));
    const terms: AbortSignal[] = [];
    const fences: (() => boolean)[] = [];
    const leadersSeen: string[] = [];
    const election = startLeaderElection({
      client: new Client({ transport, clock, random }),
      lease: leaseKey,
      identity,
      clock,
      random,
      log: silentLogger,
      onStartedLeading: (signal, mayWrite) => {
        this.#noteStart(identity);
        terms.push(signal);
        fences.push(mayWrite);
        return options.work?.(signal) ?? this.#workUntil(signal, options.windDownMs ?? 0);
      },
      onNewLeader: (leader) => leadersSeen.push(leader),
    });
    const candidate = { identity, clock, faults, election, terms, fences, leadersSeen };
    this.candidates.push(candidate);
    return candidate;
  }

  /** Lets time pass in small steps, looking at each. */
  async run(ms: number, stepMs = 250): Promise<void> {
    for (let passed = 0; passed < ms; passed += stepMs) {
      await this.clock.advance(Math.min(stepMs, ms - passed));
      this.noteTwoLeaders();
    }
  }

  noteTwoLeaders(): void {
    const leaders = this.leaders();
    const acting = this.candidates
      .filter(({ clock, terms }) => !clock.frozen && terms.at(-1)?.aborted === false)
      .map(({ identity }) => identity);
    const writing = this.candidates
      .filter(({ fences }) => fences.some((mayWrite) => mayWrite()))
      .map(({ identity }) => identity);
    for (const many of [leaders, acting, writing]) {
      if (many.length > 1) this.violations.push(`${many} lead at ${this.clock.monotonicMs()}`);
    }
  }

  async end(): Promise<void> {
    for (const { clock, faults } of this.candidates) {
      faults.plan = noFaults;
      await clock.thaw();
    }
    const ended = Promise.all(this.candidates.map((c) => c.election[Symbol.asyncDispose]()));
    await this.clock.advance(60_000);
    await ended;
    await this.#keeper[Symbol.asyncDispose]();
  }

  #noteStart(identity: string): void {
    const others = this.leaders().filter((leader) => leader !== identity);
    const at = this.clock.monotonicMs();
    if (others.length > 0) this.violations.push(`${identity} starts at ${at} beside ${others}`);
  }

  async #workUntil(signal: AbortSignal, windDownMs: number): Promise<void> {
    await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
    await new Promise<void>((resolve) => this.clock.after(windDownMs, resolve));
  }
}
