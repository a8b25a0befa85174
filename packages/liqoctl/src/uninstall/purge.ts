import { allKinds, labels } from '@liqo/api';
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
import { eachOf } from './each-of.ts';
import { repeatInTime } from './in-time.ts';
import { listIfServed } from './read-losses.ts';
import { releaseNamespace } from './remove-by-force.ts';
import { deleteIfThere } from './take-down.ts';
import { type WaitCall, waitAWhile } from './wait-a-while.ts';

/** Removes the kinds, the namespace of Liqo, and those about peers. Why some are left; undefined if none is. */
export async function purge(
  call: WaitCall,
  client: Client,
  { namespace, timeoutMs }: { readonly namespace: string; readonly timeoutMs: number },
): Promise<string | undefined> {
  const startedMs = call.around.clock.monotonicMs();
  const step = {
    doing: 'Removing the kinds and the namespaces',
    done: (names: object | undefined) =>
      names ? 'The kinds and the namespaces are marked for deletion' : undefined,
  };
  const marked = await call.progress.step(step, () => {
    const work = (signal: AbortSignal) => removeGround(client, namespace, signal);
    return attempt('purge', repeatInTime(call, timeoutMs, work), 'write');
  });
  if (!marked) return 'not all kinds and namespaces are marked for deletion';
  return waitAWhile(call, {
    doing: 'Waiting until the kinds and the namespaces are gone',
    done: 'The kinds and the namespaces are gone',
    timeoutMs: timeoutMs - (call.around.clock.monotonicMs() - startedMs),
    look: (stop) => lookAtGround(client, marked.result, stop),
  });
}

/** The names of the namespaces. */
async function removeGround(
  client: Client,
  namespace: string,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const kinds = new Set(forgeKinds().map(({ metadata }) => metadata?.name));
  const definitions = (await client.list(CustomResourceDefinition, { signal })).items;
  const ours = definitions.filter(({ metadata }) => kinds.has(metadata.name));
  const definition = CustomResourceDefinition as unknown as Kind<KubeObject>;
  await eachOf(ours, (object) => deleteIfThere(client, definition, object, signal));
  const labelSelector = labels.tenantNamespace;
  const tenants = (await client.list(Namespace, { labelSelector, signal })).items;
  const own = await client.get(Namespace, { name: namespace }, signal);
  const namespaces = [...tenants, ...(own ? [own] : [])];
  await eachOf(namespaces, async (object) => {
    await releaseNamespace(client, object.metadata.name, signal);
    await deleteIfThere(client, Namespace as Kind<KubeObject>, object, signal);
  });
  return namespaces.map(({ metadata }) => metadata.name);
}

async function lookAtGround(
  client: Client,
  namespaces: readonly string[],
  signal: AbortSignal,
): Promise<Look<true>> {
  const kinds = new Set(forgeKinds().map(({ metadata }) => metadata?.name));
  const definitions = (await client.list(CustomResourceDefinition, { signal })).items;
  const kind = definitions.find(({ metadata }) => kinds.has(metadata.name));
  if (kind) return { notYet: await whyKindStays(client, kind.metadata.name, signal) };
  const present = (await client.list(Namespace, { signal })).items;
  const left = present.find(({ metadata }) => namespaces.includes(metadata.name));
  return left
    ? { notYet: `the namespace "${left.metadata.name}" is being deleted` }
    : { done: true };
}

/** A kind stays while an object of it has a finalizer of another product. */
async function whyKindStays(client: Client, name: string, signal: AbortSignal): Promise<string> {
  const kind = (allKinds as readonly Kind<KubeObject>[]).find(
    ({ plural, group }) => name === `${plural}.${group}`,
  );
  const objects = kind ? await listIfServed(client, kind, signal) : [];
  for (const { metadata } of objects) {
    const [finalizer] = metadata.finalizers ?? [];
    if (finalizer === undefined) continue;
    const where = metadata.namespace === undefined ? '' : ` in "${metadata.namespace}"`;
    return `the ${kind?.kind} "${metadata.name}"${where} is held by the finalizer "${finalizer}"`;
  }
  return `the kind "${name}" is being deleted`;
}
