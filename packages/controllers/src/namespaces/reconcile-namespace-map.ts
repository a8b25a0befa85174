import { finalizers, labels, NamespaceMap } from '@liqo/api';
import {
  type Client,
  checkDnsLabel,
  keyString,
  type Namespace,
  type ObjectKey,
  type Stored,
} from '@liqo/kube';
import {
  countNamespacesOf,
  type DesiredNames,
  desiredNames,
  isBeingDeleted,
  isManagedBy,
  type NamespaceMapping,
  type PodSecurityLevel,
  refusal,
  refuseSharedName,
  type TenantLimits,
  type WantedNamespace,
} from '@liqo/model';
import {
  confirmAbsent,
  done,
  ensureFinalizer,
  hasFinalizer,
  type Informer,
  type Outcome,
  type ReconcileContext,
  removeFinalizer,
  requeueAfter,
  writeStatus,
} from '@liqo/runtime';
import { NamespaceMaker, type NamespaceMakerContext } from './make-namespace.ts';
import { removalRound, removeNamespaces } from './remove-namespaces.ts';
import { Rounds } from './rounds.ts';

interface NamespaceMapContext extends NamespaceMakerContext {
  readonly client: Client;
  readonly podSecurity: PodSecurityLevel;
  readonly tenantLimits: TenantLimits;
  /** The namespace of the installation. */
  readonly liqoNamespace: string;
  readonly maps: Informer<NamespaceMap>;
}

/** By the names at the consumer, which are data: `constructor` is a good name of a namespace. */
type CurrentMapping = Map<string, NamespaceMapping>;

/** A wanted namespace that the caches alone cannot settle. */
interface OpenEntry {
  readonly wanted: WantedNamespace;
  /** What the NamespaceMap reports of it so far. */
  readonly before: NamespaceMapping | undefined;
}

/**
 * How many namespaces of one NamespaceMap are made or looked at, and how many are removed, before others have their turn. A
 * map of a thousand namespaces must not occupy a worker for minutes.
 */
const namesPerTurn = 20;

export class NamespaceMapReconciler {
  readonly #context: NamespaceMapContext;
  readonly #rounds = new Rounds(namesPerTurn);

  constructor(context: NamespaceMapContext) {
    this.#context = context;
  }

  async reconcile(key: ObjectKey, run: ReconcileContext): Promise<Outcome> {
    const { client, maps } = this.#context;
    const cached = maps.get(key);
    if (!cached) return this.#removeLeftovers(key, run);
    if (cached.metadata.deletionTimestamp !== undefined) return this.#tearDown(cached, run);
    const finalizer = finalizers.namespaceMap;
    const map = await ensureFinalizer(client, NamespaceMap, cached, finalizer, run.signal);
    return map ? this.#apply(map, run) : done;
  }

