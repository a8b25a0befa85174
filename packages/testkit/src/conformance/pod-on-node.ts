import { type Client, mergePatch, Node, type ObjectKey, Pod } from '@liqo/kube';
import { freshNamespace, type GetSubject } from './subject.ts';

export async function makePod(subject: GetSubject, name: string): Promise<NamespacedKey> {
  const key = { namespace: await freshNamespace(subject()), name };
  const containers = [{ name: 'main', image: 'example.org/app' }];
  const metadata = { ...key, labels: { app: name } };
  const schedulerName = 'nobody';
  await subject().client.create(Pod, { metadata, spec: { containers, schedulerName } });
  return key;
}

interface NamespacedKey extends ObjectKey {
  readonly namespace: string;
}

/** A node whose kubelet answers at a port of this machine. */
export async function makeNode(client: Client, kubeletPort: number, address = '127.0.0.1') {
  const node = await client.create(Node, { metadata: { generateName: 'echo-' } });
  const status = {
    addresses: [{ type: 'InternalIP', address }],
    daemonEndpoints: { kubeletEndpoint: { Port: kubeletPort } },
  };
  const subresource = 'status' as const;
  const { name } = node.metadata;
  await client.patch(Node, { name }, mergePatch({ status }), { subresource });
  return name;
}

/** A pod on such a node. */
export async function makePodOn(subject: GetSubject, kubeletPort: number): Promise<NamespacedKey> {
  const { client } = subject();
  const pod = await makePod(subject, 'one');
  await client.bind(pod, await makeNode(client, kubeletPort));
  await runPod(client, pod);
  return pod;
}

/** Says what a kubelet would say of a pod that runs. */
export async function runPod(client: Client, pod: ObjectKey, podIP?: string): Promise<void> {
  const conditions = [{ type: 'Ready', status: 'True' }];
  const state = { running: {} };
  const main = { name: 'main', ready: true, restartCount: 0, image: '', imageID: '', state };
  const addresses = podIP && { podIP, podIPs: [{ ip: podIP }] };
  const status = { phase: 'Running', conditions, containerStatuses: [main], ...addresses };
  await client.patch(Pod, pod, mergePatch({ status }), { subresource: 'status' });
}
