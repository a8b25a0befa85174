/** Base64 texts and plain ASCII words: what the checks of AuthParams let through. */
export interface KubeconfigTextParts {
  /** The name of the cluster entry. */
  readonly provider: string;
  /** The name of the user entry. */
  readonly user: string;
  readonly server: string;
  readonly proxyUrl?: string | undefined;
  /** Base64; without it the public authorities are trusted. */
  readonly ca?: string | undefined;
  /** Base64. */
  readonly certificate: string;
  /** Base64. */
  readonly key: string;
  readonly namespace?: string | undefined;
}

/** The YAML of a kubeconfig with one context. The same parts give the same text, so that nothing is rewritten in vain. */
export function forgeKubeconfigText(parts: KubeconfigTextParts): string {
  const { provider, user, server, proxyUrl, ca, certificate, key, namespace } = parts;
  const lines = [
    'apiVersion: v1',
    'kind: Config',
    'clusters:',
    `- name: ${quote(provider)}`,
    '  cluster:',
    ca && `    certificate-authority-data: ${quote(ca)}`,
    proxyUrl && `    proxy-url: ${quote(proxyUrl)}`,
    `    server: ${quote(server)}`,
    'contexts:',
    '- name: default-context',
    '  context:',
    `    cluster: ${quote(provider)}`,
    namespace && `    namespace: ${quote(namespace)}`,
    `    user: ${quote(user)}`,
    'current-context: default-context',
    'users:',
    `- name: ${quote(user)}`,
    '  user:',
    `    client-certificate-data: ${quote(certificate)}`,
    `    client-key-data: ${quote(key)}`,
    '',
  ];
  return lines.filter((line) => typeof line === 'string').join('\n');
}

/** A JSON string is a YAML string, whatever is in it. */
function quote(text: string): string {
  return JSON.stringify(text);
}
