import { findCondition, Pod, type Stored } from '@liqo/kube';
import { eventually } from '@liqo/testkit';
import type { RealCluster } from '@liqo/testkit/real-cluster';
import { expect } from 'vitest';
import { kubectl } from '../real-nodes/kubectl.ts';
import { namespace } from './manifests.ts';
import type { Stage } from './stage.ts';

/** For what comes by itself, on a machine that has other things to do. */
export const patience = { timeoutMs: 120_000, intervalMs: 200 };

/** Called inside of tests only: the stage is set after they have been declared. */
export type GetStage = () => Stage;

/** What kubectl prints, in the namespace that extends to the provider. */
export function inShop({ rome }: Stage, line: string): Promise<string> {
  return kubectl(rome, `-n ${namespace} ${line}`);
}

/** Resolves when the pod is ready. */
export async function runPod(rome: RealCluster, pod: Pod): Promise<Stored<Pod>> {
  const { metadata } = await rome.client.create(Pod, {
    ...pod,
    metadata: { ...pod.metadata, namespace },
  });
  return eventually(async () => {
    const found = await rome.client.get(Pod, { namespace, name: metadata.name });
    expect(findCondition(found?.status?.conditions, 'Ready')).toMatchObject({ status: 'True' });
    return found as Stored<Pod>;
  }, patience);
}
