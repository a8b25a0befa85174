import { Identity } from '@liqo/api';
import { deepEqual, isAlreadyExists, mergePatch, type ObjectKey, type Stored } from '@liqo/kube';
import type { Look } from '../cluster/wait-until.ts';
import { kubectlDescribe } from './kubectl.ts';
import { notYetReady, unseen } from './not-yet-ready.ts';
import {
  type PeeringSide,
  type StepContext,
  waitForControllers,
  workStep,
} from './peering-side.ts';
import { making } from './traces.ts';
import { waitUntilGone } from './wait-until-gone.ts';

/** Hands what the provider has issued over to the consumer. */
export async function applyIdentity(
  context: StepContext,
  side: PeeringSide,
  wanted: Identity,
): Promise<void> {
  const name = wanted.metadata?.name ?? '';
  const identity = `the Identity "${name}" in "${side.clusterID}"`;
  const step = {
    verb: `create ${identity}`,
    doing: `Creating the Identity "${name}"`,
    done: `Identity "${name}" is created`,
    trace: making(identity),
  };
  const { signal } = context;
  const existing = await workStep(context, side, step, () => createIdentity(side, wanted, signal));
  if (existing.metadata.deletionTimestamp === undefined) return;
  await waitUntilGone(context, side, { kind: Identity, object: existing });
  await applyIdentity(context, side, wanted);
}

/** Waits until the consumer has made a kubeconfig of it. */
export async function waitForKubeconfig(
  context: StepContext,
  side: PeeringSide,
  key: ObjectKey,
): Promise<void> {
  await waitForControllers(context, side, {
    doing: `Waiting for the kubeconfig of the Identity "${key.name}"`,
    done: `Identity "${key.name}" has its kubeconfig`,
    look: async (signal) => lookAtIdentity(await side.client.get(Identity, key, signal)),
    hint: `See what holds it up: ${kubectlDescribe(Identity, key)}`,
  });
}

async function createIdentity(
  side: PeeringSide,
  wanted: Identity,
  signal: AbortSignal,
): Promise<Stored<Identity>> {
  const { client } = side;
  const { name = '', namespace } = wanted.metadata ?? {};
  const existing = await client.get(Identity, { namespace, name }, signal);
  if (existing?.metadata.deletionTimestamp !== undefined) return existing;
  if (existing) return refresh(side, existing, wanted, signal);
  try {
    return await client.create(Identity, wanted, signal);
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
    return createIdentity(side, wanted, signal);
  }
}

/** What another client adds to the spec stays. */
async function refresh(
  { client }: PeeringSide,
  existing: Stored<Identity>,
  { spec }: Identity,
  signal: AbortSignal,
): Promise<Stored<Identity>> {
  const { namespace, name, uid } = existing.metadata;
  if (deepEqual(existing.spec, spec)) return existing;
  const absent = Object.fromEntries(
    Object.keys(existing.spec.authParams ?? {}).map((field) => [field, null]),
  );
  const authParams = { ...absent, ...spec.authParams };
  const patch = mergePatch({ metadata: { uid }, spec: { ...spec, authParams } });
  return client.patch(Identity, { namespace, name }, patch, signal);
}

function lookAtIdentity(identity: Stored<Identity> | undefined): Look<true> {
  if (!identity) return { notYet: 'another client deleted it' };
  const problem = notYetReady(identity, { type: 'Ready', good: 'True', refused: 'False' });
  if (problem) return problem;
  return identity.status?.kubeconfigSecretRef?.name ? { done: true } : unseen;
}
