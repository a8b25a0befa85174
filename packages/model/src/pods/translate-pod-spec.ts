import { annotations, fixedNames, type OffloadingPatch } from '@liqo/api';
import type { Pod, Stored } from '@liqo/kube';
import {
  type ApiServerAccess,
  apiServerAccess,
  type ConsumerApiServer,
} from './api-server-access.ts';
import { withoutFates } from './field-rule.ts';
import { translateSpread } from './merged-label-keys.ts';
import type { PodSpec } from './pod-spec.ts';
import { podSpecFields } from './pod-spec-fields.ts';
import { translateAffinity } from './translate-affinity.ts';
import { translateContainers } from './translate-containers.ts';
import { translateTolerations } from './translate-tolerations.ts';
import { translateVolumes } from './translate-volumes.ts';

/** The way of the pods of one namespace through one virtual node. */
export interface PodRoute {
  readonly consumerClusterID: string;
  readonly providerClusterID: string;
  /** Of the virtual node. */
  readonly nodeName: string;
  /** The namespace at the provider. */
  readonly remoteNamespace: string;
  readonly offloadingPatch?: OffloadingPatch;
  /** Absent when pods at the provider are not to reach it. */
  readonly consumerApiServer?: ConsumerApiServer;
}

/**
 * The spec that a pod has at the provider: its own, but for what the table of fields says. A field that the table does
 * not know is copied, so that what Kubernetes adds tomorrow works tomorrow.
 */
export function translatePodSpec(pod: Stored<Pod>, route: PodRoute): PodSpec {
  const { spec = { containers: [] } } = pod;
  const access = apiServerAccess(pod, route.consumerApiServer);
  return {
    ...withoutFates(spec, podSpecFields, ['removed', 'translated']),
    ...translateWork(pod, spec, { route, access }),
    ...translatePlacement(pod, spec, route.offloadingPatch),
    ...translateIdentity(spec, access),
  };
}

interface Translation {
  readonly route: PodRoute;
  readonly access: ApiServerAccess;
}

type Part<Field extends keyof PodSpec> = Partial<Pick<PodSpec, Field>>;

function translateWork(
  pod: Stored<Pod>,
  spec: PodSpec,
  { route, access }: Translation,
): Pick<PodSpec, 'containers'> & Part<'hostAliases' | 'initContainers' | 'volumes'> {
  const { initContainers, volumes } = spec;
  const podName = pod.metadata.name;
  const { consumerClusterID } = route;
  const hostAliases = translateHostAliases(spec, access);
  return {
    containers: translateContainers(spec.containers, spec, access),
    ...(initContainers && { initContainers: translateContainers(initContainers, spec, access) }),
    ...(volumes && { volumes: translateVolumes(volumes, { podName, consumerClusterID, access }) }),
    ...(hostAliases && { hostAliases }),
  };
}

function translateHostAliases(
  { hostAliases }: PodSpec,
  access: ApiServerAccess,
): PodSpec['hostAliases'] | undefined {
  const ip = access.type === 'consumer' ? access.server.aliasIP : undefined;
  if (ip === undefined) return hostAliases;
  const hostnames = ['kubernetes.default', 'kubernetes.default.svc'];
  return [...(hostAliases ?? []), { ip, hostnames }];
}

type Placement =
  | 'affinity'
  | 'nodeSelector'
  | 'runtimeClassName'
  | 'tolerations'
  | 'topologySpreadConstraints';

function translatePlacement(
  pod: Pod,
  spec: PodSpec,
  patch: OffloadingPatch | undefined,
): Part<Placement> {
  const affinity = translateAffinity(pod, patch);
  const runtimeClassName = translateRuntimeClass(pod, spec, patch);
  const topologySpreadConstraints = translateSpread(spec.topologySpreadConstraints);
  const tolerations = translateTolerations(spec.tolerations, patch?.tolerations);
  return {
    ...(affinity && { affinity }),
    ...(patch?.nodeSelector && { nodeSelector: { ...patch.nodeSelector } }),
    ...(runtimeClassName && { runtimeClassName }),
    ...(tolerations.length > 0 && { tolerations }),
    ...(topologySpreadConstraints && { topologySpreadConstraints }),
  };
}

/** `liqo` is the class that brings pods to virtual nodes: no node over there runs it. */
function translateRuntimeClass(
  pod: Pod,
  spec: PodSpec,
  patch: OffloadingPatch | undefined,
): string | undefined {
  const chosen = pod.metadata?.annotations?.[annotations.remoteRuntimeClassName];
  if (chosen) return chosen;
  const names = [spec.runtimeClassName, patch?.runtimeClassName];
  return names.find((name) => name && name !== fixedNames.runtimeClass);
}

function translateIdentity(
  { automountServiceAccountToken }: PodSpec,
  access: ApiServerAccess,
): Part<'automountServiceAccountToken' | 'serviceAccountName'> {
  if (access.type !== 'provider') return { automountServiceAccountToken: false };
  const { serviceAccountName } = access;
  return {
    automountServiceAccountToken: automountServiceAccountToken ?? true,
    ...(serviceAccountName && { serviceAccountName }),
  };
}
