import { type Client, Deployment, Pod } from '@liqo/kube';
import type { Look } from '../cluster/wait-until.ts';

/** The components of an installation, each with a Deployment. */
const components = ['controller-manager', 'webhook'];

/** Whether all pods of the controllers and of the webhooks are of the newest template, and available. */
export async function lookAtDeployments(
  client: Client,
  namespace: string,
  signal: AbortSignal,
): Promise<Look<true>> {
  for (const component of components) {
    const look = await lookAtDeployment(client, { namespace, component }, signal);
    if ('notYet' in look) return look;
  }
  return { done: true };
}

interface Installed {
  readonly namespace: string;
  readonly component: string;
}

async function lookAtDeployment(
  client: Client,
  { namespace, component }: Installed,
  signal: AbortSignal,
): Promise<Look<true>> {
  const name = `liqo-${component}`;
  const deployment = await client.get(Deployment, { namespace, name }, signal);
  const { metadata, spec, status } = deployment ?? {};
  const wanted = spec?.replicas ?? 1;
  const isObserved = (status?.observedGeneration ?? 0) >= (metadata?.generation ?? 1);
  const updated = isObserved ? (status?.updatedReplicas ?? 0) : 0;
  const available = status?.availableReplicas ?? 0;
  const isDone = updated >= wanted && available >= wanted && (status?.replicas ?? 0) <= wanted;
  if (isObserved && isDone) return { done: true };
  const why = await whyPodsWait(client, { namespace, component }, signal);
  const count = `${Math.min(updated, available)} of ${wanted} pods of "${name}" are available`;
  return { notYet: why ?? count };
}

async function whyPodsWait(
  client: Client,
  { namespace, component }: Installed,
  signal: AbortSignal,
): Promise<string | undefined> {
  const labelSelector = `app.kubernetes.io/component=${component}`;
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