  async #apply(map: Stored<NamespaceMap>, run: ReconcileContext): Promise<Outcome> {
    const desired = desiredNames(map);
    const maker = this.#maker(map, run);
    const current: CurrentMapping = new Map();
    const open: OpenEntry[] = [];
    const reported = reportedBy(map);
    for (const wanted of this.#wantedNamespaces(map, desired)) {
      const before = reported.get(wanted.local);
      const settled = maker.settled(wanted, before);
      if (settled) current.set(wanted.local, settled);
      else open.push({ wanted, before });
    }
    const { urgent, failures } = await this.#work(keyString(map.metadata), open, maker, current);
    for (const { local, remote, owner } of desired.shared) {
      current.set(local, refuseSharedName(remote, owner));
    }
    const going = await this.#removeUnwanted(map, desired, current, run);
    for (const [local, mapping] of going.mappings) current.set(local, mapping);
    await this.#report(map, current, run);
    const [failure] = [...failures, ...going.failures];
    if (failure !== undefined) throw failure;
    return urgent + going.postponed > 0 ? nextTurn : whatToWaitFor(current);
  }

  /**
   * Takes the next turn. What is not yet known comes before what was refused, which is only looked at again. What is left
   * keeps what is reported of it; says how much of that cannot wait.
   */
  async #work(
    mapKey: string,
    open: readonly OpenEntry[],
    maker: NamespaceMaker,
    current: CurrentMapping,
  ): Promise<{ readonly urgent: number; readonly failures: readonly unknown[] }> {
    const failures: unknown[] = [];
    const [retries, urgent] = [open.filter(isRefused), open.filter((entry) => !isRefused(entry))];
    const first = this.#rounds.next(urgentRound(mapKey), urgent.map(nameOf));
    const others = this.#rounds.next(retryRound(mapKey), retries.map(nameOf), first.size);
    for (const { wanted, before } of open) {
      if (!first.has(wanted.local) && !others.has(wanted.local)) {
        if (before) current.set(wanted.local, before);
        continue;
      }
      const mapping = await maker.make(wanted, before).catch((error) => {
        failures.push(error);
        return before?.phase === 'Accepted' ? before : failed(wanted, error);
      });
      current.set(wanted.local, mapping);
    }
    return { urgent: urgent.length - first.size, failures };
  }

  #maker(map: Stored<NamespaceMap>, run: ReconcileContext): NamespaceMaker {
    const { namespaces, tenantLimits } = this.#context;
    const { namespace = '' } = map.metadata;
    const room = tenantLimits.namespaces - countNamespacesOf(namespace, namespaces.list());
    return new NamespaceMaker({ ...this.#context, tenantNamespace: namespace, room, run });
  }

  /** Whose wish it is, the tenant namespace says: a consumer writes the labels of its map itself. */
  #wantedNamespaces(
    map: Stored<NamespaceMap>,
    { distinct }: DesiredNames,
  ): readonly WantedNamespace[] {
    const { namespaces, podSecurity, liqoNamespace } = this.#context;
    const tenantNamespace = map.metadata.namespace ?? '';
    const tenant = namespaces.get({ name: tenantNamespace });
    const consumerClusterID = tenant?.metadata.labels?.[labels.remoteClusterID];
    const isTenant = tenant?.metadata.labels?.[labels.tenantNamespace] !== undefined;
    if (!isTenant || consumerClusterID === undefined) {
      throw new Error(
        `Cannot make namespaces for "${keyString(map.metadata)}": the namespace "${tenantNamespace}" does not carry the labels of a tenant namespace`,
      );
    }
    const namespaceMapKey = keyString(map.metadata);
    const shared = { consumerClusterID, namespaceMapKey, podSecurity, liqoNamespace };
    return distinct.map(({ local, remote }) => ({ local, remote, ...shared }));
  }

  /** Deletes the namespaces of this map that are not wanted any more; reports those of them that are still there. */
  async #removeUnwanted(
    map: Stored<NamespaceMap>,
    { distinct, shared }: DesiredNames,
    current: CurrentMapping,
    run: ReconcileContext,
  ) {
    const mapKey = keyString(map.metadata);
    const wanted = new Set([...distinct, ...shared].map(({ local }) => local));
    const kept = new Set([
      ...distinct.map(({ remote }) => remote),
      ...[...current.values()].map(({ remoteNamespace }) => remoteNamespace),
    ]);
    const unwanted = [...reportedBy(map)].flatMap(([local, { remoteNamespace = '' }]) =>
      wanted.has(local) || kept.has(remoteNamespace) ? [] : [{ local, remoteNamespace }],
    );
    const names = new Set([
      ...unwanted.map(({ remoteNamespace }) => remoteNamespace),
      ...this.#namespacesOf(mapKey).map(({ metadata }) => metadata.name),
    ]);
    // A name that no namespace can have was refused, and cannot be asked for.
    const isName = (name: string) => checkDnsLabel(name).length === 0;
    const excess = [...names].filter((name) => isName(name) && !kept.has(name));
    const { lingering, ...removal } = await this.#remove(mapKey, excess, run);
    const mappings: CurrentMapping = new Map();
    for (const { local, remoteNamespace } of unwanted) {
      if (!lingering.has(remoteNamespace)) continue;
      mappings.set(local, { remoteNamespace, phase: 'Terminating' });
    }
    return { mappings, ...removal };
  }

  #remove(mapKey: string, names: readonly string[], run: ReconcileContext) {
    return removeNamespaces({ ...this.#context, rounds: this.#rounds }, mapKey, names, run);
  }

  async #tearDown(map: Stored<NamespaceMap>, run: ReconcileContext): Promise<Outcome> {
    const { client } = this.#context;
    if (!hasFinalizer(map, finalizers.namespaceMap)) return done;
    const nothing = { distinct: [], shared: [] };
    const going = await this.#removeUnwanted(map, nothing, new Map(), run);
    const written = await this.#report(map, going.mappings, run);
    if (going.failures.length > 0) throw going.failures[0];
    if (going.postponed > 0) return nextTurn;
    if (going.mappings.size > 0) return whatToWaitFor(going.mappings);
    if (this.#namespacesOf(keyString(map.metadata)).length > 0) {
      return requeueAfter(1_000, 'waiting for the last namespaces of this map to be gone');
    }
    this.#forget(keyString(map.metadata));
    await removeFinalizer(client, NamespaceMap, written, finalizers.namespaceMap, run.signal);
    return done;
  }

  /** A map that went without its finalizer: by force. */
  async #removeLeftovers(key: ObjectKey, run: ReconcileContext): Promise<Outcome> {
    const leftovers = this.#namespacesOf(keyString(key)).map(({ metadata }) => metadata.name);
    if (leftovers.length === 0) {
      this.#forget(keyString(key));
      return done;
    }
    if (!(await confirmAbsent(this.#context.client, NamespaceMap, key, run.signal))) return done;
    const { failures, postponed } = await this.#remove(keyString(key), leftovers, run);
    if (failures.length > 0) throw failures[0];
    return postponed > 0 ? nextTurn : done;
  }

  #namespacesOf(namespaceMapKey: string): readonly Stored<Namespace>[] {
    const { namespaces } = this.#context;
    return namespaces.list().filter((namespace) => isManagedBy(namespace, namespaceMapKey));
  }

  async #report(
    map: Stored<NamespaceMap>,
    current: CurrentMapping,
    run: ReconcileContext,
  ): Promise<Stored<NamespaceMap>> {
    const { client, maps } = this.#context;
    const status = { currentMapping: Object.fromEntries(current) };
    const written = await writeStatus(client, NamespaceMap, map, status, run.signal);
    if (written !== map) run.wrote(maps, written);
    return written;
  }

  #forget(mapKey: string): void {
    this.#rounds.forget(urgentRound(mapKey), retryRound(mapKey), removalRound(mapKey));
  }
}

