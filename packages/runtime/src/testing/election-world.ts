import { Client, type InProcessServer, InProcessTransport, Lease } from '@liqo/kube';
import { FaultyLink, ObjectServer, ProcessClock, seededRandom, VirtualClock } from '@liqo/testkit';
import { type LeaderElection, startLeaderElection } from '../election/leader-election.ts';
import { silentLogger } from '../log/log.ts';

export const leaseKey = { namespace: 'liqo', name: 'controller-manager' };

/** One process that runs for leader: its link to the server and its clock can be tampered with. */
export interface Candidate {
  readonly identity: string;
  readonly clock: ProcessClock;
  readonly link: FaultyLink;
  readonly election: LeaderElection;
  /** The signals of its terms, oldest first. */
  readonly terms: readonly AbortSignal[];
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

/** Candidates for one lease, on one virtual clock, with the rule that nobody starts while somebody leads. */
export class ElectionWorld {
  readonly clock = new VirtualClock();
  readonly server = new ObjectServer(this.clock);
  readonly candidates: Candidate[] = [];
  readonly violations: string[] = [];
  readonly #seed: number;

  constructor(seed = 1) {
    this.#seed = seed;
  }

  lease() {
    return this.server.stored(Lease, leaseKey);
  }

  /** Who may act at this moment. */
  leaders(): string[] {
    return this.candidates.filter(({ election }) => election.isLeader()).map((c) => c.identity);
  }

  start(identity: string, options: CandidateOptions = {}): Candidate {
    const clock = new ProcessClock(this.clock);
    clock.skewMs = options.skewMs ?? 0;
    const link = new FaultyLink(this.server.serve, this.clock);
    const random = seededRandom(this.#seed + this.candidates.length);
    const transport = new InProcessTransport(heardBy(clock, link.serve));
    const terms: AbortSignal[] = [];
    const leadersSeen: string[] = [];
    const election = startLeaderElection({
      client: new Client({ transport, clock, random }),
      lease: leaseKey,
      identity,
      clock,
      random,
      log: silentLogger,
      onStartedLeading: (signal) => {
        this.#noteStart(identity);
        terms.push(signal);
        return options.work?.(signal) ?? this.#workUntil(signal, options.windDownMs ?? 0);
      },
      onNewLeader: (leader) => leadersSeen.push(leader),
    });
    const candidate = { identity, clock, link, election, terms, leadersSeen };
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
    for (const many of [leaders, acting]) {
      if (many.length > 1) this.violations.push(`${many} lead at ${this.clock.monotonicMs()}`);
    }
  }

  async end(): Promise<void> {
    for (const { clock, link } of this.candidates) {
      link.fault = 'none';
      await clock.thaw();
    }
    const ended = Promise.all(this.candidates.map((c) => c.election[Symbol.asyncDispose]()));
    await this.clock.advance(60_000);
    await ended;
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

/** A process that stands still does not hear answers either. */
function heardBy(clock: ProcessClock, serve: InProcessServer): InProcessServer {
  return async (request, signal) => {
    try {
      return await serve(request, signal);
    } finally {
      await clock.untilThawed();
    }
  };
}
