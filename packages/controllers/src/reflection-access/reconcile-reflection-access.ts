import { fixedNames, labels, type NamespaceMap, type VirtualNode } from '@liqo/api';
import {
  type Client,
  type ClusterRole,
  type Namespace,
  type ObjectKey,
  RoleBinding,
} from '@liqo/kube';
import {
  customReflectionAccessName,
  forgeCustomReflectionAccess,
  forgeReflectionAccess,
  reflectionAccessName,
} from '@liqo/model';
import {
  type CachedReader,
  done,
  type Informer,
  type Outcome,
  type ReconcileContext,
  TerminalError,
} from '@liqo/runtime';
import { removeIfThere } from '../remove-if-there.ts';
import { ensureMade, ObjectTakenError } from '../virtual-nodes/ensure-made.ts';

export interface ReflectionAccessOptions {
  readonly client: Client;
  readonly liqoNamespace: string;
  readonly namespaces: CachedReader<Namespace>;
  /** What this cluster asks of its providers. */
  readonly maps: CachedReader<NamespaceMap>;
  readonly virtualNodes: CachedReader<VirtualNode>;
  readonly bindings: Informer<RoleBinding>;
  /** That an administrator has created for custom resources. */
  readonly customRoles: CachedReader<ClusterRole>;
}

/** Grants the virtual kubelets of one provider what they read in one namespace, and withdraws it. */
export class ReflectionAccessReconciler {
  readonly #options: ReflectionAccessOptions;

  constructor(options: ReflectionAccessOptions) {
    this.#options = options;
  }

  /** The key is the namespace, with the ID of the provider for a name. */
  async reconcile(key: ObjectKey, run: ReconcileContext): Promise<Outcome> {
    const { namespace = '', name: providerClusterID } = key;
    const { liqoNamespace, namespaces, maps, virtualNodes, customRoles } = this.#options;
    const facts = {
      providerClusterID,
      liqoNamespace,
      namespace: namespaces.get({ name: namespace }),
      maps: maps
        .list()
        .filter(
          ({ metadata }) => metadata.labels?.[labels.replicationDestination] === providerClusterID,
        ),
      virtualNodes: virtualNodes.list().filter(({ spec }) => spec.clusterID === providerClusterID),
    };
    const customRole = customRoles.get({ name: fixedNames.customReflectionRole });
    const access = forgeReflectionAccess(facts);
    const customAccess = forgeCustomReflectionAccess(facts, customRole);
    await this.#make({ namespace, name: reflectionAccessName(providerClusterID) }, access, run);
    const customName = customReflectionAccessName(providerClusterID);
    await this.#make({ namespace, name: customName }, customAccess, run);
    return done;
  }

  async #make(
    key: ObjectKey,
    wanted: RoleBinding | undefined,
    run: ReconcileContext,
  ): Promise<void> {
    const { client, bindings } = this.#options;
    if (wanted) return this.#grant(wanted, run);
    const existing = bindings.get(key);
    if (existing) await removeIfThere(client, RoleBinding, existing, { signal: run.signal });
  }

  async #grant(wanted: RoleBinding, run: ReconcileContext): Promise<void> {
    const { client, bindings } = this.#options;
    try {
      await ensureMade(client, { kind: RoleBinding, made: bindings, wanted }, run);
    } catch (error) {
      if (!(error instanceof ObjectTakenError)) throw error;
      const message = `Cannot let virtual kubelets read what they reflect: ${error.message}: delete it`;
      throw new TerminalError(message, { reason: 'AccessTaken', cause: error });
    }
  }
}
