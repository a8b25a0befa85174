import {
  type ApiCall,
  delayed,
  type Fault,
  type FaultPlan,
  failAfterEffect,
  isWatch,
  isWrite,
  lostAnswer,
  lostRequest,
  refusal,
  seededPlan,
} from '@liqo/testkit/faults';
import type { DenialStatus, Fault as FaultStep, Storm } from './step.ts';

type LinkState = Extract<FaultStep, { type: 'cut-link' }>['how'];

interface Weather {
  storm?: FaultPlan;
  delayMs?: number;
  staleMs?: number;
}

/** All that is wrong with the calls of a world at the moment. */
export class Trouble {
  readonly #seed: number;
  readonly #weather = new Map<string, Weather>();
  /** By process and cluster. */
  readonly #denials = new Map<string, Fault>();
  #link: LinkState | undefined;
  /** Aborts when whoever is connected hears nothing any more. */
  #silence = new AbortController();
  #storms = 0;

  constructor(seed: number) {
    this.#seed = seed;
  }

  get isLinkCut(): boolean {
    return this.#link !== undefined;
  }

  cutLink(how: LinkState): void {
    this.#link = how;
    if (how === 'silent') this.#silence.abort();
  }

  healLink(): void {
    this.#link = undefined;
    this.#silence = new AbortController();
  }

  raiseStorm(cluster: string, what: Storm, ofTen: number): void {
    this.#storms += 1;
    const seed = this.#seed * 100 + this.#storms;
    const plan = seededPlan({ seed, rate: ofTen / 10, faults: [() => stormFaults[what]] });
    const storm: FaultPlan = (call) => (meets(what, call) ? plan(call) : undefined);
    this.#weatherAt(cluster).storm = storm;
  }

  /** Whether most calls to the cluster fail. */
  hasStorm(cluster: string): boolean {
    return this.#weather.get(cluster)?.storm !== undefined;
  }

  slowDown(cluster: string, ms: number): void {
    this.#weatherAt(cluster).delayMs = ms;
  }

  delayWatches(cluster: string, ms: number): void {
    this.#weatherAt(cluster).staleMs = ms;
  }

  /** The cluster answers with this status to everything that the process asks for from now on. */
  deny(process: string, cluster: string, status: DenialStatus): void {
    this.#denials.set(`${process} ${cluster}`, refusal(status));
  }

  endDenials(): void {
    this.#denials.clear();
  }

  end(): void {
    this.endDenials();
    this.#weather.clear();
    if (this.isLinkCut) this.healLink();
  }

  /** For the calls that reach a cluster; `who` begins with the cluster it comes from. */
  planFor(cluster: string): FaultPlan {
    return (call) => {
      const isFromAway = !call.who.startsWith(`${cluster}/`);
      const fault =
        (isFromAway && this.#linkFault(call)) ||
        this.#denialOf(cluster, call) ||
        this.#weatherFault(cluster, call);
      if (!isFromAway || !isWatch(call)) return fault || undefined;
      return { ...fault, silentAfter: this.#silence.signal };
    };
  }

  #linkFault(call: ApiCall): Fault | undefined {
    switch (this.#link) {
      case 'refused':
        return lostRequest('refuse');
      case 'silent':
        return lostRequest('stall');
      case 'answers lost':
        return isWrite(call) ? lostAnswer('stall') : undefined;
      default:
        return undefined;
    }
  }

  /** Replicas of a process have one identity. */
  #denialOf(cluster: string, { who }: ApiCall): Fault | undefined {
    return this.#denials.get(`${who.replace(/#\d+$/, '')} ${cluster}`);
  }

  #weatherFault(cluster: string, call: ApiCall): Fault | undefined {
    const { storm, delayMs, staleMs } = this.#weather.get(cluster) ?? {};
    const struck = storm?.(call);
    if (struck) return struck;
    if (isWatch(call)) return staleMs === undefined ? undefined : this.#staleAt(cluster);
    return delayMs === undefined ? undefined : delayed(delayMs);
  }

  /** A watch that was opened meanwhile is not late any more when that ends. */
  #staleAt(cluster: string): Fault {
    return { eventsTakeMs: () => this.#weather.get(cluster)?.staleMs ?? 0 };
  }

  #weatherAt(cluster: string): Weather {
    const weather = this.#weather.get(cluster) ?? {};
    this.#weather.set(cluster, weather);
    return weather;
  }
}

const stormFaults: Readonly<Record<Storm, Fault>> = {
  conflicts: refusal(409),
  'too many requests': refusal(429, '3'),
  'failures after the effect': failAfterEffect(500),
  failures: refusal(503),
  expired: refusal(410),
};

function meets(what: Storm, call: ApiCall): boolean {
  if (what === 'conflicts' || what === 'failures after the effect') return isWrite(call);
  return what === 'expired' ? isWatch(call) : true;
}
