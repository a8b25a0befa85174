import { isIP } from 'node:net';
import { checkServerIdentity, createSecureContext, type SecureContext } from 'node:tls';
import { inspect } from 'node:util';
import { deepEqual } from '../../json.ts';
import type { ReplaceableCredentials } from '../../transport.ts';
import type { ClusterEndpoint } from './cluster-endpoint.ts';
import type { Connection, ConnectionTls, RequestCredentials } from './connection.ts';
import type { Identity } from './identity.ts';
import { isSameKeyPair, type KeyPair } from './key-pair.ts';
import type { Permission } from './kubeconfig-trust.ts';
import type { LiveValue } from './live-value.ts';

export interface ConnectionParts {
  readonly endpoint: ClusterEndpoint;
  readonly namespace: string;
  readonly identity: LiveValue<Identity>;
  /** PEM of the authorities to trust; `undefined` for the public ones. */
  readonly authority: LiveValue<string | undefined>;
  readonly impersonation: Readonly<Record<string, string | string[]>>;
  readonly reservedAddresses: Permission;
}

/** Everything is private or a getter, so that printing a connection prints where it leads and no secret. */
export class KubeconfigConnection implements Connection {
  #parts: ConnectionParts;
  #latest: { readonly identity: Identity; readonly credentials: SecretCredentials } | undefined;
  #context: CachedContext | undefined;

  constructor(parts: ConnectionParts) {
    this.#parts = parts;
  }

  get server(): URL {
    return this.#parts.endpoint.server;
  }

  get namespace(): string {
    return this.#parts.namespace;
  }

  get proxyUrl(): URL | undefined {
    return this.#parts.endpoint.proxyUrl;
  }

  get reservedAddresses(): Permission {
    return this.#parts.reservedAddresses;
  }

  async tls(signal?: AbortSignal): Promise<ConnectionTls> {
    const { endpoint, authority } = this.#parts;
    const identity = await this.#parts.identity.current(signal);
    return {
      generation: this.#adopt(identity).tlsGeneration,
      secureContext: this.#contextFor(await authority.current(signal), identity.keyPair),
      rejectUnauthorized: !endpoint.insecureSkipVerify,
      ...expectedName(endpoint.tlsServerName),
    };
  }

  async credentials(signal?: AbortSignal): Promise<RequestCredentials> {
    return this.#adopt(await this.#parts.identity.current(signal));
  }

  async onUnauthorized(refused: RequestCredentials, signal?: AbortSignal): Promise<boolean> {
    if (refused !== this.#latest?.credentials) return true;
    const identity = await this.#parts.identity.refresh(signal);
    return this.#adopt(identity) !== refused;
  }

  async replaceWith(others: ReplaceableCredentials): Promise<boolean> {
    if (!(others instanceof KubeconfigConnection)) return false;
    const [ours, theirs] = [this.#parts, others.#parts];
    if (!(await leadToSamePlace(ours, theirs))) return false;
    const [before, after] = [await ours.identity.current(), await theirs.identity.current()];
    if (!isSameIdentity(before, after)) this.#parts = { ...ours, identity: theirs.identity };
    return true;
  }

  toJSON(): { server: string; namespace: string } {
    return { server: this.server.href, namespace: this.namespace };
  }

  [inspect.custom](): string {
    return `Connection to ${this.server.href} (namespace ${this.namespace})`;
  }

  #adopt(identity: Identity): SecretCredentials {
    const latest = this.#latest;
    const sameKeyPair = latest?.identity.keyPair === identity.keyPair;
    if (latest && sameKeyPair && latest.identity.authorization === identity.authorization) {
      return latest.credentials;
    }
    const generation = latest?.credentials.tlsGeneration ?? 0;
    const headers = this.#headersOf(identity);
    const credentials = new SecretCredentials(headers, sameKeyPair ? generation : generation + 1);
    this.#latest = { identity, credentials };
    return credentials;
  }

  #headersOf({ authorization }: Identity): Headers {
    return Object.freeze({ ...(authorization && { authorization }), ...this.#parts.impersonation });
  }

  #contextFor(ca: string | undefined, keyPair: KeyPair | undefined): SecureContext {
    const cached = this.#context;
    if (cached && cached.ca === ca && cached.keyPair === keyPair) return cached.context;
    const context = createSecureContext({ ...(ca && { ca }), ...keyPair });
    this.#context = { ca, keyPair, context };
    return context;
  }
}

async function leadToSamePlace(one: ConnectionParts, other: ConnectionParts): Promise<boolean> {
  return (
    deepEqual(placeOf(one), placeOf(other)) &&
    (await one.authority.current()) === (await other.authority.current())
  );
}

/** What a request would have to be sent elsewhere for, or as somebody else for whom the user acts. */
function placeOf({ endpoint, namespace, impersonation, reservedAddresses }: ConnectionParts) {
  const { server, proxyUrl, tlsServerName, insecureSkipVerify } = endpoint;
  const addresses = [server.href, proxyUrl?.href ?? null, tlsServerName ?? null];
  return { addresses, insecureSkipVerify, namespace, impersonation, reservedAddresses };
}

function isSameIdentity(one: Identity, other: Identity): boolean {
  return one.authorization === other.authorization && isSameKeyPair(one.keyPair, other.keyPair);
}

type Headers = Readonly<Record<string, string | string[]>>;

interface CachedContext {
  readonly ca: string | undefined;
  readonly keyPair: KeyPair | undefined;
  readonly context: SecureContext;
}

class SecretCredentials implements RequestCredentials {
  readonly tlsGeneration: number;
  readonly #headers: Headers;

  constructor(headers: Headers, tlsGeneration: number) {
    this.#headers = headers;
    this.tlsGeneration = tlsGeneration;
  }

  get headers(): Headers {
    return this.#headers;
  }
}

/** An address may not be sent as server name (RFC 6066), but the certificate can be checked against it. */
function expectedName(name: string | undefined) {
  if (name === undefined) return {};
  if (!isIP(name)) return { servername: name };
  const check: typeof checkServerIdentity = (_host, cert) => checkServerIdentity(name, cert);
  return { checkServerIdentity: check };
}
