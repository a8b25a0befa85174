import { annotations, labels } from '@liqo/api';
import {
  type Node,
  ownMember,
  type PersistentVolume,
  PersistentVolumeClaim,
  type Stored,
} from '@liqo/kube';
import { describeNode } from './endpoint-slice.ts';
import { isSkippedExplicitly } from './is-skipped.ts';
import { chooseOfferedClass } from './offered-class.ts';
import { planReflection, type ReflectionPlan, type ReflectionStep } from './plan-reflection.ts';
import { isReflectedCopy, type ReflectionRoute } from './reflection-route.ts';

type Claim = Stored<PersistentVolumeClaim>;
type ClaimSpec = NonNullable<PersistentVolumeClaim['spec']>;

/** What decides about the copy of a claim besides the two claims, as caches show it. */
export interface ClaimFacts {
  readonly nodeOf: (name: string) => Stored<Node> | undefined;
  /** Of the volumes that stand for claims at the provider. */
  readonly volumeOf: (name: string) => Stored<PersistentVolume> | undefined;
}

/** Who makes the volumes of a class whose claims are bound at providers. */
export const storageProvisioner = 'liqo.io/storage';

const provisionerKeys = [
  'volume.kubernetes.io/storage-provisioner',
  'volume.beta.kubernetes.io/storage-provisioner',
];
const selectedNode = 'volume.kubernetes.io/selected-node';

/** Between Kubernetes and the provisioners of the consumer: the provider has its own. */
const ofTheConsumer = [
  ...provisionerKeys,
  selectedNode,
  'pv.kubernetes.io/bind-completed',
  'pv.kubernetes.io/bound-by-controller',
  annotations.claimUid,
];

const modes: readonly string[] = [
  'ReadOnlyMany',
  'ReadWriteMany',
  'ReadWriteOnce',
  'ReadWriteOncePod',
];

const planWritten = planReflection<PersistentVolumeClaim>({
  kind: PersistentVolumeClaim,
  annotationsNotReflected: ofTheConsumer,
  annotations: (local) => ({ [annotations.claimUid]: local.metadata.uid }),
  isSkipped: () => false,
  forge: (local, route, remote) => ({ spec: forgeSpec(local, route, remote) }),
});

/**
 * A claim whose first pod runs at the provider gets its storage there. Its copy is data of the user: it is deleted only once
 * the claim is gone and the volume that stands for it says that it may be; nothing else removes it.
 */
export function planClaim(facts: ClaimFacts): ReflectionPlan<PersistentVolumeClaim> {
  return (local, remote, route) => {
    const ours = remote && isReflectedCopy(remote, route) ? remote : undefined;
    const isOfAnother = local !== undefined && ours !== undefined && !isCopyOf(ours, local);
    if (!local || isOfAnother) {
      if (ours && mayDelete(ours, facts)) return { type: 'delete', remote: ours };
      if (!isOfAnother) return { type: 'nothing' };
    }
    if (!local || !isAtProvider(local, route, facts) || isSkippedExplicitly(local)) {
      return { type: 'nothing' };
    }
    if (isOfAnother) {
      const isGoing = ours.metadata.deletionTimestamp !== undefined;
      return isGoing ? { type: 'nothing' } : refuse(local, route, keptData);
    }
    const problem = whyNotReflected(local, route);
    return problem === undefined
      ? planWritten(local, remote, route)
      : refuse(local, route, problem);
  };
}

/** Whether the copy was made for this very claim. One without the annotation was made by Liqo. */
export function isCopyOf(remote: Claim, { metadata }: Claim): boolean {
  const uid = ownMember(remote.metadata.annotations, annotations.claimUid);
  return uid === undefined || uid === metadata.uid;
}

/** Whether the claim is bound at the provider, or is to be: there is its volume, or the Node that was chosen for its pod. */
export function isAtProvider(
  { metadata, spec }: Claim,
  { providerClusterID }: Pick<ReflectionRoute, 'providerClusterID'>,
  { nodeOf, volumeOf }: ClaimFacts,
): boolean {
  if (metadata.deletionTimestamp !== undefined) return false;
  const isOfLiqo = provisionerKeys.some(
    (key) => ownMember(metadata.annotations, key) === storageProvisioner,
  );
  if (!isOfLiqo) return false;
  if (spec?.volumeName) return volumeOf(spec.volumeName) !== undefined;
  const node = describeNode(nodeOf(ownMember(metadata.annotations, selectedNode) ?? ''));
  return node.type === 'virtual' && node.providerClusterID === providerClusterID;
}

