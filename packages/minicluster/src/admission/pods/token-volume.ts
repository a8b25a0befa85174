import type { Random } from '@liqo/kube';
import type { Container, PodSpec, Volume } from 'kubernetes-types/core/v1.d.ts';

const prefix = 'kube-api-access-';
const mountPath = '/var/run/secrets/kubernetes.io/serviceaccount';
/** An hour and seven seconds: the odd number tells the token controller that nobody asked for a particular time. */
const expirationSeconds = 3607;
/** Kubernetes' alphabet for generated names. */
const letters = 'bcdfghjklmnpqrstvwxz2456789';

/** The spec with the token of its service account mounted wherever nothing else is in that place. */
export function mountToken(spec: PodSpec, random: Random): PodSpec {
  const present = spec.volumes?.find(({ name }) => name.startsWith(prefix));
  const name = present?.name ?? prefix + randomSuffix(random);
  const containers = [...(spec.containers ?? []), ...(spec.initContainers ?? [])];
  if (containers.every(hasMount)) return spec;
  const mount = (container: Container) => withMount(container, name);
  return {
    ...spec,
    ...(spec.containers && { containers: spec.containers.map(mount) }),
    ...(spec.initContainers && { initContainers: spec.initContainers.map(mount) }),
    volumes: present ? (spec.volumes ?? []) : [...(spec.volumes ?? []), forgeVolume(name)],
  };
}

function hasMount({ volumeMounts = [] }: Container): boolean {
  return volumeMounts.some((mount) => mount.mountPath === mountPath);
}

function withMount(container: Container, name: string): Container {
  if (hasMount(container)) return container;
  const mount = { name, readOnly: true, mountPath };
  return { ...container, volumeMounts: [...(container.volumeMounts ?? []), mount] };
}

function forgeVolume(name: string): Volume {
  const fieldRef = { apiVersion: 'v1', fieldPath: 'metadata.namespace' };
  const sources = [
    { serviceAccountToken: { expirationSeconds, path: 'token' } },
    { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
    { downwardAPI: { items: [{ path: 'namespace', fieldRef }] } },
  ];
  return { name, projected: { sources, defaultMode: 0o644 } };
}

function randomSuffix(random: Random): string {
  const one = () => letters.charAt(Math.floor(random() * letters.length));
  return one() + one() + one() + one() + one();
}
