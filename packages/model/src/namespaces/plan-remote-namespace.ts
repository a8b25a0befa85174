import { annotations, fixedNames, labels, type NamespaceMap } from '@liqo/api';
import { checkDnsLabel, type Namespace, oneLine, type RoleBinding, type Stored } from '@liqo/kube';
import { isReservedAtProvider } from './reserved-namespaces.ts';

export type NamespaceMapping = NonNullable<
  NonNullable<NamespaceMap['status']>['currentMapping']
>[string];

/** A level of Kubernetes' Pod Security Standards. */
export type PodSecurityLevel = 'privileged' | 'baseline' | 'restricted';

/** A namespace that a consumer wants here, and whose wish it is. */
export interface WantedNamespace {
  /** Its name at the consumer, and here. */
  readonly local: string;
  readonly remote: string;
  readonly consumerClusterID: string;
  /** `<tenant namespace>/<name>` of the NamespaceMap: what says in the namespace that it is ours. */
  readonly namespaceMapKey: string;
  readonly podSecurity: PodSecurityLevel;
  /** The namespace of the installation here. */
  readonly liqoNamespace: string;
}

export type RemoteNamespaceStep =
  | { readonly type: 'create'; readonly namespace: Namespace }
  /** Somebody took our labels off: without them nobody knows for whom it was made. */
  | { readonly type: 'label'; readonly labels: Readonly<Record<string, string>> }
  | { readonly type: 'keep' }
  | { readonly type: 'wait'; readonly mapping: NamespaceMapping }
  | { readonly type: 'refuse'; readonly mapping: NamespaceMapping };

/**
 * The next step towards a namespace that is wanted. A foreign namespace is never taken over. `before` is what the
 * NamespaceMap reports so far.
 */
export function planRemoteNamespace(
  wanted: WantedNamespace,
  existing: Stored<Namespace> | undefined,
  before?: NamespaceMapping,
): RemoteNamespaceStep {
  const { remote } = wanted;
  const [fault] = checkDnsLabel(remote);
  if (fault !== undefined) {
    return refuse(remote, 'InvalidName', `No namespace can have this name: it ${fault}`);
  }
  if (isReservedAtProvider(remote, wanted.liqoNamespace)) {
    return refuse(remote, 'ReservedName', `The provider keeps the name "${remote}" for itself`);
  }
  if (!existing) return { type: 'create', namespace: forgeRemoteNamespace(wanted) };
  if (!isManagedBy(existing, wanted.namespaceMapKey)) {
    const message = `The namespace "${remote}" exists and was not made for this consumer`;
    return refuse(remote, 'NamespaceTaken', message);
  }
  if (existing.metadata.deletionTimestamp === undefined) return keepLabelled(wanted, existing);
  return { type: 'wait', mapping: awaitDeletion(remote, before) };
}

/**
 * An accepted namespace that was deleted stays accepted, since it is created again: the virtual kubelet of Liqo v1.2
 * fails every pod of a namespace that is reported as Terminating. The reason tells consumers of ours.
 */
function awaitDeletion(remote: string, before: NamespaceMapping | undefined): NamespaceMapping {
  const isAccepted = before?.phase === 'Accepted' && before.remoteNamespace === remote;
  return {
    remoteNamespace: remote,
    phase: isAccepted ? 'Accepted' : 'Terminating',
    reason: beingDeleted,
    message: `The namespace "${remote}" is being deleted; it is created again when that is done`,
  };
}

/** The reason in a NamespaceMap for a wanted namespace that is being deleted. */
const beingDeleted = 'Terminating';

/** Whether a namespace of a NamespaceMap is being deleted, wanted or not. */
export function isBeingDeleted({ phase, reason }: NamespaceMapping): boolean {
  return phase === 'Terminating' || reason === beingDeleted;
}

/** The Pod Security level is not put back: the provider may have chosen another one for this namespace. */
function keepLabelled(
  { consumerClusterID }: WantedNamespace,
  { metadata }: Stored<Namespace>,
): RemoteNamespaceStep {
  if (metadata.labels?.[labels.remoteClusterID] === consumerClusterID) return { type: 'keep' };
  return { type: 'label', labels: { [labels.remoteClusterID]: consumerClusterID } };
}

/** Whether a namespace was made for this NamespaceMap. Only such a one may be deleted with it. */
export function isManagedBy(namespace: Namespace, namespaceMapKey: string): boolean {
  return namespace.metadata?.annotations?.[annotations.managedByNamespaceMap] === namespaceMapKey;
}

/** Several names of the consumer for one name here: the first in the alphabet has it. */
export function refuseSharedName(remote: string, owner: string): NamespaceMapping {
  const message = `"${remote}" is also wanted for the namespace "${owner}" of this consumer`;
  return refusal(remote, 'NameCollision', message);
}

/** A consumer that has the namespace has its ServiceAccounts, and so their rights. */
export function refuseGrantedName(remote: string): NamespaceMapping {
  const message =
    `The provider grants rights to ServiceAccounts of "${remote}", so no consumer may have that namespace: ` +
    'choose another name';
  return refusal(remote, 'NameGranted', message);
}

export function refusal(remote: string, reason: string, message: string): NamespaceMapping {
  const phase = 'CreationLoopBackOff';
  return { remoteNamespace: remote, phase, reason, message: oneLine(message) };
}

/** What lets the virtual kubelets of a consumer work in a namespace that was made for it. */
export function forgeTenantBinding(
  wanted: WantedNamespace,
  tenantNamespace: string,
  clusterRole: string,
): RoleBinding {
  return {
    metadata: {
      name: tenantNamespace,
      namespace: wanted.remote,
      labels: {
        'app.kubernetes.io/managed-by': 'liqo',
        [labels.remoteClusterID]: wanted.consumerClusterID,
      },
      annotations: { [annotations.managedByNamespaceMap]: wanted.namespaceMapKey },
    },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: clusterRole },
    subjects: [
      {
        apiGroup: 'rbac.authorization.k8s.io',
        kind: 'Group',
        name: wanted.consumerClusterID,
      },
    ],
  };
}

/** The same for custom resources that the provider lets consumers have. */
export function forgeCustomTenantBinding(
  wanted: WantedNamespace,
  tenantNamespace: string,
): RoleBinding {
  const binding = forgeTenantBinding(wanted, tenantNamespace, fixedNames.customRemoteRole);
  const name = customTenantBindingName(tenantNamespace);
  return { ...binding, metadata: { ...binding.metadata, name } };
}

export function customTenantBindingName(tenantNamespace: string): string {
  return `${tenantNamespace}-custom`;
}

function forgeRemoteNamespace(wanted: WantedNamespace): Namespace {
  const { consumerClusterID, podSecurity } = wanted;
  return {
    metadata: {
      name: wanted.remote,
      labels: {
        [labels.remoteClusterID]: consumerClusterID,
        'pod-security.kubernetes.io/enforce': podSecurity,
      },
      annotations: {
        [annotations.managedByNamespaceMap]: wanted.namespaceMapKey,
        [annotations.originalName]: wanted.local,
      },
    },
  };
}

function refuse(remote: string, reason: string, message: string): RemoteNamespaceStep {
  return { type: 'refuse', mapping: refusal(remote, reason, message) };
}
