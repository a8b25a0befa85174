import { refuseReservedHost } from '../guarded-lookup.ts';
import { hostOf } from '../host-of.ts';
import { type NamedCluster, placeOf } from './kubeconfig.ts';
import type { KubeconfigTrust } from './kubeconfig-trust.ts';
import { type PemSource, pemSource } from './pem-source.ts';
import type { Place } from './place.ts';

/** Where a cluster is and how to know that it is the one: a cluster entry, checked. */
export interface ClusterEndpoint {
  readonly server: URL;
  readonly proxyUrl: URL | undefined;
  readonly tlsServerName: string | undefined;
  readonly insecureSkipVerify: boolean;
  readonly authority: PemSource | undefined;
}

/** Throws a `KubeconfigError` when kubectl could not use the cluster either, or when the kubeconfig is not trusted to. */
export function clusterEndpoint(entry: NamedCluster, trust: KubeconfigTrust): ClusterEndpoint {
  const { cluster } = entry;
  const place = placeOf(entry).key('cluster');
  const authority = pemSource(cluster, 'certificate-authority', place, trust.files);
  const insecureSkipVerify = cluster['insecure-skip-tls-verify'] ?? false;
  if (insecureSkipVerify && authority) {
    const reason = `is true but "${authority.key}" is set, which would not be looked at; remove one of them`;
    throw place.key('insecure-skip-tls-verify').problem(reason);
  }
  const server = parseServer(cluster.server, place.key('server'));
  const proxyUrl = parseProxyUrl(cluster['proxy-url'], place.key('proxy-url'));
  if (trust.insecureServers === 'forbidden') {
    if (server.protocol === 'http:') throw insecureRefusal(place.key('server'), 'is plain HTTP');
    const at = place.key('insecure-skip-tls-verify');
    if (insecureSkipVerify) throw insecureRefusal(at, 'is true');
  }
  if (trust.reservedAddresses === 'forbidden') {
    refuseReserved(server, place.key('server'));
    if (proxyUrl) refuseReserved(proxyUrl, place.key('proxy-url'));
  }
  return {
    server,
    proxyUrl,
    tlsServerName: cluster['tls-server-name'] || undefined,
    insecureSkipVerify,
    authority,
  };
}

function insecureRefusal(place: Place, fact: string) {
  return place.problem(
    `${fact}, and this kubeconfig is not trusted to connect without verification; ` +
      'use https and "certificate-authority-data"',
  );
}

function refuseReserved(url: URL, place: Place): void {
  const problem = refuseReservedHost(hostOf(url));
  if (problem) throw place.problem(problem);
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
