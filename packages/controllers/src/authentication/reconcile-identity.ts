import { Identity } from '@liqo/api';
import {
  type Client,
  type Clock,
  formatTime,
  keyString,
  type ObjectKey,
  type Secret,
  type Stored,
} from '@liqo/kube';
import {
  type CredentialProblem,
  forgeKubeconfigSecret,
  identityConditions,
  validityChangesInMs,
  validityProblem,
} from '@liqo/model';
import {
  type CachedReader,
  done,
  type Metrics,
  type Outcome,
  type ReconcileContext,
  requeueAfter,
  writeStatus,
} from '@liqo/runtime';
import type { ClusterKeys } from './cluster-keys.ts';
import type { ClusterKeysReader } from './cluster-keys-reader.ts';
import { ensureKubeconfigSecret } from './ensure-kubeconfig-secret.ts';
import { type IdentityRules, type JudgedIdentity, judgeIdentity } from './judge-identity.ts';

export interface IdentityWorld extends IdentityRules {
  readonly client: Client;
  readonly clock: Clock;
  readonly metrics?: Metrics | undefined;
  readonly identities: CachedReader<Identity>;
  /** Of the tenant namespaces. */
  readonly secrets: CachedReader<Secret>;
  /** Whether the controllers may read and write Secrets in a namespace yet. */
  readonly hasAccess: (namespace: string) => boolean;
  readonly clusterKeys: Pick<ClusterKeysReader, 'keys' | 'whyMissing'>;
  /** Why an object in that namespace says nothing about the peer; undefined in the tenant namespace of the peer. */
  readonly whyMisplaced: (namespace: string, peer: string) => string | undefined;
  /** Why the provider does not take the credentials, as others have found out; undefined if it may. */
  readonly whyRefused: (identity: Stored<Identity>) => CredentialProblem<string> | undefined;
}

type Problem = CredentialProblem<string>;

interface Finding extends JudgedIdentity {
  /** When something is to be looked at again that causes no event. */
  readonly againInMs?: number | undefined;
  /** Of the Secret, if it holds these credentials. */
  readonly secretName?: string | undefined;
}

/** A timer cannot be set for longer than this: a certificate may be valid for years. */
const longestWaitMs = 24 * 60 * 60_000;
const lookAgainMs = 5_000;

/**
 * Makes the kubeconfig Secret of an Identity, and says of the Identity whether it can be used. Credentials that cannot be used
 * leave the Secret of the ones before as it is: the provider may still take those.
 */
export class IdentityReconciler {
  readonly #world: IdentityWorld;
  readonly #expiry: ReturnType<Metrics['gauge']> | undefined;

  constructor(world: IdentityWorld) {
    this.#world = world;
    this.#expiry = world.metrics?.gauge('liqo_identity_certificate_expiry_timestamp_seconds', {
      help: 'When the certificate of an Identity expires, in seconds since the epoch',
      label: 'identity',
    });
  }

  async reconcile(key: ObjectKey, { signal }: ReconcileContext): Promise<Outcome> {
    const identity = this.#world.identities.get(key);
    if (!identity || identity.metadata.deletionTimestamp !== undefined) {
      this.#expiry?.remove(keyString(key));
      return done;
    }
    const found = await this.#findOut(identity, signal);
    this.#measure(key, found);
    await this.#report(identity, found, signal);
    if (found.againInMs === undefined) return done;
    return requeueAfter(Math.min(found.againInMs, longestWaitMs), 'what is known may change');
  }

  /** Credentials that do not say when they expire have no series. */
  #measure(key: ObjectKey, { certificate }: Finding): void {
    if (certificate) this.#expiry?.set(keyString(key), Math.floor(certificate.notAfterMs / 1_000));
    else this.#expiry?.remove(keyString(key));
  }

  async #findOut(identity: Stored<Identity>, signal: AbortSignal): Promise<Finding> {
    const { clusterKeys, whyMisplaced } = this.#world;
    const { namespace = '' } = identity.metadata;
    const misplaced = whyMisplaced(namespace, identity.spec?.clusterID ?? '');
    if (misplaced !== undefined) return unread('NotInTenantNamespace', `Not used: ${misplaced}`);
    if (!this.#world.hasAccess(namespace)) {
      const message = `Waiting for the right to write Secrets in "${namespace}"`;
      return { ...unread('NoAccessToSecrets', message), againInMs: lookAgainMs };
    }
    const { keys } = clusterKeys;
    if (!keys) {
      return unread('NoClusterKeys', `Not used yet: ${clusterKeys.whyMissing() ?? 'no keys'}`);
    }
    const judged = judgeIdentity(identity, keys, this.#world);
    return judged.problem ? judged : this.#makeUsable(identity, keys, judged, signal);
  }

  /** An expired certificate is written too: the clock of the provider decides, and it may be another one. */
  async #makeUsable(
    identity: Stored<Identity>,
    keys: ClusterKeys,
    { certificate }: JudgedIdentity,
    signal: AbortSignal,
  ): Promise<Finding> {
    const { client, clock, secrets, whyRefused } = this.#world;
    const wanted = forgeKubeconfigSecret(
      identity,
      Buffer.from(keys.privateKeyPem).toString('base64'),
    );
    const ensured = await ensureKubeconfigSecret(wanted, { client, secrets, signal });
    if (ensured !== 'made') {
      return { problem: notMade(ensured, wanted), certificate, againInMs: lookAgainMs };
    }
    const nowMs = clock.now();
    const invalid = certificate && validityProblem(certificate, nowMs);
    return {
      problem: invalid ?? whyRefused(identity),
      certificate,
      againInMs: certificate && validityChangesInMs(certificate, nowMs),
      secretName: wanted.metadata?.name,
    };
  }

  async #report(
    identity: Stored<Identity>,
    { problem, certificate, secretName }: Finding,
    signal: AbortSignal,
  ): Promise<void> {
    const { client, clock } = this.#world;
    const { generation: observedGeneration } = identity.metadata;
    const conditions = identityConditions(
      identity.status?.conditions,
      { problem, certificate, observedGeneration },
      formatTime(clock.now()),
    );
    const known = identity.status?.kubeconfigSecretRef;
    const kubeconfigSecretRef = secretName === undefined ? known : { name: secretName };
    const status = { conditions, ...(kubeconfigSecretRef && { kubeconfigSecretRef }) };
    await writeStatus(client, Identity, identity, status, signal);
  }
}

function unread(reason: string, message: string): Finding {
  return { problem: { reason, message }, certificate: undefined };
}

function notMade(ensured: 'taken' | 'going', { metadata }: Secret): Problem {
  const name = `the Secret "${metadata?.name}"`;
  return ensured === 'taken'
    ? {
        reason: 'SecretNameTaken',
        message: `${name} exists and was not made for this Identity: delete or rename it`,
      }
    : {
        reason: 'WaitingForSecret',
        message: `Waiting for ${name} of an earlier Identity to be removed`,
      };
}
