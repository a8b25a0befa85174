import type { Configuration } from '@liqo/api';
import type { Readiness } from './next-offer-status.ts';

/**
 * Whether the network to a provider is ready for a virtual node. Without a Configuration of the provider there is no network
 * module at work, and nothing to wait for. With one, the range by which this cluster knows its pods has to be published.
 */
export function judgeNetwork(configurations: readonly Configuration[]): Readiness {
  if (configurations.length === 0) {
    const message = 'There is no Configuration of the provider: no network module is waited for';
    return { isReady: true, reason: 'NoNetworkModule', message };
  }
  const isPublished = configurations.some(({ status }) => {
    const { pod } = status?.remote?.cidr ?? {};
    return pod !== undefined && pod.length > 0;
  });
  if (isPublished) {
    return {
      isReady: true,
      reason: 'RemappingPublished',
      message: 'The pods have their addresses',
    };
  }
  const message = 'Waiting for the Configuration of the provider to publish the range of its pods';
  return { isReady: false, reason: 'WaitingForNetwork', message };
}
