import { type Kind, type KubeObject, keyOf, type Stored } from '@liqo/kube';
import { ifServed } from './if-served.ts';
import { kubectlDescribe } from './kubectl.ts';
import { type PeeringSide, type StepContext, waitForControllers } from './peering-side.ts';

interface Doomed<T extends KubeObject> {
  readonly kind: Kind<T>;
  readonly object: Stored<T>;
  /** Why it is still there; without it, its finalizers are the reason. */
  readonly why?: (current: Stored<T>) => string | undefined;
}

/** Waits until an object that is marked for deletion is gone. A later one of the same name counts as gone. */
export async function waitUntilGone<T extends KubeObject>(
  context: StepContext,
  side: Pick<PeeringSide, 'client' | 'where'>,
  { kind, object, why = heldBy }: Doomed<T>,
): Promise<void> {
  const key = keyOf(object);
  const what = `${kind.kind} "${key.name}"`;
  await waitForControllers<true>(context, side, {
    doing: `Waiting for the ${what} to be gone`,
    done: `${what} is gone`,
    look: async (signal) => {
      const current = await ifServed(side.client.get(kind, key, signal), undefined);
      if (current?.metadata.uid !== object.metadata.uid) return { done: true };
      return { notYet: why(current) ?? 'it is still there' };
    },
    hint: `See what holds it: ${kubectlDescribe(kind, key)}`,
  });
}

function heldBy({ metadata }: Stored<KubeObject>): string | undefined {
  const { finalizers = [] } = metadata;
  return finalizers.length > 0 ? `it has the finalizer ${finalizers.join(', ')}` : undefined;
}
