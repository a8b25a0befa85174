import type { Clock, Random } from '@liqo/kube';
import type { Item } from '../../store/collection.ts';
import type { Store } from '../../store/store.ts';
import { randomUuid } from '../random-uuid.ts';
import { quoteList } from '../rbac/describe-rules.ts';
import { serviceAccountUser, serviceAccountUserName } from '../service-account-user.ts';
import { credentialIdKey, type User } from '../user.ts';
import { findTokenFault } from './find-token-fault.ts';
import type { KubernetesClaims, ServiceAccountClaims } from './service-account-claims.ts';
import { peekClaims, SigningKey } from './signing-key.ts';

interface ServiceAccountTokensOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  /** Whom tokens name as their issuer; also the audience of the API server itself. */
  readonly issuer: string;
  /** A new one when absent. */
  readonly key?: SigningKey | undefined;
}

/** What a token is worth: a user, with the audiences it was made for among those asked about; or why it is nothing. */
export type TokenVerdict =
  | { readonly user: User; readonly audiences: readonly string[] }
  | { readonly fault: string };

interface IssueRequest {
  readonly account: Item;
  readonly audiences: readonly string[];
  readonly expirationSeconds: number;
  /** Besides the account: what the token is bound to, and its node. */
  readonly bound: Omit<KubernetesClaims, 'namespace' | 'serviceaccount'>;
}

/** Signatures that were checked once are not checked again: that is the expensive part of a request with a token. */
const rememberedTokens = 1024;

/** Issues the tokens of service accounts and recognises them. */
export class ServiceAccountTokens {
  /** The audience that tokens are for when nobody says otherwise. */
  readonly audiences: readonly string[];
  readonly #options: ServiceAccountTokensOptions;
  readonly key: SigningKey;
  readonly #verified = new Map<string, ServiceAccountClaims>();

  constructor(options: ServiceAccountTokensOptions) {
    this.#options = options;
    this.key = options.key ?? new SigningKey();
    this.audiences = [options.issuer];
  }

  issue({ account, audiences, expirationSeconds, bound }: IssueRequest): string {
    const { clock, random, issuer } = this.#options;
    const { namespace = '', name, uid } = account.metadata;
    const nowSeconds = Math.floor(clock.now() / 1000);
    const claims: ServiceAccountClaims = {
      aud: audiences,
      exp: nowSeconds + expirationSeconds,
      iat: nowSeconds,
      iss: issuer,
      jti: randomUuid(random),
      'kubernetes.io': { namespace, ...bound, serviceaccount: { name, uid } },
      nbf: nowSeconds,
      sub: serviceAccountUserName({ namespace, name }),
    };
    return this.key.sign(claims);
  }

  /** Undefined for a token that is none of ours; `wanted` are the audiences, one of which it has to be for. */
  verify(token: string, wanted: readonly string[]): TokenVerdict | undefined {
    if (peekClaims(token)?.iss !== this.#options.issuer) return undefined;
    const verified = this.#verifySignature(token);
    if (typeof verified === 'string') return { fault: verified };
    const audiences = wanted.filter((audience) => verified.aud.includes(audience));
    if (audiences.length === 0) {
      const fault = `token audiences ${quoteList(verified.aud)} is invalid for the target audiences ${quoteList(wanted)}`;
      return { fault };
    }
    const { store, clock } = this.#options;
    const fault = findTokenFault(verified, store, clock.now());
    return fault === undefined ? { user: userOf(verified), audiences } : { fault };
  }

  #verifySignature(token: string): ServiceAccountClaims | string {
    const known = this.#verified.get(token);
    if (known) return known;
    const fault = this.key.faultOf(token);
    if (fault !== undefined) return fault;
    const claims = peekClaims(token) as unknown as ServiceAccountClaims;
    this.#remember(token, claims);
    return claims;
  }

  #remember(token: string, claims: ServiceAccountClaims): void {
    const [oldest] = this.#verified.keys();
    if (oldest !== undefined && this.#verified.size >= rememberedTokens) {
      this.#verified.delete(oldest);
    }
    this.#verified.set(token, claims);
  }
}

function userOf({ jti, 'kubernetes.io': claims }: ServiceAccountClaims): User {
  const { namespace, serviceaccount, pod, node } = claims;
  const extra = {
    [credentialIdKey]: `JTI=${jti}`,
    'authentication.kubernetes.io/node-name': node?.name,
    'authentication.kubernetes.io/node-uid': node?.uid,
    'authentication.kubernetes.io/pod-name': pod?.name,
    'authentication.kubernetes.io/pod-uid': pod?.uid,
  };
  const known = Object.entries(extra).flatMap(([key, value]) => (value ? [[key, [value]]] : []));
  const user = serviceAccountUser({ namespace, name: serviceaccount.name }, serviceaccount.uid);
  return { ...user, extra: Object.fromEntries(known) };
}
