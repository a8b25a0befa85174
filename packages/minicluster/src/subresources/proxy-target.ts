/** What a proxy is asked for: `name`, `name:port` or `scheme:name:port`. */
export interface ProxyTarget {
  readonly scheme: '' | 'http' | 'https';
  readonly name: string;
  /** A number or a name; empty for the first or only one. */
  readonly port: string;
}

/** Undefined when the text is none of the three forms. */
export function parseProxyTarget(text: string): ProxyTarget | undefined {
  const parts = text.split(':');
  if (parts.length > 3) return undefined;
  const [scheme = '', name = '', port = ''] = parts.length === 3 ? parts : ['', ...parts];
  const isScheme = scheme === '' || scheme === 'http' || scheme === 'https';
  return isScheme && name ? { scheme, name, port } : undefined;
}
