import { annotations, ShadowPod, serviceAccountTokenSecretName } from '@liqo/api';
import {
  apiVersionOf,
  isNotFound,
  mergePatch,
  type ObjectKey,
  Pod,
  parseTime,
  Secret,
  type Stored,
} from '@liqo/kube';
import {
  forgeTokenSecret,
  type IssuedToken,
  planTokens,
  renewalAtMs,
  type WantedToken,
} from '@liqo/model';
import { confirmAbsent, type ReconcileContext } from '@liqo/runtime';
import type { KubeletContext } from '../kubelet-context.ts';
import type { LocalPodStatus } from './local-pod-status.ts';
import type { OffloadedPod } from './reconcile-pod.ts';

type Session = Pick<OffloadedPod['session'], 'client'>;

/** One pod, and where its tokens go. */
interface TokenedPod extends Pick<OffloadedPod, 'local' | 'route'> {
  readonly session: Session;
  readonly remote: Pick<OffloadedPod['remote'], 'name'>;
}

/**
 * Tokens of this cluster for pods at the provider, bound to the pods here: each pod has a Secret over there from which its
 * volumes take them, and which is renewed long before they expire.
 */
export class PodTokens {
  readonly #context: KubeletContext;
  readonly #status: LocalPodStatus;
  /** For whom nothing has to be done, by the UID of the pod: saves looking, and is safe to lose. */
  readonly #good = new Map<string, GoodTokens>();

  constructor(context: KubeletContext, status: LocalPodStatus) {
    this.#context = context;
    this.#status = status;
  }

  /**
   * Makes sure that the pod has its tokens, and that they go with its shadow pod, as soon as there is one. Gives back when to
   * look again, undefined if it needs none.
   */
  async ensure(
    pod: TokenedPod,
    owner: Stored<ShadowPod> | undefined,
    run: ReconcileContext,
  ): Promise<number | undefined> {
    const { local, route, session, remote } = pod;
    const { clock } = this.#context;
    const { uid } = local.metadata;
    const known = this.#good.get(uid);
    if (known && clock.now() < known.untilMs && known.owner === owner?.metadata.uid) {
      return known.untilMs - clock.now();
    }
    const key = secretKey(remote.name, local.metadata.name);
    const secret = await session.client.get(Secret, key, run.signal);
    const isDue = known !== undefined && clock.now() >= known.untilMs;
    const step = planTokens(local, secret, { route, nowMs: clock.now(), isDue });
    switch (step.type) {
      case 'request':
        return this.#renew(pod, { wanted: step.tokens, existing: secret, owner }, run.signal);
      case 'delete':
        await remove(session, step.secret, run.signal);
        return 0;
      case 'refuse':
        await this.#status.sayWaiting(local, step.reason, step.message, run);
        return 30_000;
      case 'leave':
        if (step.untilMs === undefined) return undefined;
        if (owner && secret) await own(session, secret, owner, run.signal);
        return this.#remember(local, step.untilMs, owner);
    }
  }

  /** For a pod whose end has come: its own, not those of another one of its name. */
  async withdraw({ local, session, remote }: TokenedPod, signal: AbortSignal): Promise<void> {
    const { name, uid } = local.metadata;
    const secret = await session.client.get(Secret, secretKey(remote.name, name), signal);
    if (secret && podUidOf(secret) === uid) await this.#remove(session, secret, signal);
  }

  /** For a pod that is no more, as the API server here says. */
  async withdrawOrphaned(
    key: ObjectKey,
    { session, remote }: Pick<TokenedPod, 'session' | 'remote'>,
    signal: AbortSignal,
  ): Promise<void> {
    const secret = await session.client.get(Secret, secretKey(remote.name, key.name), signal);
    const uid = secret && podUidOf(secret);
    if (!secret || uid === undefined) return;
    const absent = await confirmAbsent(this.#context.local, Pod, { ...key, uid }, signal);
    if (absent) await this.#remove(session, secret, signal);
  }

  async #remove(session: Session, secret: Stored<Secret>, signal: AbortSignal): Promise<void> {
    this.#good.delete(podUidOf(secret) ?? '');
    await remove(session, secret, signal);
  }

