import { virtualNodeToleration } from '@liqo/api';
import { type Client, isNotFound, Pod } from '@liqo/kube';

/** Where pods are meant to run: on a virtual node, or on the hollow nodes of the cluster they are created in. */
export type Place = 'virtual' | 'hollow';

const selectors: Readonly<Record<Place, Record<string, string>>> = {
  virtual: { 'liqo.io/type': 'virtual-node' },
  hollow: { 'kwok.x-k8s.io/node': 'fake' },
};

export function forgePod(namespace: string, name: string, place: Place): Pod {
  return {
    metadata: { namespace, name, labels: { app: 'bench' } },
    spec: forgePodSpec(place),
  };
}

export function forgePodSpec(place: Place): NonNullable<Pod['spec']> {
  return {
    nodeSelector: selectors[place],
    tolerations: place === 'virtual' ? [{ ...virtualNodeToleration }] : [],
    automountServiceAccountToken: false,
    containers: [
      {
        name: 'web',
        image: 'nginx',
        env: [{ name: 'MODE', value: 'bench' }],
        ports: [{ containerPort: 80 }],
        resources: { requests: { cpu: '1m', memory: '1Mi' } },
      },
    ],
  };
}

/** As many as a busy user has under way at a time. */
const atOnce = 32;

export function podNames(count: number): readonly string[] {
  return Array.from({ length: count }, (_, i) => `web-${i}`);
}

export function createPods(
  client: Client,
  namespace: string,
  names: readonly string[],
  place: Place,
): Promise<void> {
  return forEach(names, async (name) => {
    await client.create(Pod, forgePod(namespace, name, place));
  });
}

export function deletePods(
  client: Client,
  namespace: string,
  names: readonly string[],
): Promise<void> {
  return forEach(names, async (name) => {
    await client.delete(Pod, { namespace, name }).catch((error) => {
      if (!isNotFound(error)) throw error;
    });
  });
}

async function forEach(
  names: readonly string[],
  work: (name: string) => Promise<void>,
): Promise<void> {
  const waiting = names.values();
  const worker = async () => {
    for (const name of waiting) await work(name);
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, names.length) }, worker));
}
