import type { PodRoute } from '../pods/translate-pod-spec.ts';

/** From the consumer rome through its virtual node "milan" to the provider milan. */
export const romeToMilan: PodRoute = {
  consumerClusterID: 'rome',
  providerClusterID: 'milan',
  nodeName: 'milan',
  remoteNamespace: 'shop-rome',
};
