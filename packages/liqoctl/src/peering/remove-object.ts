import { isNotFound, type Kind, type KubeObject, keyOf, type Stored } from '@liqo/kube';
import { type PeeringSide, type StepContext, workStep } from './peering-side.ts';
import { removing } from './traces.ts';
import { waitUntilGone } from './wait-until-gone.ts';

interface Removal<T extends KubeObject> {
  readonly kind: Kind<T>;
  readonly object: Stored<T>;
  readonly why?: (current: Stored<T>) => string | undefined;
  /** Whether it waits until the object is gone. */
  readonly waits?: boolean;
}

/** Deletes the very object that was found, and waits until it is gone: another one that takes its name stays. */
export async function removeObject<T extends KubeObject>(
  context: StepContext,
  side: Pick<PeeringSide, 'client' | 'clusterID' | 'where'>,
  { kind, object, why, waits = true }: Removal<T>,
): Promise<void> {
  const key = keyOf(object);
  const { uid } = object.metadata;
  const what = `${kind.kind} "${key.name}"`;
  const step = {
    verb: `delete the ${what} of "${side.clusterID}"`,
    doing: `Deleting the ${what}`,
    done: (remains: Stored<T> | undefined) =>
      remains ? `${what} is marked for deletion` : `${what} is deleted`,
    trace: removing(`the ${what} of "${side.clusterID}"`),
  };
  const call = { preconditions: { uid }, signal: context.signal };
  const remains = await workStep<Stored<T> | undefined>(context, side, step, () =>
    side.client.delete(kind, key, call).catch((error: unknown) => {
      if (isNotFound(error)) return undefined;
      throw error;
    }),
  );
  if (waits && remains) await waitUntilGone(context, side, { kind, object, ...(why && { why }) });
}
