import {
  asItIs,
  copied,
  type FieldTable,
  following,
  refused,
  removed,
  translated,
} from './field-rule.ts';

/**
 * Every field of the pod spec of Kubernetes 1.35. The translation removes by this table, and the published page is made
 * from it. A field that is not here yet is copied.
 */
export const podSpecFields: FieldTable = {
  activeDeadlineSeconds: following(copied('Counted from the start at the provider.')),
  affinity: translated(
    'Speaks of nodes and pods of the consumer, so it is dropped. In its place: the node affinity of the offloading ' +
      'patch, and the anti-affinity that the annotation `liqo.io/anti-affinity-preset` asks for.',
  ),
  automountServiceAccountToken: translated(
    '`false`: the provider’s own token is not for this pod. With `liqo.io/api-server-support: remote`, `true` unless ' +
      'the pod says `false`.',
  ),
  containers: translated('See the fields of a container.'),
  dnsConfig: asItIs,
  dnsPolicy: asItIs,
  enableServiceLinks: asItIs,
  ephemeralContainers: following(
    removed(
      'A pod cannot be created with them. Those that `kubectl debug` adds to a running pod are added at the provider, with ' +
        'the variables of a container, and end with the pod there.',
    ),
  ),
  hostAliases: translated(
    'Copied. Where the consumer’s API server is reached through the network between the clusters, an alias for ' +
      '`kubernetes.default` is added.',
  ),
  hostIPC: removed('The host belongs to the provider.'),
  hostNetwork: removed(
    'The host belongs to the provider. With it go the host ports that Kubernetes has filled in because of it.',
  ),
  hostPID: removed('The host belongs to the provider.'),
  hostUsers: asItIs,
  hostname: asItIs,
  hostnameOverride: asItIs,
  imagePullSecrets: asItIs,
  initContainers: translated('See the fields of a container.'),
  nodeName: removed('Names the virtual node; the provider’s scheduler chooses the real one.'),
  nodeSelector: translated(
    'Speaks of nodes of the consumer, so it is dropped. In its place: the one of the offloading patch.',
  ),
  os: asItIs,
  overhead: removed('Filled in by the provider from its own RuntimeClass.'),
  preemptionPolicy: removed('Filled in by the provider from its own priority classes.'),
  priority: removed('Filled in by the provider from its own priority classes.'),
  priorityClassName: removed('The classes of the consumer mean nothing to the provider.'),
  readinessGates: removed(
    'Judged at the consumer, where the controllers that set their conditions are.',
  ),
  resourceClaims: refused(
    'Devices are claimed in the cluster that has them, and claims are not reflected.',
  ),
  resources: following(asItIs),
  restartPolicy: asItIs,
  runtimeClassName: translated(
    'The first of: the annotation `liqo.io/remote-runtime-class-name`, the pod’s own unless it is `liqo`, the one of ' +
      'the offloading patch.',
  ),
  schedulerName: removed('The provider schedules with its own scheduler.'),
  schedulingGates: removed('Passed already: a gated pod is not bound to a node.'),
  securityContext: copied('The Pod Security level of the namespace at the provider applies.'),
  serviceAccount: removed('The old name of `serviceAccountName`.'),
  serviceAccountName: translated(
    'Dropped: the account is one of the consumer. With `liqo.io/api-server-support: remote` it is kept, or is the one ' +
      'that the annotation `liqo.io/remote-service-account-name` names; the provider must list it.',
  ),
  setHostnameAsFQDN: asItIs,
  shareProcessNamespace: asItIs,
  subdomain: asItIs,
  terminationGracePeriodSeconds: asItIs,
  tolerations: following(
    translated(
      'Without the one of `virtual-node.liqo.io/not-allowed`; those of the offloading patch are added.',
    ),
  ),
  topologySpreadConstraints: translated(
    'Spreads over the nodes of the provider. Label keys that the consumer’s API server has merged into the selector ' +
      'are not repeated.',
  ),
  volumes: translated('See the fields of a volume.'),
  workloadRef: removed('Pods that are scheduled together were scheduled at the consumer.'),
};
