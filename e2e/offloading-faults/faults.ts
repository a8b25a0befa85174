import { labels } from '@liqo/api';
import { keyOf, Pod, type Stored } from '@liqo/kube';
import { eventually } from '@liqo/testkit';
import type { RealCluster } from '@liqo/testkit/real-cluster';
import { nodeName, remoteNamespace } from './application.ts';
import { type Demand, everyPodReady } from './recovery.ts';
import type { Stage } from './stage.ts';

/** A kubelet lets a container that has ended before wait for up to five minutes, here for ten seconds or twenty. */
const patience = { timeoutMs: 90_000, intervalMs: 200 };

export const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** One pod of an app, at the provider. */
export async function remotePod({ milan }: Stage, app: string, nth = 0): Promise<Stored<Pod>> {
  const selection = { namespace: remoteNamespace, labelSelector: `app=${app}` };
  const found = (await milan.client.list(Pod, selection)).items[nth];
  if (found) return found;
  throw new Error(`Cannot find pod ${nth} of "${app}" over there`);
}

/**
 * Resolves when its kubelet has started another one: at once, or after a break if it is not the first time. Gives back what
 * has come true when that is known at home too.
 */
export async function crashContainerOf(stage: Stage, app: string, nth = 0): Promise<Demand> {
  const pod = await remotePod(stage, app, nth);
  await crashContainer(stage.milan, pod);
  await eventually(async () => {
    const now = await stage.milan.client.get(Pod, keyOf(pod));
    if (!now || containerOf(now) === containerOf(pod)) throw new Error('It has not started again');
  }, patience);
  const { name } = pod.metadata;
  return (pods) => {
    const now = pods.home.find(({ metadata }) => metadata.name === name);
    const isOld = now && containerOf(now) === containerOf(pod);
    return isOld ? `pod "${name}" has not started again` : everyPodReady(pods);
  };
}

function containerOf({ status }: Pod): string {
  return status?.containerStatuses?.[0]?.containerID?.replace('containerd://', '') ?? '';
}

export async function crashVirtualKubelet({ rome }: Stage): Promise<void> {
  const labelSelector = `${labels.virtualNode}=${nodeName}`;
  const { items } = await rome.client.list(Pod, { namespace: 'liqo-tenant-milan', labelSelector });
  const [kubelet] = items;
  if (!kubelet) throw new Error('Cannot find the virtual kubelet');
  await crashContainer(rome, kubelet);
}

/** As the kernel does when memory is short: nobody is asked. */
async function crashContainer(cluster: RealCluster, pod: Pod): Promise<void> {
  const node = cluster.node(pod.spec?.nodeName ?? '');
  const kill = ['tasks', 'kill', '--signal', 'SIGKILL', containerOf(pod)];
  await node.run(['ctr', '--namespace', 'k8s.io', ...kill]);
}

export async function deleteRemotePod({ milan }: Stage, { metadata }: Stored<Pod>): Promise<void> {
  await milan.client.delete(Pod, { namespace: remoteNamespace, name: metadata.name });
}

/** The minds of a cluster: a controller manager or scheduler that cannot reach its API server for long ends by itself. */
const minds = ['kube-controller-manager', 'kube-scheduler'] as const;

export async function stopMinds(cluster: RealCluster): Promise<void> {
  await Promise.all(minds.map((name) => cluster.component(name).stop()));
}

export async function startMinds(cluster: RealCluster): Promise<void> {
  await Promise.all(minds.map((name) => cluster.component(name).start()));
}
