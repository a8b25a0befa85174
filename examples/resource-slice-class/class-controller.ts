import { labels, ResourceSlice, Tenant } from '@liqo/api';
import {
  type Client,
  type Clock,
  findCondition,
  formatTime,
  keyOf,
  keyString,
  Node,
  Pod,
  type Random,
  type Stored,
  setCondition,
} from '@liqo/kube';
import { consumerOf, creatorLabel, quotaName } from '@liqo/model';
import {
  done,
  inOrder,
  type Logger,
  mapped,
  type Outcome,
  requeueAfter,
  type Stoppable,
  startController,
  startInformer,
  writeStatus,
} from '@liqo/runtime';
import { freeCapacity } from './free-capacity.ts';
import { type Decision, type Request, share } from './share.ts';

export interface ClassControllerOptions {
  /** Which slices are decided here: those with this `spec.class`. */
  readonly className: string;
  readonly client: Client;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  /** Pods come and go all the time: the shares are computed once for all that happens in this time. */
  readonly atMostEveryMs?: number;
}

type Slice = Stored<ResourceSlice>;

/** Decides the slices of one class, all of them together: whatever happens, every share is computed anew. */
export function startClassController(options: ClassControllerOptions): Stoppable {
  const { className, client, clock, random, log, atMostEveryMs = 2_000 } = options;
  const shared = { client, clock, random, log };
  const slices = startInformer({
    ...shared,
    kind: ResourceSlice,
    selection: { labelSelector: `${labels.replicated}=true` },
  });
  const tenants = startInformer({ ...shared, kind: Tenant });
  const nodes = startInformer({ ...shared, kind: Node });
  const pods = startInformer({ ...shared, kind: Pod });
  const everything = () => [{ name: className }];
  let nextMs = Number.NEGATIVE_INFINITY;

  async function reconcile(signal: AbortSignal): Promise<Outcome> {
    const waitMs = nextMs - clock.monotonicMs();
    if (waitMs > 0) return requeueAfter(waitMs, 'the shares were computed a moment ago');
    nextMs = clock.monotonicMs() + atMostEveryMs;
    const known = slices.list().filter(({ spec }) => spec.class === className);
    const users = new Set(known.map((slice) => creatorLabel(userOf(slice))));
    const isOfClass = ({ metadata }: Stored<Pod>) =>
      users.has(metadata.labels?.[labels.creatorUser] ?? '');
    const waiting = known.filter((slice) =>
      mayGrant(slice, tenants.list(slice.metadata.namespace)),
    );
    const free = freeCapacity(nodes.list(), pods.list(), isOfClass);
    const requests = waiting.map(requestOf);
    requests.sort((one, other) => (one.key < other.key ? -1 : 1));
    const decisions = share(free, requests);
    for (const slice of waiting) {
      const decision = decisions.get(keyString(keyOf(slice)));
      if (decision) await report(slice, decision, signal);
    }
    return done;
  }

  async function report(slice: Slice, decision: Decision, signal: AbortSignal): Promise<void> {
    const status = nextStatus(slice, decision, formatTime(clock.now()));
    const written = await writeStatus(client, ResourceSlice, slice, status, signal);
    if (written !== slice) log.info('Decided slice', { slice: keyString(keyOf(slice)) });
  }

  const controller = startController({
    name: `class-${className}`,
    clock,
    random,
    log,
    sources: [
      mapped(slices, everything),
      mapped(tenants, everything),
      mapped(nodes, everything),
      mapped(pods, everything),
    ],
    reconcile: (_key, { signal }) => reconcile(signal),
  });
  return inOrder([controller, slices, tenants, nodes, pods]);
}

/** As whom the consumer creates the pods of a slice. */
function userOf(slice: Slice): string {
  return quotaName(slice.metadata.name, consumerOf(slice));
}

function requestOf(slice: Slice): Request {
  const { resources = {} } = slice.spec;
  return { key: keyString(keyOf(slice)), consumer: consumerOf(slice), resources };
}

/** Only slices whose consumer is authenticated, and which the provider has neither cordoned nor drained. */
function mayGrant({ metadata, status }: Slice, tenants: readonly Stored<Tenant>[]): boolean {
  const authentication = findCondition(status?.conditions, 'Authentication')?.status;
  const isActive = tenants.some(({ spec }) => (spec.tenantCondition ?? 'Active') === 'Active');
  return metadata.deletionTimestamp === undefined && authentication === 'Accepted' && isActive;
}

/** The condition `Authentication` and the credentials are Liqo's. */
function nextStatus(slice: Slice, decision: Decision, now: string): Slice['status'] {
  const { resources: _, ...others } = slice.status ?? {};
  const isGranted = decision.type === 'grant';
  const condition = {
    type: 'Resources',
    status: isGranted ? 'Accepted' : 'Denied',
    reason: isGranted ? 'FairShare' : 'NothingFree',
    message: decision.message,
  } as const;
  return {
    ...others,
    ...(isGranted && { resources: { ...decision.resources } }),
    conditions: setCondition(others.conditions, condition, now),
  };
}
