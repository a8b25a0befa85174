import { Tenant } from '@liqo/api';
import { isAlreadyExists, mergePatch, type ObjectKey, type Stored } from '@liqo/kube';
import type { Look } from '../cluster/wait-until.ts';
import { UserError } from '../user-error.ts';
import { type ClusterKeys, isCertificateOf } from './cluster-keys.ts';
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

type AuthParams = NonNullable<NonNullable<Tenant['status']>['authParams']>;

/** What a provider gives to a consumer that it has let in. */
export interface Admission {
  /** The tenant namespace of the consumer. */
  readonly namespace: string;
  readonly authParams: AuthParams;
}

/** Hands the Tenant of a consumer over to the provider. What the provider has decided about it stays as it is. */
export async function applyTenant(
  context: StepContext,
  side: PeeringSide,
  wanted: Tenant,
): Promise<void> {
  const { signal } = context;
  const name = wanted.metadata?.name ?? '';
  const tenant = `the Tenant "${name}" in "${side.clusterID}"`;
  const verb = `create ${tenant}`;
  const step = {
    verb,
    doing: `Creating the Tenant "${name}"`,
    done: `Tenant "${name}" is created`,
    trace: making(tenant),
  };
  const existing = await workStep(context, side, step, () => createTenant(side, wanted, signal));
  if (existing.metadata.deletionTimestamp === undefined) return;
  await waitUntilGone(context, side, { kind: Tenant, object: existing });
  await applyTenant(context, side, wanted);
}

export interface Introduction {
  readonly key: ObjectKey;
  readonly keys: ClusterKeys;
}

/** Waits until the provider has let the consumer in. */
export function waitForAdmission(
  context: StepContext,
  side: PeeringSide,
  { key, keys }: Introduction,
): Promise<Admission> {
  return waitForControllers(context, side, {
    doing: `Waiting for the Tenant "${key.name}" to be accepted`,
    done: `Tenant "${key.name}" is accepted`,
    look: async (signal) => lookAtTenant(await side.client.get(Tenant, key, signal), keys),
    hint: `See what "${side.clusterID}" says of it: ${kubectlDescribe(Tenant, key)}`,
  });
}

/** What the Tenant has been given, as long as it is for this key; undefined if there is nothing to use yet. */
export function admissionOf({ status }: Tenant, keys: ClusterKeys): Admission | undefined {
  const { tenantNamespace: namespace, authParams } = status ?? {};
  if (!namespace || !authParams) return undefined;
  const { signedCRT, awsConfig } = authParams;
  const isUsable = signedCRT ? isCertificateOf(signedCRT, keys) : awsConfig !== undefined;
  return isUsable ? { namespace, authParams } : undefined;
}

/** Throws if a Tenant that is there cannot become that of a handshake. */
export function refuseOtherTenant(tenant: Tenant, consumerID: string, activate: string): void {
  const { authzPolicy, tenantCondition, clusterID } = tenant.spec;
  const refuse = (why: string, hint: string) => {
    throw new UserError(`Cannot authenticate "${consumerID}": its Tenant ${why}`, { hint });
  };
  if (clusterID !== undefined && clusterID !== consumerID) {
    refuse(
      `is of the cluster "${clusterID}"`,
      'Delete that Tenant at the provider if it is not used',
    );
  }
  if (authzPolicy === 'TolerateNoHandshake') {
    const hint =
      'The provider hands out credentials by hand; delete the Tenant there to have a handshake';
    refuse('tolerates that there is no handshake', hint);
  }
  if (tenantCondition === 'Drained') {
    refuse('is drained', `Have the provider let it in again: ${activate}`);
  }
}

async function createTenant(
  side: PeeringSide,
  wanted: Tenant,
  signal: AbortSignal,
): Promise<Stored<Tenant>> {
  const { client } = side;
  const { name = '', namespace } = wanted.metadata ?? {};
  const existing = await client.get(Tenant, { namespace, name }, signal);
  if (existing?.metadata.deletionTimestamp !== undefined) return existing;
  if (existing) return refresh(side, existing, wanted, signal);
  try {
    return await client.create(Tenant, wanted, signal);
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
    return createTenant(side, wanted, signal);
  }
}

function refresh(
  { client }: PeeringSide,
  existing: Stored<Tenant>,
  { spec }: Tenant,
  signal: AbortSignal,
): Promise<Stored<Tenant>> {
  const { publicKey = null, csr = null, signature = null, proxyURL = null } = spec;
  const { namespace, name, uid } = existing.metadata;
  const patch = mergePatch({ metadata: { uid }, spec: { publicKey, csr, signature, proxyURL } });
  return client.patch(Tenant, { namespace, name }, patch, signal);
}

function lookAtTenant(tenant: Stored<Tenant> | undefined, keys: ClusterKeys): Look<Admission> {
  if (!tenant) return { notYet: 'another client deleted it' };
  const statuses = { type: 'Authentication', good: 'Accepted', refused: 'Denied' };
  const problem = notYetReady(tenant, statuses);
  if (problem) return problem;
  const admission = admissionOf(tenant, keys);
  return admission ? { done: admission } : unseen;
}
