import { type NamedCluster, placeOf } from './kubeconfig.ts';
import { type FilePolicy, type PemSource, pemSource } from './pem-source.ts';
import type { Place } from './place.ts';

/** Where a cluster is and how to know that it is the one: a cluster entry, checked. */
export interface ClusterEndpoint {
  readonly server: URL;
  readonly proxyUrl: URL | undefined;
  readonly tlsServerName: string | undefined;
  readonly insecureSkipVerify: boolean;
  readonly authority: PemSource | undefined;
}

/** Throws a `KubeconfigError` when kubectl could not use the cluster either. */
export function clusterEndpoint(entry: NamedCluster, files: FilePolicy): ClusterEndpoint {
  const { cluster } = entry;
  const place = placeOf(entry).key('cluster');
  const authority = pemSource(cluster, 'certificate-authority', place, files);
  const insecureSkipVerify = cluster['insecure-skip-tls-verify'] ?? false;
  if (insecureSkipVerify && authority) {
    const reason = `is true but "${authority.key}" is set, which would not be looked at; remove one of them`;
    throw place.key('insecure-skip-tls-verify').problem(reason);
  }
  return {
    server: parseServer(cluster.server, place.key('server')),
    proxyUrl: parseProxyUrl(cluster['proxy-url'], place.key('proxy-url')),
    tlsServerName: cluster['tls-server-name'] || undefined,
    insecureSkipVerify,
    authority,
  };
}

function parseServer(text: string | undefined, place: Place): URL {
  if (!text) throw place.problem('is missing; give the URL of the API server');
  const url = parseUrl(text);
  if (!url || !['https:', 'http:'].includes(url.protocol)) {
    throw place.problem('is not a URL that starts with "https://" or "http://"');
  }
  if (url.username || url.password) {
    throw place.problem('holds a user name or password; move them to the user entry');
  }
  url.search = '';
  url.hash = '';
  return url;
}

/** The value is kept out of messages: it may hold the password for the proxy. */
function parseProxyUrl(text: string | undefined, place: Place): URL | undefined {
  if (!text) return undefined;
  const url = parseUrl(text);
  if (url?.protocol === 'socks5:' || url?.protocol === 'socks5h:') {
    throw place.problem('is a SOCKS proxy, which is not supported; use an HTTP proxy');
  }
  if (!url || !['https:', 'http:'].includes(url.protocol)) {
    throw place.problem('is not a URL that starts with "https://" or "http://"');
  }
  return url;
}

function parseUrl(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}
