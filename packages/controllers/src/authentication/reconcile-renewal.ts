import { Identity, Renew } from '@liqo/api';
import {
  type Client,
  type Clock,
  diffMergePatch,
  type Json,
  mergePatch,
  type ObjectKey,
  type Stored,
} from '@liqo/kube';
import { type AuthParams, forgeRenew, isNewer, validityChangesInMs } from '@liqo/model';
import {
  type CachedReader,
  done,
  type EventRecorder,
  type Outcome,
  type ReconcileContext,
  requeueAfter,
} from '@liqo/runtime';
import type { WhyMisplaced } from '../tenancy.ts';
import type { ClusterKeys } from './cluster-keys.ts';
import type { ClusterKeysReader } from './cluster-keys-reader.ts';
import { ensureRenew } from './ensure-renew.ts';
import { type IdentityRules, judgeIdentity } from './judge-identity.ts';

export interface RenewalWorld extends IdentityRules {
  readonly client: Client;
  readonly clock: Clock;
  readonly events: EventRecorder;
  readonly identities: CachedReader<Identity>;
  readonly renews: CachedReader<Renew>;
  readonly clusterKeys: Pick<ClusterKeysReader, 'keys'>;
  readonly whyMisplaced: WhyMisplaced;
}

const lookAgainMs = 5_000;

/** One Renew for each Identity of a control plane, and back: what the provider answers becomes the credentials. */
export class RenewalReconciler {
  readonly #world: RenewalWorld;

  constructor(world: RenewalWorld) {
    this.#world = world;
  }

  async reconcile(key: ObjectKey, { signal }: ReconcileContext): Promise<Outcome> {
    const { client, clusterID, identities, renews, clusterKeys } = this.#world;
    const identity = identities.get(key);
    if (!identity || !this.#isInUse(identity)) return done;
    const wanted = forgeRenew(identity, clusterID);
    const renew = await ensureRenew(wanted, { client, renews, signal });
    if (renew === 'taken') return this.#complain(identity, taken);
    if (renew === 'going') return requeueAfter(lookAgainMs, 'waiting for an earlier Renew to go');
    const { keys } = clusterKeys;
    const params = renew.status?.authParams;
    return keys && params ? this.#takeOver(identity, params, keys, signal) : done;
  }

  #isInUse({ metadata, spec }: Stored<Identity>): boolean {
    if (spec?.type !== 'ControlPlane' || metadata.deletionTimestamp !== undefined) return false;
    return this.#world.whyMisplaced(metadata.namespace ?? '', spec.clusterID ?? '') === undefined;
  }

  /** Only a later certificate for the same key and subject: an earlier answer that comes back changes nothing. */
  async #takeOver(
    identity: Stored<Identity>,
    params: AuthParams,
    keys: ClusterKeys,
    signal: AbortSignal,
  ): Promise<Outcome> {
    const { client, clock } = this.#world;
    const { authParams } = identity.spec ?? {};
    if (params.signedCRT === authParams?.signedCRT) return done;
    const renewed = { ...identity, spec: { ...identity.spec, authParams: params } };
    const next = judgeIdentity(renewed, keys, this.#world);
    if (next.problem) return this.#complain(identity, next.problem.message);
    const current = judgeIdentity(identity, keys, this.#world);
    const inUse = current.problem ? undefined : current.certificate;
    const nowMs = clock.now();
    if (!next.certificate || !isNewer(next.certificate, inUse, nowMs)) {
      const againInMs = next.certificate && validityChangesInMs(next.certificate, nowMs);
      return againInMs === undefined ? done : requeueAfter(Math.min(againInMs, dayMs), 'not newer');
    }
    const { resourceVersion } = identity.metadata;
    const change = diffMergePatch(authParams ?? {}, params) as Json;
    const patch = mergePatch({ metadata: { resourceVersion }, spec: { authParams: change } });
    await client.patch(Identity, identity.metadata, patch, { signal });
    return done;
  }

  #complain(regarding: Stored<Identity>, why: string): Outcome {
    const note = `The certificate is not renewed: ${why}`;
    const event = {
      regarding,
      type: 'Warning',
      reason: 'RenewalRefused',
      action: 'Renewing',
      note,
    };
    this.#world.events.record(event as Parameters<EventRecorder['record']>[0]);
    return done;
  }
}

const taken = `a ${Renew.kind} of the name of the Identity exists, and was not made for it`;
/** A timer cannot be set for much longer. */
const dayMs = 24 * 60 * 60_000;