  /**
   * Gives back when to look again, as the tokens themselves say: a provider that changes the Secret at once does not make this
   * cluster issue tokens on and on.
   */
  async #renew(
    { local, route, session }: TokenedPod,
    { wanted, existing, owner }: Renewal,
    signal: AbortSignal,
  ): Promise<number> {
    const tokens = await Promise.all(wanted.map((one) => this.#issue(local, one, signal)));
    const secret = forgeTokenSecret(local, tokens, route);
    const written = await write(session, secret, existing, signal);
    if (owner) await own(session, written, owner, signal);
    return this.#remember(local, renewalAtMs(tokens), owner);
  }

  /** Spread out: pods that have started together do not all ask at the same moment. */
  #remember(
    { metadata }: TokenedPod['local'],
    dueMs: number,
    owner: Stored<ShadowPod> | undefined,
  ): number {
    const { clock, random } = this.#context;
    const untilMs = dueMs + random() * spreadMs;
    this.#good.set(metadata.uid, { untilMs, owner: owner?.metadata.uid });
    return untilMs - clock.now();
  }

  async #issue(
    { metadata, spec }: TokenedPod['local'],
    wanted: WantedToken,
    signal: AbortSignal,
  ): Promise<IssuedToken> {
    const { namespace, name, uid } = metadata;
    const account = { namespace, name: spec?.serviceAccountName ?? 'default' };
    const boundObjectRef = { apiVersion: 'v1', kind: 'Pod', name, uid };
    const { audience, expirationSeconds } = wanted;
    const request = { audiences: audience ? [audience] : [], expirationSeconds, boundObjectRef };
    const { status } = await this.#context.local.createToken(account, request, signal);
    if (!status)
      throw new Error(`Cannot get a token of service account "${account.name}": no answer`);
    const { token, expirationTimestamp } = status;
    return { ...wanted, token, expiresAtMs: parseTime(String(expirationTimestamp)) };
  }
}

/** How much later than necessary tokens are renewed, at most. */
const spreadMs = 30_000;

interface Renewal {
  readonly wanted: readonly WantedToken[];
  readonly existing: Stored<Secret> | undefined;
  readonly owner: Stored<ShadowPod> | undefined;
}

interface GoodTokens {
  readonly untilMs: number;
  /** The UID of the shadow pod that they go with; undefined while there was none. */
  readonly owner: string | undefined;
}

function write(
  { client }: Session,
  secret: Secret,
  existing: Stored<Secret> | undefined,
  signal: AbortSignal,
): Promise<Stored<Secret>> {
  if (!existing) return client.create(Secret, secret, signal);
  const { resourceVersion, uid, ownerReferences } = existing.metadata;
  const owned = ownerReferences && { ownerReferences };
  const metadata = { ...secret.metadata, resourceVersion, uid, ...owned };
  return client.update(Secret, { ...secret, metadata }, signal);
}

/** Whatever becomes of us: with its shadow pod go the tokens. */
async function own(
  session: Session,
  { metadata }: Stored<Secret>,
  owner: Stored<ShadowPod>,
  signal: AbortSignal,
): Promise<void> {
  const { name, uid } = owner.metadata;
  if (metadata.ownerReferences?.some((one) => one.uid === uid)) return;
  const reference = { apiVersion: apiVersionOf(ShadowPod), kind: ShadowPod.kind, name, uid };
  const { namespace, name: secretName, resourceVersion } = metadata;
  const patch = mergePatch({ metadata: { resourceVersion, ownerReferences: [reference] } });
  await session.client.patch(Secret, { namespace, name: secretName }, patch, signal);
}

function podUidOf({ metadata }: Stored<Secret>): string | undefined {
  return metadata.annotations?.[annotations.serviceAccountForPodUid];
}

function secretKey(namespace: string, podName: string): ObjectKey {
  return { namespace, name: serviceAccountTokenSecretName(podName) };
}

async function remove(
  session: Session,
  { metadata }: Stored<Secret>,
  signal: AbortSignal,
): Promise<void> {
  const { namespace, name, uid } = metadata;
  try {
    await session.client.delete(Secret, { namespace, name }, { preconditions: { uid }, signal });
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}
