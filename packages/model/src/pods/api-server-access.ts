import { annotations } from '@liqo/api';
import type { Pod } from '@liqo/kube';

/** How pods at the provider reach the API server of the consumer. */
export interface ConsumerApiServer {
  /** As its certificate names it: `kubernetes.default`, or an address of its own. */
  readonly host: string;
  readonly port: string;
  /** What the host resolves to at the provider, where the network between the clusters gives it an address there. */
  readonly aliasIP?: string;
}

/** Whose API server an offloaded pod talks to, if any. */
export type ApiServerAccess =
  | { readonly type: 'none' }
  | { readonly type: 'consumer'; readonly server: ConsumerApiServer }
  | { readonly type: 'provider'; readonly serviceAccountName?: string };

export function apiServerAccess(pod: Pod, server: ConsumerApiServer | undefined): ApiServerAccess {
  const wishes = pod.metadata?.annotations ?? {};
  switch (wishes[annotations.apiServerSupport]) {
    case 'disabled':
      return { type: 'none' };
    case 'remote':
      return providerAccess(pod, wishes[annotations.remoteServiceAccountName]);
    default:
      return server ? { type: 'consumer', server } : { type: 'none' };
  }
}

function providerAccess(pod: Pod, chosen: string | undefined): ApiServerAccess {
  const serviceAccountName = chosen || pod.spec?.serviceAccountName;
  return { type: 'provider', ...(serviceAccountName && { serviceAccountName }) };
}
