import { finalizers, fixedNames } from '@liqo/api';
import {
  type Client,
  isAlreadyExists,
  keyOf,
  Namespace,
  type ObjectKey,
  RoleBinding,
  Secret,
  type Stored,
} from '@liqo/kube';
import { forgeTenantAccess, isTenantNamespace, planTenantAccess } from '@liqo/model';
import {
  type CachedReader,
  done,
  hasFinalizer,
  type Informer,
  type Outcome,
  type ReconcileContext,
  removeFinalizer,
  requeueAfter,
  TerminalError,
} from '@liqo/runtime';
import { removeIfThere } from '../remove-if-there.ts';

export interface TenantAccessOptions {
  readonly client: Client;
  readonly liqoNamespace: string;
  /** Tenant namespaces only. */
  readonly namespaces: CachedReader<Namespace>;
  readonly bindings: Informer<RoleBinding>;
}

const lookAgainMs = 5_000;

/** Grants the controllers their rights on the Secrets of one tenant namespace, and withdraws them. */
export class TenantAccessReconciler {
  readonly #options: TenantAccessOptions;

  constructor(options: TenantAccessOptions) {
    this.#options = options;
  }

  /** The key is that of the namespace. */
  async reconcile({ name }: ObjectKey, run: ReconcileContext): Promise<Outcome> {
    const { namespaces, bindings } = this.#options;
    const namespace = namespaces.get({ name });
    const key = { namespace: name, name: fixedNames.controllerManagerTenantRole };
    const binding = bindings.get(key);
    if (namespace && namespace.metadata.deletionTimestamp === undefined) {
      return this.#grant(name, binding, run);
    }
    return binding ? this.#withdraw(name, binding, run.signal) : done;
  }

  async #grant(
    namespace: string,
    existing: Stored<RoleBinding> | undefined,
    { signal, wrote }: ReconcileContext,
  ): Promise<Outcome> {
    const { client, liqoNamespace, bindings } = this.#options;
    const wanted = forgeTenantAccess(namespace, liqoNamespace);
    const step = planTenantAccess(wanted, existing);
    if (step.type === 'refuse') throw new TerminalError(step.message, { reason: 'AccessTaken' });
    if (step.type === 'create') {
      const created = await this.#create(wanted, signal);
      if (created) wrote(bindings, created);
    }
    if (step.type === 'update' && existing) {
      const metadata = { ...existing.metadata, finalizers: withOurs(existing) };
      const restored = { ...existing, metadata, subjects: wanted.subjects ?? [] };
      wrote(bindings, await client.update(RoleBinding, restored, signal));
    }
    if (step.type === 'release' && existing) await this.#release(existing, signal);
    return done;
  }

  /** A cache that is behind shows nothing where there is a binding: its event leads here again. */
  async #create(
    wanted: RoleBinding,
    signal: AbortSignal,
  ): Promise<Stored<RoleBinding> | undefined> {
    try {
      return await this.#options.client.create(RoleBinding, wanted, signal);
    } catch (error) {
      if (isAlreadyExists(error)) return undefined;
      throw error;
    }
  }

  /** While the namespace is being deleted, replication releases the Secrets. Otherwise they are no longer used by it. */
  async #withdraw(
    name: string,
    cached: Stored<RoleBinding>,
    signal: AbortSignal,
  ): Promise<Outcome> {
    const { client } = this.#options;
    // A cache may still show the binding after its rights have ended.
    const binding = await client.get(RoleBinding, keyOf(cached), signal);
    if (!binding || !hasFinalizer(binding, finalizers.tenantAccess)) return done;
    const live = await client.get(Namespace, { name }, signal);
    if (!live) return done;
    const isGoing = live.metadata.deletionTimestamp !== undefined;
    if (isTenantNamespace(live) && !isGoing) {
      return requeueAfter(lookAgainMs, 'waiting for the cache of namespaces');
    }
    const { items } = await client.list(Secret, { namespace: name, signal });
    const held = items.filter((secret) => hasFinalizer(secret, finalizers.replicator));
    if (held.length > 0 && isGoing && isTenantNamespace(live)) {
      const message = `waiting for ${held.length} Secrets to be released before the rights on them go`;
      return requeueAfter(lookAgainMs, message);
    }
    for (const secret of held) {
      await removeFinalizer(client, Secret, secret, finalizers.replicator, signal);
    }
    if (binding.metadata.deletionTimestamp === undefined) {
      await removeIfThere(client, RoleBinding, binding, { signal });
    }
    await this.#release(binding, signal);
    return done;
  }

  async #release(binding: Stored<RoleBinding>, signal: AbortSignal): Promise<void> {
    const { client } = this.#options;
    await removeFinalizer(client, RoleBinding, binding, finalizers.tenantAccess, signal);
  }
}

function withOurs({ metadata }: Stored<RoleBinding>): string[] {
  return [...new Set([...(metadata.finalizers ?? []), finalizers.tenantAccess])];
}
