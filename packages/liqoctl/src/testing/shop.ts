import { virtualNodeToleration } from '@liqo/api';
import { type Client, Deployment, findCondition, Namespace, Node, Pod } from '@liqo/kube';
import { eventually } from '@liqo/testkit';
import type { PeeringWorld } from './peering-world.ts';
import { successful } from './run-here.ts';

/** For what a busy machine does by itself. */
export const patient = { timeoutMs: 90_000 };

/** An offloaded namespace with one pod, which runs on the virtual node "milan" and nowhere else. */
export async function deployShop(world: PeeringWorld): Promise<void> {
  const { client } = world.rome;
  const labels = { app: 'shop' };
  await client.create(Namespace, { metadata: { name: 'shop' } });
  await successful(world.atRome('offload namespace shop --timeout 60s'));
  await client.create(Deployment, {
    metadata: { name: 'shop', namespace: 'shop' },
    spec: {
      replicas: 1,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          nodeSelector: { 'kubernetes.io/hostname': 'milan' },
          tolerations: [{ ...virtualNodeToleration }],
          containers: [{ name: 'web', image: 'nginx', resources: { requests: { cpu: '1' } } }],
        },
      },
    },
  });
}

/** The shop goes with its namespace, so that another one can be opened. */
export async function closeShop({ rome }: PeeringWorld): Promise<void> {
  if (!(await rome.client.get(Namespace, { name: 'shop' }))) return;
  await rome.client.delete(Namespace, { name: 'shop' });
  await eventually(async () => {
    if (await rome.client.get(Namespace, { name: 'shop' })) throw new Error('"shop" is there');
  }, patient);
}

/** Resolves when the virtual node is Ready and the one pod runs at the provider. */
export async function shopRuns({ rome, milan }: PeeringWorld): Promise<void> {
  await eventually(async () => {
    if (!(await isNodeReady(rome.client))) throw new Error('the virtual node is not Ready');
    const { items } = await rome.client.list(Pod, { namespace: 'shop' });
    const live = items.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
    const isReady = live.some(
      ({ status }) => findCondition(status?.conditions, 'Ready')?.status === 'True',
    );
    const remote = await milan.client.list(Pod, { namespace: 'shop-rome' });
    const phases = remote.items.map(({ status }) => status?.phase);
    if (!isReady || phases.join() !== 'Running') {
      throw new Error(
        `no pod is Ready at rome, and those of milan are: ${phases.join() || 'none'}`,
      );
    }
  }, patient);
}

export async function isNodeReady(client: Client): Promise<boolean> {
  const node = await client.get(Node, { name: 'milan' });
  return findCondition(node?.status?.conditions, 'Ready')?.status === 'True';
}