const nextTurn = requeueAfter(0, 'continuing with the next namespaces of this map');

function urgentRound(mapKey: string): string {
  return `${mapKey} urgent`;
}

function retryRound(mapKey: string): string {
  return `${mapKey} retry`;
}

function nameOf({ wanted }: OpenEntry): string {
  return wanted.local;
}

/** Refused under the name that is wanted now. */
function isRefused({ wanted, before }: OpenEntry): boolean {
  return before?.phase === 'CreationLoopBackOff' && before.remoteNamespace === wanted.remote;
}

function reportedBy({ status }: NamespaceMap): ReadonlyMap<string, NamespaceMapping> {
  return new Map(Object.entries(status?.currentMapping ?? {}));
}

function failed(wanted: WantedNamespace, error: unknown): NamespaceMapping {
  const message = error instanceof Error ? error.message : String(error);
  return refusal(wanted.remote, 'CreationFailed', message);
}

/** The deletion of a foreign namespace emits no event to this controller. */
function whatToWaitFor(current: CurrentMapping): Outcome {
  const mappings = [...current.values()];
  if (mappings.some(({ phase }) => phase === 'CreationLoopBackOff')) {
    return requeueAfter(10_000, 'looking again whether the refused names are free');
  }
  return mappings.some(isBeingDeleted)
    ? requeueAfter(2_000, 'waiting for namespaces to be deleted')
    : done;
}
