import { jsonItems } from './json-items.ts';
import type { Values } from './values.ts';

/** The arguments of the controller manager about consumers. */
export function consumerArguments({
  namespacePatterns,
  maxNamespaces,
  maxPods,
  maxSlices,
  pods,
  storageClasses,
  deniedEndpointRanges,
  allowedEndpointRanges,
}: Values['consumers']): readonly string[] {
  return [
    `--consumer-namespace-patterns=${jsonItems(namespacePatterns)}`,
    `--consumer-max-namespaces=${maxNamespaces}`,
    `--consumer-max-pods=${maxPods}`,
    `--consumer-max-slices=${maxSlices}`,
    `--consumer-storage-classes=${jsonItems(storageClasses)}`,
    `--consumer-denied-endpoint-ranges=${jsonItems(deniedEndpointRanges)}`,
    `--consumer-allowed-endpoint-ranges=${jsonItems(allowedEndpointRanges)}`,
    `--consumer-pod-volume-types=${jsonItems(pods.volumeTypes)}`,
    `--consumer-pod-service-accounts=${jsonItems(pods.serviceAccounts)}`,
    `--consumer-pod-runtime-classes=${jsonItems(pods.runtimeClasses)}`,
    `--consumer-pod-priority-class=${pods.priorityClassName}`,
    `--consumer-pod-denied-tolerations=${jsonItems(pods.deniedTolerations)}`,
    `--consumer-pod-denied-node-labels=${jsonItems(pods.deniedNodeLabels)}`,
    `--consumer-pod-denied-annotations=${jsonItems(pods.deniedAnnotations)}`,
  ];
}
