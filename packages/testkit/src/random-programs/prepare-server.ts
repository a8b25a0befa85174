import {
  apiVersionOf,
  type Client,
  CustomResourceDefinition,
  type KubeObject,
  Namespace,
  ServiceAccount,
} from '@liqo/kube';
import { eventually } from '../eventually.ts';
import { endKey, endNamespace } from './follow-kinds.ts';
import { Gadget, gadgetDefinition } from './gadget.ts';
import { type SampleKind, sampleKinds } from './sample-kinds.ts';

/** Gives a fresh server what programs rely on: the custom kind, and the objects that end their watches. */
export async function prepareServer(client: Client): Promise<void> {
  await client.create(CustomResourceDefinition, gadgetDefinition);
  await client.create(Namespace, { metadata: { name: endNamespace } });
  await client.create(ServiceAccount, { metadata: { namespace: endNamespace, name: 'default' } });
  await eventually(() => client.list(Gadget), { timeoutMs: 20_000 });
  for (const sample of Object.values<SampleKind>(sampleKinds)) {
    if (!sample.kind.namespaced) continue;
    await eventually(() => client.create(sample.kind, forgeEnd(sample)), { timeoutMs: 20_000 });
  }
}

function forgeEnd(sample: SampleKind): KubeObject {
  const { kind } = sample;
  const { name, namespace } = endKey(sample);
  return {
    apiVersion: apiVersionOf(kind),
    kind: kind.kind,
    metadata: { name, ...(namespace && { namespace }) },
    ...sample.contents[0],
  };
}
