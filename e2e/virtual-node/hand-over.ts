import { Lease, Node, Pod } from '@liqo/kube';
import { eventually } from '@liqo/testkit';
import type { RealCluster } from '@liqo/testkit/real-cluster';
import { expect } from 'vitest';
import { kubectl } from '../real-nodes/kubectl.ts';
import { tenant } from './manifests.ts';
import { patience } from './place.ts';
import type { TwinNode } from './stage.ts';

/** Ends a virtual kubelet, given its pod. */
export type End = (rome: RealCluster, pod: string) => Promise<unknown>;

export interface Handover {
  /** When another one had the lease, and when the node was to be reached at its address. */
  readonly takenAfterMs: number;
  readonly reachedAfterMs: number;
}

/** Ends the virtual kubelet that is at work, when there are two, and waits until the other one is in its place. */
export async function handOver(rome: RealCluster, node: TwinNode, end: End): Promise<Handover> {
  await kubectl(rome, `-n ${tenant} rollout status deployment/vk-${node} --timeout=90s`);
  const active = await holder(rome, node);
  const startedMs = performance.now();
  await end(rome, active);
  const next = await eventually(async () => {
    const found = await holder(rome, node);
    expect(['', active]).not.toContain(found);
    return found;
  }, patience);
  const takenAfterMs = performance.now() - startedMs;
  await eventually(async () => {
    const address = (await podOf(rome, next))?.status?.podIP;
    expect(address).toBeDefined();
    expect(await addressOf(rome, node)).toBe(address);
  }, patience);
  return { takenAfterMs, reachedAfterMs: performance.now() - startedMs };
}

export const inGoodOrder: End = (rome, pod) =>
  kubectl(rome, `-n ${tenant} delete pod ${pod} --wait=false`);

/** It is still told to end, and has a second for it. */
export const byForce: End = (rome, pod) =>
  kubectl(rome, `-n ${tenant} delete pod ${pod} --force --grace-period=0`);

/** It hears of nothing, and so cannot give up its lease. */
export const withoutAWord: End = async (rome, pod) => {
  const container = (await podOf(rome, pod))?.status?.containerStatuses?.[0]?.containerID ?? '';
  const id = container.replace('containerd://', '');
  const stop = ['ctr', '--namespace', 'k8s.io', 'tasks', 'kill', '--signal', 'SIGSTOP', id];
  await rome.node('rome-node-1').run(stop);
  await byForce(rome, pod);
};

/** The pod that plays the kubelet of the node. */
async function holder({ client }: RealCluster, name: string): Promise<string> {
  const lease = await client.get(Lease, { namespace: 'kube-node-lease', name });
  return lease?.spec?.holderIdentity ?? '';
}

function podOf({ client }: RealCluster, name: string) {
  return client.get(Pod, { namespace: tenant, name });
}

async function addressOf({ client }: RealCluster, name: string): Promise<string | undefined> {
  const node = await client.get(Node, { name });
  return node?.status?.addresses?.find(({ type }) => type === 'InternalIP')?.address;
}