/** While the volume is there, and as long as nothing else is said of it, Kubernetes keeps what it holds. */
function mayDelete(remote: Claim, { volumeOf }: ClaimFacts): boolean {
  if (remote.metadata.deletionTimestamp !== undefined) return false;
  const uid = ownMember(remote.metadata.annotations, annotations.claimUid);
  const volume = uid === undefined ? undefined : volumeOf(volumeName(uid));
  return volume !== undefined && isToBeDeleted(volume);
}

export function volumeName(claimUid: string): string {
  return `pvc-${claimUid}`;
}

/** Whether its claim is gone, and its data is to go as well. */
export function isToBeDeleted({ metadata, spec, status }: Stored<PersistentVolume>): boolean {
  return (
    metadata.deletionTimestamp === undefined &&
    status?.phase === 'Released' &&
    spec?.persistentVolumeReclaimPolicy === 'Delete'
  );
}

function whyNotReflected(
  { metadata, spec }: Claim,
  { offered }: ReflectionRoute,
): string | undefined {
  if (spec?.dataSource || spec?.dataSourceRef) {
    return 'its data source is in this cluster, and its volume is not';
  }
  const chosen = ownMember(metadata.annotations, annotations.remoteStorageClass);
  if (!chosen && !offered?.storageClasses?.length) return 'the provider offers no storage class';
  const unknown = remoteModes(metadata)?.find((mode) => !modes.includes(mode));
  return unknown === undefined
    ? undefined
    : `annotation ${annotations.remoteAccessModes} has "${unknown.slice(0, 40)}", which is no access mode`;
}

const keptData =
  'the provider has kept the data of an earlier claim of that name: rename this one, or delete the one there';

function refuse(
  { metadata }: Claim,
  { providerClusterID }: ReflectionRoute,
  problem: string,
): ReflectionStep<never> {
  const message = `Cannot reflect PersistentVolumeClaim "${metadata.name}" to provider "${providerClusterID}": ${problem}`;
  return { type: 'refuse', reason: 'FailedReflection', message };
}

function forgeSpec(
  { metadata, spec = {} }: Claim,
  route: ReflectionRoute,
  remote?: Claim,
): ClaimSpec {
  const { accessModes = [], volumeMode = 'Filesystem', resources } = spec;
  const storageClassName = classOf(metadata, route, remote);
  return {
    accessModes: [...(remoteModes(metadata) ?? accessModes)],
    volumeMode,
    ...(resources && { resources }),
    ...(storageClassName && { storageClassName }),
  };
}

/** The class of a claim never changes. The virtual class has no meaning at the provider. */
function classOf(
  metadata: Claim['metadata'],
  { offered }: ReflectionRoute,
  remote: Claim | undefined,
): string | undefined {
  const current = remote?.spec?.storageClassName;
  if (current) return current;
  const chosen = ownMember(metadata.annotations, annotations.remoteStorageClass);
  if (chosen) return chosen;
  const classes = offered?.storageClasses?.map(({ storageClassName, ...one }) => ({
    ...one,
    name: storageClassName,
  }));
  return chooseOfferedClass(undefined, classes ?? []);
}

function remoteModes({ annotations: notes }: Claim['metadata']): readonly string[] | undefined {
  return ownMember(notes, annotations.remoteAccessModes)
    ?.split(',')
    .map((mode) => mode.trim());
}

/** What stands for storage at the provider: pods that use it get no other Nodes than those of the provider. */
export function forgeClaimVolume(
  { metadata, spec = {} }: Claim,
  { providerClusterID }: Pick<ReflectionRoute, 'providerClusterID'>,
  reclaimPolicy = 'Delete',
): PersistentVolume {
  const { accessModes = [], volumeMode, resources, storageClassName } = spec;
  const storage = resources?.requests?.storage;
  const { namespace = '', name, uid } = metadata;
  const provider = { key: labels.remoteClusterID, operator: 'In', values: [providerClusterID] };
  return {
    metadata: {
      name: volumeName(uid),
      labels: { [labels.remoteClusterID]: providerClusterID, [labels.managed]: 'true' },
      annotations: { 'pv.kubernetes.io/provisioned-by': storageProvisioner },
    },
    spec: {
      ...(storage !== undefined && { capacity: { storage } }),
      accessModes,
      ...(volumeMode && { volumeMode }),
      ...(storageClassName && { storageClassName }),
      hostPath: { path: placeholderPath },
      nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions: [provider] }] } },
      claimRef: { apiVersion: 'v1', kind: 'PersistentVolumeClaim', namespace, name, uid },
      persistentVolumeReclaimPolicy: reclaimPolicy,
    },
  };
}

/** No pod mounts it: the volume is usable on virtual nodes only. */
export const placeholderPath = '/tmp/liqo-placeholder';
