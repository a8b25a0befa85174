import type { Container, Pod, PodSpec, Volume } from 'kubernetes-types/core/v1.d.ts';

/** An object that a kubelet needs in order to run a pod: `secrets/<namespace>/<name>`. */
export type Reference = `${string}/${string}/${string}`;

export function reference(plural: string, namespace: string, name: string): Reference {
  return `${plural}/${namespace}/${name}`;
}

const mirrorAnnotation = 'kubernetes.io/config.mirror';

/** The pod itself and all that it refers to. A mirror pod, which a node makes itself, gives rights to nothing else. */
export function podReferences(pod: Pod): Set<Reference> {
  const { namespace = '', name = '', annotations } = pod.metadata ?? {};
  const found = new Set([reference('pods', namespace, name)]);
  const { spec } = pod;
  if (!spec || annotations?.[mirrorAnnotation] !== undefined) return found;
  const account = spec.serviceAccountName;
  if (account) found.add(reference('serviceaccounts', namespace, account));
  for (const secret of secretsOf(spec)) found.add(reference('secrets', namespace, secret));
  for (const map of configMapsOf(spec)) found.add(reference('configmaps', namespace, map));
  for (const claim of claimsOf(spec, name)) {
    found.add(reference('persistentvolumeclaims', namespace, claim));
  }
  return found;
}

function secretsOf(spec: PodSpec): string[] {
  const environments = containersOf(spec).flatMap(({ env = [], envFrom = [] }) => [
    ...env.map(({ valueFrom }) => valueFrom?.secretKeyRef?.name),
    ...envFrom.map(({ secretRef }) => secretRef?.name),
  ]);
  const volumes = (spec.volumes ?? []).flatMap(({ secret, csi, projected }) => [
    secret?.secretName,
    csi?.nodePublishSecretRef?.name,
    ...(projected?.sources ?? []).map((source) => source.secret?.name),
  ]);
  const pulls = (spec.imagePullSecrets ?? []).map(({ name }) => name);
  return [...environments, ...volumes, ...pulls].filter(isNamed);
}

function configMapsOf(spec: PodSpec): string[] {
  const environments = containersOf(spec).flatMap(({ env = [], envFrom = [] }) => [
    ...env.map(({ valueFrom }) => valueFrom?.configMapKeyRef?.name),
    ...envFrom.map(({ configMapRef }) => configMapRef?.name),
  ]);
  const volumes = (spec.volumes ?? []).flatMap(({ configMap, projected }) => [
    configMap?.name,
    ...(projected?.sources ?? []).map((source) => source.configMap?.name),
  ]);
  return [...environments, ...volumes].filter(isNamed);
}

function claimsOf(spec: PodSpec, podName: string): string[] {
  const claimOf = (volume: Volume) =>
    volume.ephemeral ? `${podName}-${volume.name}` : volume.persistentVolumeClaim?.claimName;
  return (spec.volumes ?? []).map(claimOf).filter(isNamed);
}

function containersOf(spec: PodSpec): Pick<Container, 'env' | 'envFrom'>[] {
  return [...(spec.initContainers ?? []), ...spec.containers, ...(spec.ephemeralContainers ?? [])];
}

function isNamed(name: string | undefined): name is string {
  return name !== undefined && name !== '';
}
