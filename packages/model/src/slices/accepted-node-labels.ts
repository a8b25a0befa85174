const mostLabels = 64;
/** Kubernetes' own: zones and regions are what a provider has to tell. */
const allowedPrefixes: readonly string[] = ['topology.kubernetes.io'];
const reservedDomains: readonly string[] = ['kubernetes.io', 'k8s.io', 'liqo.io'];
/** Of Liqo, said by providers about themselves. */
const allowedKeys: readonly string[] = ['liqo.io/provider'];

const name = /^[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/;
const prefix = /^(?=.{1,253}$)[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;

/**
 * The labels of a provider that the Node of its slice gets. Labels of Kubernetes and Liqo, such as roles of nodes, attract pods
 * and decide what controllers do: a provider may not set them.
 */
export function acceptedNodeLabels(
  labels: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  const accepted = Object.entries(labels).filter(([key, value]) => isAccepted(key, value));
  return Object.fromEntries(accepted.toSorted().slice(0, mostLabels));
}

function isAccepted(key: string, value: unknown): boolean {
  if (typeof value !== 'string' || (value !== '' && !name.test(value))) return false;
  const parts = key.split('/');
  const [domain, rest] = parts.length === 1 ? [undefined, key] : parts;
  if (parts.length > 2 || rest === undefined || !name.test(rest)) return false;
  return domain === undefined || allowedKeys.includes(key) || isOwnDomain(domain);
}

function isOwnDomain(domain: string): boolean {
  if (!prefix.test(domain)) return false;
  if (allowedPrefixes.includes(domain)) return true;
  return !reservedDomains.some((one) => domain === one || domain.endsWith(`.${one}`));
}
