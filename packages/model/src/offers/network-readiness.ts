import type { Configuration, ForeignCluster } from '@liqo/api';
import type { Readiness } from './next-offer-status.ts';

export interface NetworkFacts {
  /** Of the provider. */
  readonly configurations: readonly Configuration[];
  readonly foreignCluster: ForeignCluster | undefined;
  /** `disableNetworkCheck` of the options of virtual kubelets. */
  readonly isCheckDisabled: boolean;
}

/**
 * Whether the network to a provider is ready for a virtual node. A network module is at work for a peer once there is a
 * Configuration, a gateway or a connection of it: then the range by which this cluster knows its pods has to be published, which
 * is that of the provider if there is nothing to remap. A peer without any of these is used without a network.
 */
export function judgeNetwork(facts: NetworkFacts): Readiness {
  const { configurations, foreignCluster, isCheckDisabled } = facts;
  if (isCheckDisabled) {
    const message = 'disableNetworkCheck is set in the VkOptionsTemplate';
    return { isReady: true, reason: 'CheckDisabled', message };
  }
  const isInstalled =
    configurations.length > 0 || foreignCluster?.status?.modules?.networking.enabled === true;
  if (!isInstalled) {
    const message = 'There is no Configuration of the provider: no network module is waited for';
    return { isReady: true, reason: 'NoNetworkModule', message };
  }
  if (configurations.some(isPublished)) {
    return {
      isReady: true,
      reason: 'RemappingPublished',
      message: 'The pods have their addresses',
    };
  }
  const message = 'Waiting for the Configuration of the provider to publish the range of its pods';
  return { isReady: false, reason: 'WaitingForNetwork', message };
}

function isPublished({ status }: Configuration): boolean {
  const { pod = [] } = status?.remote?.cidr ?? {};
  return pod.length > 0;
}
