import { type Client, mergePatch, type ObjectKey, Pod, type Stored } from '@liqo/kube';
import { serverTime } from './server-time.ts';

/** A pod template that the admission of any cluster lets through, and that no scheduler touches. */
export function podTemplate(labels: Record<string, string>, image = 'example.org/app:1') {
  const containers = [{ name: 'main', image }];
  return { metadata: { labels }, spec: { containers, schedulerName: 'nobody' } };
}

/** Says what a kubelet would say of a pod that runs, and is ready from now on. */
export async function runPod(
  client: Client,
  pod: ObjectKey,
  options: { readonly ready?: boolean; readonly podIP?: string } = {},
): Promise<void> {
  const { ready = true, podIP } = options;
  const lastTransitionTime = await serverTime(client);
  const conditions = [{ type: 'Ready', status: ready ? 'True' : 'False', lastTransitionTime }];
  const state = { running: {} };
  const main = { name: 'main', ready, restartCount: 0, image: '', imageID: '', state };
  const status = {
    phase: 'Running',
    conditions,
    containerStatuses: [main],
    ...(podIP && { podIP, podIPs: [{ ip: podIP }] }),
  };
  await client.patch(Pod, pod, mergePatch({ status }), { subresource: 'status' });
}

/** Says what a kubelet would say of a pod whose container has ended. */
export async function finishPod(
  client: Client,
  pod: ObjectKey,
  phase: 'Succeeded' | 'Failed',
  reasons: readonly { readonly type: string; readonly status: string }[] = [],
): Promise<void> {
  const exitCode = phase === 'Succeeded' ? 0 : 1;
  const finishedAt = await serverTime(client);
  const state = { terminated: { exitCode, finishedAt } };
  const main = { name: 'main', ready: false, restartCount: 0, image: '', imageID: '', state };
  const ready = { type: 'Ready', status: 'False', reason: 'PodCompleted' };
  const conditions = [ready, ...reasons];
  const status = { phase, conditions, containerStatuses: [main] };
  await client.patch(Pod, pod, mergePatch({ status }), { subresource: 'status' });
}

export function namesOf(objects: readonly Stored<{ metadata?: object }>[]): readonly string[] {
  return objects.map(({ metadata }) => metadata.name).toSorted();
}
