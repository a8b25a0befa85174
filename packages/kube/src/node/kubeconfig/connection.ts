import type { ConnectionOptions } from 'node:tls';
import type { ReplaceableCredentials } from '../../transport.ts';
import type { Permission } from './kubeconfig-trust.ts';

/**
 * How to reach an API server and who to be there: what a transport needs. Certificates, tokens and passwords stay inside
 * it; neither `util.inspect` nor `JSON.stringify` shows them.
 */
export interface Connection extends Partial<ReplaceableCredentials> {
  /** `http:` or `https:`; its path, if it has one, comes before the path of every request. */
  readonly server: URL;
  readonly namespace: string;
  /** `http:` or `https:`, with the user name and password for the proxy in it. */
  readonly proxyUrl: URL | undefined;
  /** Whether a name may resolve to a loopback, link-local or metadata address: `allowed` when absent. */
  readonly reservedAddresses?: Permission;

  /** The options for opening a TLS connection now. For `https:` servers only. */
  tls(signal?: AbortSignal): Promise<ConnectionTls>;

  /**
   * The credentials for a request made now: runs an exec plugin, or reads a file again, when it is time to. As long as
   * nothing changes it is the same object. A connection opened with another `tlsGeneration` proves another identity, so
   * the request has to go over a new one.
   */
  credentials(signal?: AbortSignal): Promise<RequestCredentials>;

  /**
   * To be called when the server answered 401 to a request with these credentials. Gets new ones where that is possible,
   * once however many requests were refused, and resolves to whether the request is worth repeating.
   */
  onUnauthorized(refused: RequestCredentials, signal?: AbortSignal): Promise<boolean>;
}

/** Options for `tls.connect`, ready to be spread into it; the client certificate is inside the secure context. */
export interface ConnectionTls
  extends Pick<
    ConnectionOptions,
    'secureContext' | 'rejectUnauthorized' | 'servername' | 'checkServerIdentity'
  > {
  readonly generation: number;
}

export interface RequestCredentials {
  /** Names in lower case. A list is a header to be sent several times: groups to impersonate cannot be joined. */
  readonly headers: Readonly<Record<string, string | string[]>>;
  /** Counts up whenever the client certificate changes. */
  readonly tlsGeneration: number;
}
