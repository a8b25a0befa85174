import { type Client, Namespace, Pod } from '@liqo/kube';
import { forgeEverything, kindOfManifest } from '@liqo/manifests';
import type { Look } from '../cluster/wait-until.ts';
import { attempt } from '../explain.ts';
import { forgeInstallationRecord } from '../install/installation-record.ts';
import { repeatInTime } from './in-time.ts';
import { deleteIfThere } from './take-down.ts';
import { type WaitCall, waitAWhile } from './wait-a-while.ts';

/** In the reverse order of an installation; its namespace stays. Why not all of it is done; undefined if it is. */
export async function removeInstallation(
  call: WaitCall,
  client: Client,
  { namespace, timeoutMs }: { readonly namespace: string; readonly timeoutMs: number },
): Promise<string | undefined> {
  const installed = [...forgeEverything(namespace), forgeInstallationRecord(namespace)];
  const objects = installed.filter(({ kind }) => kind !== Namespace.kind).toReversed();
  const startedMs = call.around.clock.monotonicMs();
  const step = {
    doing: 'Removing the objects of the installation',
    done: (isDone: object | undefined) =>
      isDone ? 'The objects of the installation are removed' : undefined,
  };
  const isDone = await call.progress.step(step, () => {
    const removal = repeatInTime(call, timeoutMs, async (signal) => {
      for (const object of objects) {
        await deleteIfThere(client, kindOfManifest(object), object, signal);
      }
    });
    return attempt('remove the installation', removal, 'write');
  });
  if (!isDone) return 'not all objects of the installation are removed';
  return waitAWhile(call, {
    doing: 'Waiting until the controllers have ended',
    done: 'The controllers have ended',
    timeoutMs: timeoutMs - (call.around.clock.monotonicMs() - startedMs),
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
