import { labels, tenantNamespaceName } from '@liqo/api';

/** What decides whether a namespace may be offloaded. */
interface NamespaceIdentity {
  readonly name: string;
  readonly labels?: Readonly<Record<string, string>> | undefined;
}

/**
 * Why a namespace of the consumer cannot be offloaded, as a clause; undefined if it can. Only namespaces whose pods run the
 * cluster or Liqo are refused: names such as `liqo-demo` are free, and so is `default`, as in Liqo.
 */
export function whyNotOffloadable(
  namespace: NamespaceIdentity,
  liqoNamespace: string,
): string | undefined {
  const { name } = namespace;
  if (isOfKubernetes(name)) return `"${name}" is a namespace of Kubernetes itself`;
  if (name === liqoNamespace) return `Liqo itself is installed in "${name}"`;
  if (isTenantNamespace(namespace)) {
    return `"${name}" is a tenant namespace, which holds what Liqo knows about a peer`;
  }
  return undefined;
}

/**
 * Whether a provider refuses a name to every consumer, even if no such namespace exists. Consumers choose the names: a name
 * that the provider will use itself, such as that of a future tenant namespace, must not be theirs.
 */
export function isReservedAtProvider(name: string, liqoNamespace: string): boolean {
  const isTenantName = name.startsWith(tenantNamespaceName(''));
  return name === 'default' || name === liqoNamespace || isOfKubernetes(name) || isTenantName;
}

/** The label decides, not the name: a tenant namespace may be called anything. */
function isTenantNamespace(namespace: NamespaceIdentity): boolean {
  return namespace.labels?.[labels.tenantNamespace] !== undefined;
}

function isOfKubernetes(name: string): boolean {
  return name.startsWith('kube-');
}
