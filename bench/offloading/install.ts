import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import {
  type KubeObject,
  MutatingWebhookConfiguration,
  ValidatingWebhookConfiguration,
} from '@liqo/kube';
import { defaultValues, forgeKinds, forgeManifests } from '@liqo/manifests';
import type { RealCluster } from '@liqo/testkit/real-cluster';

/**
 * Everything of an installation but its webhooks. Its Deployments end up on hollow nodes: the processes are started apart from
 * that.
 */
export async function install(cluster: RealCluster): Promise<void> {
  await kubectl(cluster, ['apply', '--server-side', '-f', '-'], listOf(forgeKinds()));
  await kubectl(cluster, ['wait', '--for=condition=Established', 'crd', '--all']);
  const values = { ...defaultValues, clusterID: cluster.name };
  await kubectl(
    cluster,
    ['apply', '--server-side', '-f', '-'],
    listOf(forgeManifests(values).filter(isInstalled)),
  );
}

function isInstalled({ kind }: KubeObject): boolean {
  return kind !== MutatingWebhookConfiguration.kind && kind !== ValidatingWebhookConfiguration.kind;
}

function listOf(items: readonly object[]): string {
  return JSON.stringify({ apiVersion: 'v1', kind: 'List', items });
}

async function kubectl(
  { assets, kubeconfig }: RealCluster,
  args: readonly string[],
  input = '',
): Promise<void> {
  const stdio = ['pipe', 'ignore', 'inherit'] as const;
  const child = spawn(join(assets, 'kubectl'), ['--kubeconfig', kubeconfig, ...args], {
    stdio: [...stdio],
  });
  child.stdin?.end(input);
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`Cannot run "kubectl ${args.join(' ')}": it ended with ${code}`);
}
