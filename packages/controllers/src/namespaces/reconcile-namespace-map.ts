import { finalizers, labels, NamespaceMap } from '@liqo/api';
import {
  type Client,
  keyString,
  mergePatch,
  Namespace,
  type ObjectKey,
  type RoleBinding,
  type Stored,
} from '@liqo/kube';
import {
  forgeTenantBinding,
  isBeingDeleted,
  isManagedBy,
  type NamespaceMapping,
  type PodSecurityLevel,
  planRemoteNamespace,
  refusal,
  refuseGrantedName,
  refuseSharedName,
  type WantedNamespace,
} from '@liqo/model';
import {
  type CachedReader,
  confirmAbsent,
  done,
  ensureFinalizer,
  hasFinalizer,
  type Outcome,
  type ReconcileContext,
  removeFinalizer,
  requeueAfter,
  writeStatus,
} from '@liqo/runtime';
import { ensureRoleBinding } from './ensure-role-binding.ts';
import { listGrantedNamespaces } from './list-granted-namespaces.ts';

interface NamespaceMapWorld {
  readonly client: Client;
  readonly podSecurity: PodSecurityLevel;
  /** The namespace of the installation. */
  readonly liqoNamespace: string;
  readonly maps: CachedReader<NamespaceMap>;
  readonly namespaces: CachedReader<Namespace>;
  readonly bindings: CachedReader<RoleBinding>;
}

/** What the consumer's virtual kubelets may do in a namespace that was made for it. */
const tenantRole = 'liqo-virtual-kubelet-remote';

/** By the names at the consumer, which are data: `constructor` is a good name of a namespace. */
type CurrentMapping = Map<string, NamespaceMapping>;

/** One namespace that a NamespaceMap asks for. */
interface MapEntry {
  readonly wanted: WantedNamespace;
  readonly map: Stored<NamespaceMap>;
  /** What the NamespaceMap reports of it so far. */
  readonly before: NamespaceMapping | undefined;
  readonly granted: () => Promise<ReadonlySet<string>>;
}

export class NamespaceMapReconciler {
  readonly #world: NamespaceMapWorld;

  constructor(world: NamespaceMapWorld) {
    this.#world = world;
  }

  async reconcile(key: ObjectKey, { signal }: ReconcileContext): Promise<Outcome> {
    const { client, maps } = this.#world;
    const cached = maps.get(key);
    if (!cached) return this.#removeLeftovers(key, signal);
    if (cached.metadata.deletionTimestamp !== undefined) return this.#tearDown(cached, signal);
    const map = await ensureFinalizer(
      client,
      NamespaceMap,
      cached,
      finalizers.namespaceMap,
      signal,
    );
    return map ? this.#apply(map, signal) : done;
  }

