import { fixedNames } from '@liqo/api';
import {
  type Client,
  type ClusterRole,
  mergePatch,
  Namespace,
  RoleBinding,
  type Stored,
} from '@liqo/kube';
import {
  customTenantBindingName,
  forgeCustomTenantBinding,
  forgeTenantBinding,
  grantsAnything,
  isManagedBy,
  type NamespaceMapping,
  planRemoteNamespace,
  refuseBeyondLimit,
  refuseGrantedName,
  refuseUnlistedName,
  type TenantLimits,
  type WantedNamespace,
} from '@liqo/model';
import type { CachedReader, Informer, ReconcileContext } from '@liqo/runtime';
import { removeIfThere } from '../remove-if-there.ts';
import { ensureRoleBinding, isBindingInPlace } from './ensure-role-binding.ts';
import { listGrantedNamespaces } from './list-granted-namespaces.ts';

export interface NamespaceMakerContext {
  readonly client: Client;
  readonly tenantLimits: TenantLimits;
  /** The names that consumers may have, `<consumer>` being the cluster ID of each. */
  readonly namespacePatterns: readonly string[];
  readonly namespaces: Informer<Namespace>;
  readonly bindings: Informer<RoleBinding>;
  /** That an administrator has created for custom resources. */
  readonly customRoles: CachedReader<ClusterRole>;
}

/** For one turn of one NamespaceMap. */
interface MakerContext extends NamespaceMakerContext {
  readonly tenantNamespace: string;
  /** How many more namespaces the consumer may have. */
  readonly room: number;
  readonly run: ReconcileContext;
}

/** What the consumer's virtual kubelets may do in a namespace that was made for it. */
const tenantRole = 'liqo-virtual-kubelet-remote';

/** Makes namespaces that a NamespaceMap asks for. */
export class NamespaceMaker {
  readonly #context: MakerContext;
  #room: number;
  #granted: Promise<ReadonlySet<string>> | undefined;

  constructor(context: MakerContext) {
    this.#context = context;
    this.#room = context.room;
  }

  /** What there is to report, if the caches alone can tell: no call is made. */
  settled(
    wanted: WantedNamespace,
    before: NamespaceMapping | undefined,
  ): NamespaceMapping | undefined {
    const { namespaces, bindings, tenantLimits, namespacePatterns } = this.#context;
    const step = planRemoteNamespace(wanted, namespaces.get({ name: wanted.remote }), before);
    if (step.type === 'refuse' || step.type === 'wait') return step.mapping;
    if (step.type === 'create' && !wasAccepted(wanted, before)) {
      const unlisted = refuseUnlistedName(wanted, namespacePatterns);
      if (unlisted) return unlisted;
      if (this.#room <= 0) return refuseBeyondLimit(wanted.remote, tenantLimits);
    }
    const isThere = step.type === 'keep' && isBindingInPlace(bindings, this.#binding(wanted));
    return isThere && this.#isCustomBindingSettled(wanted) ? accepted(wanted) : undefined;
  }

  /** Takes every step that is left, and gives back what there is to report. */
  async make(
    wanted: WantedNamespace,
    before: NamespaceMapping | undefined,
  ): Promise<NamespaceMapping> {
    const { client, bindings, run } = this.#context;
    const found = await this.#find(wanted.remote);
    const step = planRemoteNamespace(wanted, found, before);
    if (step.type === 'refuse' || step.type === 'wait') return step.mapping;
    if (step.type === 'create') {
      const problem = await this.#whyNot(wanted);
      if (problem) return problem;
      await this.#create(step.namespace, wanted);
    }
    if (step.type === 'label') await this.#label(wanted.remote, found, step.labels);
    const binding = await ensureRoleBinding(client, bindings, this.#binding(wanted), run.signal);
    if (binding) run.wrote(bindings, binding);
    await this.#settleCustomBinding(wanted);
    return accepted(wanted);
  }

  #isCustomBindingSettled(wanted: WantedNamespace): boolean {
    const { bindings, tenantNamespace } = this.#context;
    if (!this.#allowsCustomResources) return this.#customBinding(wanted) === undefined;
    return isBindingInPlace(bindings, forgeCustomTenantBinding(wanted, tenantNamespace));
  }

  async #settleCustomBinding(wanted: WantedNamespace): Promise<void> {
    const { client, bindings, tenantNamespace, run } = this.#context;
    if (this.#allowsCustomResources) {
      const binding = forgeCustomTenantBinding(wanted, tenantNamespace);
      const made = await ensureRoleBinding(client, bindings, binding, run.signal);
      if (made) run.wrote(bindings, made);
      return;
    }
    const existing = this.#customBinding(wanted);
    if (existing) await removeIfThere(client, RoleBinding, existing, { signal: run.signal });
  }

  #customBinding({ remote }: WantedNamespace): Stored<RoleBinding> | undefined {
    const { bindings, tenantNamespace } = this.#context;
    return bindings.get({ namespace: remote, name: customTenantBindingName(tenantNamespace) });
  }

  get #allowsCustomResources(): boolean {
    return grantsAnything(this.#context.customRoles.get({ name: fixedNames.customRemoteRole }));
  }

  async #whyNot(wanted: WantedNamespace): Promise<NamespaceMapping | undefined> {
    const { client, tenantLimits, namespacePatterns, run } = this.#context;
    const { remote } = wanted;
    const unlisted = refuseUnlistedName(wanted, namespacePatterns);
    if (unlisted) return unlisted;
    if (this.#room <= 0) return refuseBeyondLimit(remote, tenantLimits);
    this.#granted ??= listGrantedNamespaces(client, run.signal);
    return (await this.#granted).has(remote) ? refuseGrantedName(remote) : undefined;
  }

  #binding(wanted: WantedNamespace): RoleBinding {
    return forgeTenantBinding(wanted, this.#context.tenantNamespace, tenantRole);
  }

  async #find(name: string): Promise<Stored<Namespace> | undefined> {
    const { client, namespaces, run } = this.#context;
    return namespaces.get({ name }) ?? (await client.get(Namespace, { name }, run.signal));
  }

  /** However the creation ended: what counts is whether a namespace is there that is ours. */
  async #create(namespace: Namespace, wanted: WantedNamespace): Promise<void> {
    const { client, namespaces, run } = this.#context;
    try {
      run.wrote(namespaces, await client.create(Namespace, namespace, run.signal));
    } catch (error) {
      const live = await client.get(Namespace, { name: wanted.remote }, run.signal);
      if (!live || !isManagedBy(live, wanted.namespaceMapKey)) throw error;
    }
    this.#room -= 1;
  }

  async #label(
    name: string,
    found: Stored<Namespace> | undefined,
    marks: Readonly<Record<string, string>>,
  ): Promise<void> {
    const { client, namespaces, run } = this.#context;
    const uid = found?.metadata.uid ?? '';
    const change = mergePatch({ metadata: { uid, labels: marks } });
    run.wrote(namespaces, await client.patch(Namespace, { name }, change, run.signal));
  }
}

function accepted({ remote }: WantedNamespace): NamespaceMapping {
  return { remoteNamespace: remote, phase: 'Accepted' };
}

/** It may exist without our label, and so not be in the cache. */
function wasAccepted({ remote }: WantedNamespace, before: NamespaceMapping | undefined): boolean {
  return before?.phase === 'Accepted' && before.remoteNamespace === remote;
}
