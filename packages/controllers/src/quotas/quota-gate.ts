import { labels, type Quota, type ShadowPod, type Tenant } from '@liqo/api';
import {
  type Clock,
  keyOf,
  keyString,
  type Namespace,
  type ObjectKey,
  type Pod,
  parseKey,
  type Stored,
} from '@liqo/kube';
import {
  type Candidate,
  fittingCandidates,
  judgeByQuotas,
  type QuotaFacts,
  type QuotaRefusal,
} from '@liqo/model';
import type { Informer, Source } from '@liqo/runtime';
import { PodLedger } from './pod-ledger.ts';

type Feed = Parameters<Source['start']>[0];

interface QuotaGateOptions {
  readonly pods: Informer<Pod>;
  readonly quotas: Informer<Quota>;
  readonly tenants: Informer<Tenant>;
  readonly namespaces: Informer<Namespace>;
  readonly clock: Clock;
}

/** A pod that is to be created for a ShadowPod, or one of its pods as it is to become. */
interface PodWrite {
  readonly shadowPod: Stored<ShadowPod>;
  readonly pod: Pod;
  /** Whether the ShadowPod never had a pod. */
  readonly isNew: boolean;
  readonly send: () => Promise<Stored<Pod>>;
}

export type PodWriteResult =
  | { readonly type: 'written'; readonly pod: Stored<Pod> }
  | ({ readonly type: 'refused' } & QuotaRefusal);

/** What creates and enlarges pods of consumers passes here. */
export type PodGate = Pick<QuotaGate, 'forget' | 'settle' | 'write'>;

interface Waiting {
  readonly candidate: Candidate;
  readonly since: string;
  isWoken: boolean;
}

/** Many pods end at once: those that wait are looked at once for all of them. */
const wakeDelayMs = 50;

/**
 * Lets pods of consumers be created and enlarged as far as their quotas allow. A decision and its charge are one step, so
 * however many ask at once, no quota is exceeded. A ShadowPod that was refused is reconciled again as soon as its pod fits, the
 * oldest first: after an event of a pod, a Quota or a Tenant.
 *
 * What is kept in memory is derived from the caches; a new process finds it again when it reconciles every ShadowPod.
 */
export class QuotaGate implements Source {
  readonly caches: Source['caches'];
  readonly #options: QuotaGateOptions;
  readonly #ledger: PodLedger;
  /** By tenant, then by the key of the ShadowPod. */
  readonly #waiting = new Map<string, Map<string, Waiting>>();
  readonly #scheduled = new Set<string>();
  #feed: Feed | undefined;

  constructor(options: QuotaGateOptions) {
    const { pods, quotas, tenants, namespaces, clock } = options;
    this.#options = options;
    this.caches = [pods, quotas, tenants, namespaces];
    this.#ledger = new PodLedger({ pods, clock, onFreed: (tenant) => this.#schedule(tenant) });
  }

  /** Wakes ShadowPods that wait until disposed. */
  start(feed: Feed): Disposable {
    this.#feed = feed;
    const wakeAll = () => this.#scheduleAll();
    const handlers = { onAdd: wakeAll, onUpdate: wakeAll, onDelete: wakeAll };
    const { quotas, tenants } = this.#options;
    const parts = [this.#ledger.start(), quotas.subscribe(handlers), tenants.subscribe(handlers)];
    return {
      [Symbol.dispose]: () => {
        this.#feed = undefined;
        for (const part of parts) part[Symbol.dispose]();
      },
    };
  }

  /** Sends the write if the pod fits. Nothing is awaited before its charge is made. */
  async write({ shadowPod, pod, isNew, send }: PodWrite): Promise<PodWriteResult> {
    const candidate = forgeCandidate(shadowPod, pod, isNew);
    const { key, tenant } = candidate;
    const verdict = judgeByQuotas(candidate, this.#factsOf(tenant));
    if (!verdict.allowed) {
      const { reason, message } = verdict;
      this.#wait(candidate, shadowPod.metadata.creationTimestamp);
      return { type: 'refused', reason, message };
    }
    return { type: 'written', pod: await this.#ledger.write(key, verdict.charge, send) };
  }

  /** The pod of a ShadowPod as the API server has it, after a write whose outcome was not known. */
  settle(shadowPod: Stored<ShadowPod>, live: Stored<Pod> | undefined): void {
    this.#ledger.settle(keyString(keyOf(shadowPod)), live);
  }

  /** The ShadowPod is being reconciled: it waits no longer, unless it is refused again. */
  forget(key: ObjectKey): void {
    const name = keyString(key);
    for (const [tenant, waiting] of this.#waiting) {
      const entry = waiting.get(name);
      if (!entry) continue;
      waiting.delete(name);
      if (waiting.size === 0) this.#waiting.delete(tenant);
      // It may not need the room that it was woken for: others are looked at again.
      else if (entry.isWoken) this.#schedule(tenant);
    }
  }

  #wait(candidate: Candidate, since: string): void {
    const waiting = this.#waiting.get(candidate.tenant) ?? new Map<string, Waiting>();
    waiting.set(candidate.key, { candidate, since, isWoken: false });
    this.#waiting.set(candidate.tenant, waiting);
  }

  #scheduleAll(): void {
    for (const tenant of this.#waiting.keys()) this.#schedule(tenant);
  }

  #schedule(tenant: string): void {
    if (!this.#waiting.has(tenant) || this.#scheduled.has(tenant)) return;
    this.#scheduled.add(tenant);
    this.#options.clock.after(wakeDelayMs, () => {
      this.#scheduled.delete(tenant);
      this.#wakeFitting(tenant);
    });
  }

  #wakeFitting(tenant: string): void {
    const waiting = this.#waiting.get(tenant);
    if (!waiting) return;
    const inOrder = [...waiting.values()].sort((a, b) => (a.since < b.since ? -1 : 1));
    const candidates = inOrder.map(({ candidate }) => candidate);
    for (const { key } of fittingCandidates(candidates, this.#factsOf(tenant))) {
      const entry = waiting.get(key);
      if (entry) entry.isWoken = true;
      this.#feed?.enqueue(parseKey(key));
    }
  }

  #factsOf(tenant: string): QuotaFacts {
    const { namespaces, quotas, tenants } = this.#options;
    const own = namespaces.list().filter(({ metadata }) => {
      const { [labels.remoteClusterID]: peer, [labels.tenantNamespace]: mark } =
        metadata.labels ?? {};
      return peer === tenant && mark === 'true';
    });
    const names = own.map(({ metadata }) => metadata.name);
    return {
      quotas: names.flatMap((name) => quotas.list(name)),
      isPeered: names.some((name) => tenants.count(name) > 0),
      ledger: this.#ledger,
    };
  }
}

function forgeCandidate(shadowPod: Stored<ShadowPod>, pod: Pod, isNew: boolean): Candidate {
  const marks = pod.metadata?.labels ?? {};
  return {
    key: keyString(keyOf(shadowPod)),
    tenant: marks[labels.origin] ?? '',
    creator: marks[labels.creatorUser],
    pod,
    isNew,
  };
}

/** Where quotas are not enforced. */
export const openGate: PodGate = {
  write: async ({ send }) => ({ type: 'written', pod: await send() }),
  settle: () => {},
  forget: () => {},
};
