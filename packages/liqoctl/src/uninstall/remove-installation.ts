import { type Client, Namespace, Pod } from '@liqo/kube';
import { forgeEverything, kindOfManifest } from '@liqo/manifests';
import type { Look } from '../cluster/wait-until.ts';
import { attempt } from '../explain.ts';
import { forgeInstallationRecord } from '../install/installation-record.ts';
import { deleteIfThere } from './take-down.ts';
import { type WaitCall, waitAWhile } from './wait-a-while.ts';

/** In the reverse order of an installation; its namespace stays. */
export async function removeInstallation(
  call: WaitCall,
  client: Client,
  { namespace, timeoutMs }: { readonly namespace: string; readonly timeoutMs: number },
): Promise<void> {
  const { progress, signal } = call;
  const installed = [...forgeEverything(namespace), forgeInstallationRecord(namespace)];
  const objects = installed.filter(({ kind }) => kind !== Namespace.kind);
  const step = {
    doing: 'Removing the objects of the installation',
    done: 'The objects of the installation are removed',
  };
  const removal = async () => {
    for (const object of objects.toReversed()) {
      await deleteIfThere(client, kindOfManifest(object), object, signal);
    }
  };
  await progress.step(step, () => attempt('remove the installation', removal(), 'write'));
  await waitAWhile(call, {
    doing: 'Waiting until the controllers have ended',
    done: 'The controllers have ended',
    timeoutMs,
    look: (stop) => lookAtPods(client, namespace, stop),
  });
}

async function lookAtPods(
  client: Client,
  namespace: string,
  signal: AbortSignal,
): Promise<Look<true>> {
  const labelSelector = 'app.kubernetes.io/component in (controller-manager,webhook)';
  const [first] = (await client.list(Pod, { namespace, labelSelector, signal })).items;
  return first ? { notYet: `the pod "${first.metadata.name}" is ending` } : { done: true };
}