  async #apply(map: Stored<NamespaceMap>, signal: AbortSignal): Promise<Outcome> {
    const { client } = this.#world;
    const current: CurrentMapping = new Map();
    const failures: unknown[] = [];
    const reported = reportedBy(map);
    const granted = once(() => listGrantedNamespaces(client, signal));
    for (const wanted of this.#wantedNamespaces(map)) {
      const before = reported.get(wanted.local);
      const mapping = await this.#ensure({ wanted, map, before, granted }, signal).catch(
        (error) => {
          failures.push(error);
          return before?.phase === 'Accepted' ? before : failed(wanted, error);
        },
      );
      current.set(wanted.local, mapping);
    }
    for (const shared of sharedNames(map)) {
      current.set(shared.local, refuseSharedName(shared.remote, shared.owner));
    }
    const going = await this.#removeUnwanted(map, current, failures, signal);
    for (const [local, mapping] of going) current.set(local, mapping);
    await writeStatus(client, NamespaceMap, map, statusOf(current), signal);
    if (failures.length > 0) throw failures[0];
    return whatToWaitFor(current);
  }

  /** Whose wish it is, the tenant namespace says: a consumer writes the labels of its map itself. */
  #wantedNamespaces(map: Stored<NamespaceMap>): readonly WantedNamespace[] {
    const { namespaces, podSecurity, liqoNamespace } = this.#world;
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
    return firstOfEachName(map).map(({ local, remote }) => ({
      local,
      remote,
      consumerClusterID,
      namespaceMapKey,
      podSecurity,
      liqoNamespace,
    }));
  }

  async #ensure(
    { wanted, map, before, granted }: MapEntry,
    signal: AbortSignal,
  ): Promise<NamespaceMapping> {
    const { client, bindings } = this.#world;
    const found = await this.#find(wanted.remote, signal);
    const step = planRemoteNamespace(wanted, found, before);
    if (step.type === 'refuse' || step.type === 'wait') return step.mapping;
    if (step.type === 'create' && (await granted()).has(wanted.remote)) {
      return refuseGrantedName(wanted.remote);
    }
    if (step.type === 'create') await createUnlessThere(client, step.namespace, wanted, signal);
    if (step.type === 'label') await this.#label(wanted.remote, found, step.labels, signal);
    const tenantNamespace = map.metadata.namespace ?? '';
    const binding = forgeTenantBinding(wanted, tenantNamespace, tenantRole);
    await ensureRoleBinding(client, bindings, binding, signal);
    return { remoteNamespace: wanted.remote, phase: 'Accepted' };
  }

  async #label(
    name: string,
    found: Stored<Namespace> | undefined,
    marks: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<void> {
    const uid = found?.metadata.uid ?? '';
    const change = mergePatch({ metadata: { uid, labels: marks } });
    await this.#world.client.patch(Namespace, { name }, change, signal);
  }

  async #find(name: string, signal: AbortSignal): Promise<Stored<Namespace> | undefined> {
    const { client, namespaces } = this.#world;
    return namespaces.get({ name }) ?? (await client.get(Namespace, { name }, signal));
  }

  /**
   * Deletes the namespaces of this map that nobody wants any more, and says which of them are still there. One that cannot be
   * deleted counts as still there, and does not keep the others.
   */
  async #removeUnwanted(
    map: Stored<NamespaceMap>,
    wanted: CurrentMapping,
    failures: unknown[],
    signal: AbortSignal,
  ): Promise<CurrentMapping> {
    const mapKey = keyString(map.metadata);
    const kept = new Set([...wanted.values()].map((mapping) => mapping.remoteNamespace));
    const lingers = (name: string) =>
      this.#remove(name, mapKey, signal).catch((error) => {
        failures.push(error);
        return true;
      });
    const going: CurrentMapping = new Map();
    const names = new Set(this.#namespacesOf(mapKey).map(({ metadata }) => metadata.name));
    for (const [local, mapping] of reportedBy(map)) {
      const { remoteNamespace = '' } = mapping;
      if (wanted.has(local) || kept.has(remoteNamespace)) continue;
      names.delete(remoteNamespace);
      if (await lingers(remoteNamespace))
        going.set(local, { remoteNamespace, phase: 'Terminating' });
    }
    for (const name of names) if (!kept.has(name)) await lingers(name);
    return going;
  }

  /** Whether it is still there afterwards. What is not of this map is left alone. */
  async #remove(name: string, namespaceMapKey: string, signal: AbortSignal): Promise<boolean> {
    const { client } = this.#world;
    const live = await client.get(Namespace, { name }, signal);
    if (!live || !isManagedBy(live, namespaceMapKey)) return false;
    if (live.metadata.deletionTimestamp !== undefined) return true;
    const preconditions = { uid: live.metadata.uid };
    return (await client.delete(Namespace, { name }, { preconditions, signal })) !== undefined;
  }

  async #tearDown(map: Stored<NamespaceMap>, signal: AbortSignal): Promise<Outcome> {
    const { client } = this.#world;
    if (!hasFinalizer(map, finalizers.namespaceMap)) return done;
    const failures: unknown[] = [];
    const current = await this.#removeUnwanted(map, new Map(), failures, signal);
    const written = await writeStatus(client, NamespaceMap, map, statusOf(current), signal);
    if (failures.length > 0) throw failures[0];
    if (current.size > 0) return whatToWaitFor(current);
    if (this.#namespacesOf(keyString(map.metadata)).length > 0) {
      return requeueAfter(1_000, 'waiting for the last namespaces of this map to be gone');
    }
    await removeFinalizer(client, NamespaceMap, written, finalizers.namespaceMap, signal);
    return done;
  }

  /** A map that went without its finalizer: by force. */
  async #removeLeftovers(key: ObjectKey, signal: AbortSignal): Promise<Outcome> {
    const leftovers = this.#namespacesOf(keyString(key));
    if (leftovers.length === 0) return done;
    if (!(await confirmAbsent(this.#world.client, NamespaceMap, key, signal))) return done;
    for (const { metadata } of leftovers) await this.#remove(metadata.name, keyString(key), signal);
    return done;
  }

  #namespacesOf(namespaceMapKey: string): readonly Stored<Namespace>[] {
    const { namespaces } = this.#world;
    return namespaces.list().filter((namespace) => isManagedBy(namespace, namespaceMapKey));
  }
}

function reportedBy({ status }: NamespaceMap): ReadonlyMap<string, NamespaceMapping> {
  return new Map(Object.entries(status?.currentMapping ?? {}));
}

function statusOf(current: CurrentMapping): NonNullable<NamespaceMap['status']> {
  return { currentMapping: Object.fromEntries(current) };
}

/** Called at most once, and only if the result is needed. */
function once<T>(read: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined;
  return () => {
    result ??= read();
    return result;
  };
}

/** However the creation ended: what counts is whether a namespace is there that is ours. */
async function createUnlessThere(
  client: Client,
  namespace: Namespace,
  wanted: WantedNamespace,
  signal: AbortSignal,
): Promise<void> {
  try {
    await client.create(Namespace, namespace, signal);
  } catch (error) {
    const live = await client.get(Namespace, { name: wanted.remote }, signal);
    if (!live || !isManagedBy(live, wanted.namespaceMapKey)) throw error;
  }
}

interface DesiredName {
  readonly local: string;
  readonly remote: string;
}

function desiredNames(map: NamespaceMap): readonly DesiredName[] {
  return Object.entries(map.spec?.desiredMapping ?? {})
    .map(([local, remote]) => ({ local, remote }))
    .sort((a, b) => (a.local < b.local ? -1 : 1));
}

function firstOfEachName(map: NamespaceMap): readonly DesiredName[] {
  const owners = ownersOfNames(map);
  return desiredNames(map).filter(({ local, remote }) => owners.get(remote) === local);
}

function sharedNames(map: NamespaceMap): readonly (DesiredName & { readonly owner: string })[] {
  const owners = ownersOfNames(map);
  return desiredNames(map).flatMap(({ local, remote }) => {
    const owner = owners.get(remote);
    return owner === undefined || owner === local ? [] : [{ local, remote, owner }];
  });
}

function ownersOfNames(map: NamespaceMap): ReadonlyMap<string, string> {
  const owners = new Map<string, string>();
  for (const { local, remote } of desiredNames(map)) {
    if (!owners.has(remote)) owners.set(remote, local);
  }
  return owners;
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
