import { defaultValues } from '@liqo/manifests';
import type { ControllerManagerOptions } from './controller-manager.ts';
import type { FlagValues } from './flags.ts';
import { parseRanges } from './parse-ranges.ts';

const { pods, ...consumers } = defaultValues.consumers;

/** What a provider lets its consumers have. */
export const consumerFlags = {
  'consumer-namespace-patterns': {
    type: 'words',
    default: consumers.namespacePatterns.join(),
    help: 'names of the namespaces made for consumers, * for any text, <consumer> for the cluster ID of the consumer',
  },
  'consumer-max-namespaces': {
    type: 'number',
    default: String(consumers.maxNamespaces),
    help: 'namespaces of each consumer',
  },
  'consumer-max-pods': {
    type: 'number',
    default: String(consumers.maxPods),
    help: 'pods of each consumer, in all of its namespaces',
  },
  'consumer-max-slices': {
    type: 'number',
    default: String(consumers.maxSlices),
    help: 'ResourceSlices of each consumer that are accepted',
  },
  'consumer-storage-classes': {
    type: 'words',
    default: consumers.storageClasses.join(),
    help: 'storage classes that slices may offer, or * for all',
  },
  'consumer-denied-endpoint-ranges': {
    type: 'words',
    default: consumers.deniedEndpointRanges.join(),
    help: 'ranges of this cluster, besides those of its Nodes and Services, that no endpoint of a consumer may be in',
  },
  'consumer-allowed-endpoint-ranges': {
    type: 'words',
    default: consumers.allowedEndpointRanges.join(),
    help: 'ranges that endpoints of consumers may be in although Nodes, pods or Services of this cluster are',
  },
  'consumer-pod-volume-types': {
    type: 'words',
    default: pods.volumeTypes.join(),
    help: 'types of the volumes of their pods',
  },
  'consumer-pod-service-accounts': {
    type: 'words',
    default: pods.serviceAccounts.join(),
    help: 'service accounts that their pods may run as, or * for all',
  },
  'consumer-pod-runtime-classes': {
    type: 'words',
    default: pods.runtimeClasses.join(),
    help: 'runtime classes of their pods, or * for all',
  },
  'consumer-pod-priority-class': {
    type: 'string',
    default: pods.priorityClassName,
    help: 'priority class of their pods; the default of the cluster when empty',
  },
  'consumer-pod-denied-tolerations': {
    type: 'words',
    default: pods.deniedTolerations.join(),
    help: 'taints that their pods may not tolerate, by the beginning of the key',
  },
  'consumer-pod-denied-node-labels': {
    type: 'words',
    default: pods.deniedNodeLabels.join(),
    help: 'labels by which their pods may not choose nodes, by the beginning of the key',
  },
  'consumer-pod-denied-annotations': {
    type: 'words',
    default: pods.deniedAnnotations.join(),
    help: 'annotations and labels that are removed from their pods, by the beginning of the key',
  },
} as const;

/** What the flags say, to the controllers. */
export function readConsumerFlags(
  command: string,
  values: FlagValues<typeof consumerFlags>,
): Pick<
  ControllerManagerOptions,
  'endpointRanges' | 'namespacePatterns' | 'podPolicy' | 'tenantLimits'
> {
  const rangesOf = (flag: 'consumer-allowed-endpoint-ranges' | 'consumer-denied-endpoint-ranges') =>
    parseRanges(command, flag, values[flag]);
  return {
    endpointRanges: {
      denied: rangesOf('consumer-denied-endpoint-ranges'),
      allowed: rangesOf('consumer-allowed-endpoint-ranges'),
    },
    namespacePatterns: values['consumer-namespace-patterns'],
    tenantLimits: {
      namespaces: values['consumer-max-namespaces'],
      pods: values['consumer-max-pods'],
      slices: values['consumer-max-slices'],
    },
    podPolicy: {
      volumeTypes: values['consumer-pod-volume-types'],
      serviceAccounts: values['consumer-pod-service-accounts'],
      runtimeClasses: values['consumer-pod-runtime-classes'],
      priorityClassName: values['consumer-pod-priority-class'],
      deniedTolerations: values['consumer-pod-denied-tolerations'],
      deniedNodeLabels: values['consumer-pod-denied-node-labels'],
      deniedAnnotations: values['consumer-pod-denied-annotations'],
    },
  };
}
