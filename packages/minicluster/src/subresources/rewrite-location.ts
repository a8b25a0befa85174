/** Whom a redirect can mean when it means whoever was asked. */
export interface KnownHosts {
  readonly backend: string;
  /** As the client calls the API server. */
  readonly client: string;
}

/** A redirect of somebody behind a proxy, such that whoever follows it comes back through the proxy at `prefix`. */
export function rewriteLocation(location: string, hosts: KnownHosts, prefix: string): string {
  const [, origin = '', host = '', path = ''] =
    /^((?:[a-z][a-z\d+.-]*:)?\/\/([^/?#]*))?(.*)$/i.exec(location) ?? [];
  const isForeign = host !== '' && host !== hosts.backend && host !== hosts.client;
  if (isForeign || !path.startsWith('/')) return location;
  const kept = host === hosts.client ? origin : '';
  return path.startsWith(prefix) ? `${kept}${path}` : `${kept}${prefix}${path}`;
}
