import { labels } from '@liqo/api';
import {
  type Client,
  CustomResourceDefinition,
  type Kind,
  type KubeObject,
  Namespace,
} from '@liqo/kube';
import { forgeKinds } from '@liqo/manifests';
import type { Look } from '../cluster/wait-until.ts';
import { attempt } from '../explain.ts';
import { releaseNamespace } from './remove-by-force.ts';
import { deleteIfThere } from './take-down.ts';
import { type WaitCall, waitAWhile } from './wait-a-while.ts';

/** Removes the kinds, the namespace of Liqo, and those about peers. */
export async function purge(
  call: WaitCall,
  client: Client,
  { namespace, timeoutMs }: { readonly namespace: string; readonly timeoutMs: number },
): Promise<void> {
  const { progress, signal } = call;
  const step = {
    doing: 'Removing the kinds and the namespaces',
    done: 'The kinds and the namespaces are marked for deletion',
  };
  const isDone = await progress
    .step(step, () => attempt('purge', removeGround(client, namespace, signal), 'write'))
    .then((names) =>
      waitAWhile(call, {
        doing: 'Waiting until the kinds and the namespaces are gone',
        done: 'The kinds and the namespaces are gone',
        timeoutMs,
        look: (stop) => lookAtGround(client, names, stop),
      }),
    );
  if (isDone) return;
  progress.warn('Some namespaces are still being deleted: kubectl get namespaces shows them');
}

/** The names of the namespaces. */
async function removeGround(
  client: Client,
  namespace: string,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const kinds = new Set(forgeKinds().map(({ metadata }) => metadata?.name));
  for (const object of (await client.list(CustomResourceDefinition, { signal })).items) {
    if (!kinds.has(object.metadata.name)) continue;
    await deleteIfThere(
      client,
      CustomResourceDefinition as unknown as Kind<KubeObject>,
      object,
      signal,
    );
  }
  const labelSelector = labels.tenantNamespace;
  const tenants = (await client.list(Namespace, { labelSelector, signal })).items;
  const own = await client.get(Namespace, { name: namespace }, signal);
  for (const object of [...tenants, ...(own ? [own] : [])]) {
    await releaseNamespace(client, object.metadata.name, signal);
    await deleteIfThere(client, Namespace as Kind<KubeObject>, object, signal);
  }
  return [...tenants, ...(own ? [own] : [])].map(({ metadata }) => metadata.name);
}

async function lookAtGround(
  client: Client,
  namespaces: readonly string[],
  signal: AbortSignal,
): Promise<Look<true>> {
  const kinds = new Set(forgeKinds().map(({ metadata }) => metadata?.name));
  const definitions = (await client.list(CustomResourceDefinition, { signal })).items;
  const kind = definitions.find(({ metadata }) => kinds.has(metadata.name));
  if (kind) return { notYet: `the kind "${kind.metadata.name}" is being deleted` };
  const present = (await client.list(Namespace, { signal })).items;
  const left = present.find(({ metadata }) => namespaces.includes(metadata.name));
  return left
    ? { notYet: `the namespace "${left.metadata.name}" is being deleted` }
    : { done: true };
}
