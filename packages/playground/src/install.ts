import {
  type Client,
  type Clock,
  CustomResourceDefinition,
  Deployment,
  isConditionTrue,
} from '@liqo/kube';
import { forgeKinds, forgeManifests, kindOfManifest, type Values } from '@liqo/manifests';
import { until } from './until.ts';

/** Installs the product and waits until its controllers and webhooks run. */
export async function install(
  client: Client,
  clock: Clock,
  values: Values,
  signal?: AbortSignal,
): Promise<void> {
  for (const object of forgeKinds()) await client.create(CustomResourceDefinition, object, signal);
  await until(clock, () => unservedKinds(client), signal);
  for (const object of forgeManifests(values))
    await client.create(kindOfManifest(object), object, signal);
  const { namespace } = values;
  const look = async () => {
    const { items } = await client.list(Deployment, { namespace });
    const waiting = items.filter(({ status }) => (status?.availableReplicas ?? 0) === 0);
    const names = waiting.map(({ metadata }) => `"${metadata.name}"`);
    return names.length > 0 ? `the Deployments ${names.join(', ')} do not run` : undefined;
  };
  await until(clock, look, signal);
}

async function unservedKinds(client: Client): Promise<string | undefined> {
  const { items } = await client.list(CustomResourceDefinition);
  const unserved = items.filter(
    ({ status }) => !isConditionTrue(status?.conditions, 'Established'),
  );
  const names = unserved.map(({ metadata }) => `"${metadata.name}"`);
  return names.length > 0 ? `the kinds ${names.join(', ')} are not served` : undefined;
}
