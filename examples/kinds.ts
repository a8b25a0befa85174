import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { allKinds, forgeCustomResourceDefinition, VirtualNode } from '@liqo/api';
import { ApiError, type Client, CustomResourceDefinition, Namespace } from '@liqo/kube';
import { connectKubeconfig, parseKubeconfig } from '@liqo/kube/node';
import { systemClock, systemRandom } from '@liqo/runtime';
import { eventually, rejection } from '@liqo/testkit';
import { startRealCluster } from '@liqo/testkit/real-cluster';

/** A real Kubernetes with the Liqo kinds in it: starts one, uses it, removes it. */
const namespace = 'liqo-tenant-cool-firefly';

await demonstrate();
say('Stopped; nothing is left');

async function demonstrate(): Promise<void> {
  const startedMs = performance.now();
  await using cluster = await startRealCluster();
  const config = parseKubeconfig(cluster.kubeconfigText, cluster.kubeconfig);
  const options = { clock: systemClock, random: systemRandom, fieldManager: 'example' };
  await using client = await connectKubeconfig(config, options);
  const { gitVersion } = await client.rawJson<{ gitVersion: string }>('/version');
  say(`Started a Kubernetes ${gitVersion} in ${secondsSince(startedMs)}`);

  const installingMs = performance.now();
  await installKinds(client);
  say(`Installed ${allKinds.length} kinds in ${secondsSince(installingMs)}`);

  await createVirtualNode(client);
  const kubectl = join(cluster.assets, 'kubectl');
  const get = ['get', 'virtualnodes.offloading.liqo.io', '-n', namespace];
  say(
    execFileSync(kubectl, ['--kubeconfig', cluster.kubeconfig, ...get], {
      encoding: 'utf8',
    }).trim(),
  );

  const refused = await rejection(client.create(VirtualNode, forgeVirtualNode('-1')));
  const [cause] = refused instanceof ApiError ? (refused.details?.causes ?? []) : [];
  say(`Refused a negative quantity at ${cause?.field}`);
}

function forgeVirtualNode(cpu: string): VirtualNode {
  return {
    metadata: { namespace, name: 'mynode' },
    spec: {
      clusterID: 'cool-firefly',
      createNode: true,
      kubeconfigSecretRef: { name: 'kubeconfig-resourceslice-mypool' },
      resourceQuota: { hard: { cpu, memory: '4Gi', pods: '110' } },
    },
  };
}

async function createVirtualNode(client: Client): Promise<void> {
  await client.create(Namespace, { metadata: { name: namespace } });
  await client.create(VirtualNode, forgeVirtualNode('2'));
  say(`Created VirtualNode ${namespace}/mynode`);
}

async function installKinds(client: Client): Promise<void> {
  const definitions = allKinds.map(forgeCustomResourceDefinition);
  for (const definition of definitions) await client.apply(CustomResourceDefinition, definition);
  await eventually(() => Promise.all(allKinds.map((kind) => client.list(kind))));
}

function secondsSince(startedMs: number): string {
  return `${((performance.now() - startedMs) / 1000).toFixed(1)} s`;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
