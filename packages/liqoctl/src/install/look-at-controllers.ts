import { type Client, Deployment, Pod } from '@liqo/kube';
import type { Look } from '../cluster/wait-until.ts';
import { controllerManagerName } from '../info/server-version.ts';

/** Whether all pods of the controller-manager are of the newest template, and available. */
export async function lookAtControllers(
  client: Client,
  namespace: string,
  signal: AbortSignal,
): Promise<Look<true>> {
  const deployment = await client.get(
    Deployment,
    { namespace, name: controllerManagerName },
    signal,
  );
  const { metadata, spec, status } = deployment ?? {};
  const wanted = spec?.replicas ?? 1;
  const isObserved = (status?.observedGeneration ?? 0) >= (metadata?.generation ?? 1);
  const updated = isObserved ? (status?.updatedReplicas ?? 0) : 0;
  const available = status?.availableReplicas ?? 0;
  const isDone = updated >= wanted && available >= wanted && (status?.replicas ?? 0) <= wanted;
  if (isObserved && isDone) return { done: true };
  const why = await whyPodsWait(client, namespace, signal);
  return { notYet: why ?? `${Math.min(updated, available)} of ${wanted} pods are available` };
}

async function whyPodsWait(
  client: Client,
  namespace: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const labelSelector = 'app.kubernetes.io/component=controller-manager';
  const { items } = await client.list(Pod, { namespace, labelSelector, signal });
  const states = items.flatMap(({ metadata, status }) =>
    (status?.containerStatuses ?? []).flatMap(({ state }) =>
      state?.waiting?.reason && state.waiting.reason !== 'ContainerCreating'
        ? [`pod "${metadata.name}": ${state.waiting.message ?? state.waiting.reason}`]
        : [],
    ),
  );
  return states[0];
}
