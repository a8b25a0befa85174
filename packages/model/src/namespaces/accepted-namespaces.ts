import type { NamespaceMap } from '@liqo/api';
import { whyNotOffloadable } from './reserved-namespaces.ts';

/**
 * The namespaces that are offloaded to a provider: their names there by their names at the consumer. The status comes from
 * the provider, which may write anything into it. It only confirms what the spec asks for, under the name that the spec
 * asks for, and it never makes a namespace of Kubernetes or of Liqo an offloaded one.
 */
export function acceptedNamespaces(
  map: NamespaceMap | undefined,
  liqoNamespace: string,
): ReadonlyMap<string, string> {
  const answers = new Map(Object.entries(map?.status?.currentMapping ?? {}));
  const accepted = new Map<string, string>();
  for (const [local, wanted] of Object.entries(map?.spec?.desiredMapping ?? {})) {
    const { phase, remoteNamespace } = answers.get(local) ?? {};
    const isAccepted = phase === 'Accepted' && remoteNamespace === wanted;
    if (isAccepted && !whyNotOffloadable({ name: local }, liqoNamespace))
      accepted.set(local, wanted);
  }
  return accepted;
}
