import { allKinds, annotations, builtInGroups, labels } from '@liqo/api';
import type { KubeObject } from '@liqo/kube';
import type { Values } from '../values.ts';
import { celList } from './cel-list.ts';
import { forgePolicy, type PolicyDraft, type Requirement } from './forge-policy.ts';

type ConsumerValues = Values['consumers'];

/**
 * What a consumer may not put into the namespaces that were made for it, although its role lets it create the kind: objects
 * that act on traffic, volumes or credentials outside of the namespace. The provider's own users are not concerned.
 */
export function forgeConsumerPolicies(values: ConsumerValues): readonly KubeObject[] {
  return [
    ...forgeServices(values),
    ...forgeIngresses(values),
    ...forgeClaims(values),
    ...secrets,
    ...slices,
    ...endpoints,
    ...forgeAnnotations(values),
    ...finalizers,
    ...forgeCustomResources(values),
  ];
}

/** A user of the consumer has its cluster ID as name or group: that is what its rights are bound to. */
const isUser = `has(namespaceObject.metadata.labels) && '${labels.remoteClusterID}' in namespaceObject.metadata.labels && (namespaceObject.metadata.labels['${labels.remoteClusterID}'] == request.userInfo.username || (has(request.userInfo.groups) && namespaceObject.metadata.labels['${labels.remoteClusterID}'] in request.userInfo.groups))`;

/** Kubernetes makes claims for the ephemeral volumes of pods, with rights of its own. */
const isForPod =
  "has(object.metadata.ownerReferences) && object.metadata.ownerReferences.exists(owner, owner.kind == 'Pod')";

type ConsumerDraft = Pick<
  PolicyDraft,
  'name' | 'apiGroup' | 'resources' | 'further' | 'excludedGroups' | 'requirements'
> & {
  /** Whether it is the consumer that acts, or somebody for it. */
  readonly isConsumer?: string;
};

/** Conditions of a policy see no namespace, so each requirement names the exception. */
function forgeConsumerPolicy({
  requirements,
  isConsumer = isUser,
  ...draft
}: ConsumerDraft): readonly KubeObject[] {
  return forgePolicy({
    ...draft,
    operations: ['CREATE', 'UPDATE'],
    namespaceSelector: {
      matchExpressions: [{ key: labels.remoteClusterID, operator: 'Exists' }],
    },
    variables: { isConsumer },
    requirements: requirements.map(({ expression, message }) => ({
      expression: `!variables.isConsumer || (${expression})`,
      message,
    })),
  });
}

function forgeServices(values: ConsumerValues): readonly KubeObject[] {
  const { serviceTypes, allowExternalIPs } = values;
  return forgeConsumerPolicy({
    name: 'liqo-consumer-services',
    apiGroup: '',
    resources: ['services', 'services/status'],
    requirements: [
      {
        expression: `!has(object.spec.type) || object.spec.type in ${celList(serviceTypes)}`,
        message: 'the provider does not allow consumers Services of this type',
      },
      {
        expression: `${allowExternalIPs} || !has(object.spec.externalIPs) || object.spec.externalIPs.all(address, oldObject != null && has(oldObject.spec.externalIPs) && address in oldObject.spec.externalIPs)`,
        message: 'the provider does not allow consumers external IPs',
      },
      {
        expression: `${allowExternalIPs} || !has(object.spec.loadBalancerIP) || object.spec.loadBalancerIP == '' || (oldObject != null && has(oldObject.spec.loadBalancerIP) && object.spec.loadBalancerIP == oldObject.spec.loadBalancerIP)`,
        message: 'the provider does not allow consumers to choose the IP of a load balancer',
      },
    ],
  });
}

/** `*` allows every host, and none; `*.example.org` every host below it, and that wildcard. */
function forgeIngresses({ ingressHosts }: ConsumerValues): readonly KubeObject[] {
  const patterns = celList(ingressHosts);
  const isAllowed = (host: string) =>
    `${patterns}.exists(pattern, pattern == '*' || pattern == ${host} || (pattern.startsWith('*.') && ${host}.endsWith(pattern.substring(1))))`;
  return forgeConsumerPolicy({
    name: 'liqo-consumer-ingresses',
    apiGroup: 'networking.k8s.io',
    resources: ['ingresses'],
    requirements: [
      {
        expression: `!has(object.spec.rules) || object.spec.rules.all(rule, has(rule.host) ? ${isAllowed('rule.host')} : '*' in ${patterns})`,
        message: 'the provider does not allow consumers Ingresses for this host',
      },
      {
        expression: `!has(object.spec.tls) || object.spec.tls.all(entry, !has(entry.hosts) || entry.hosts.all(host, ${isAllowed('host')}))`,
        message: 'the provider does not allow consumers certificates for this host',
      },
      {
        expression: `!has(object.spec.defaultBackend) || '*' in ${patterns}`,
        message: 'the provider does not allow consumers Ingresses for all hosts',
      },
    ],
  });
}

/** A claim without a class takes any volume without one. Kubernetes has set the default class before this is evaluated. */
function forgeClaims({
  allowChosenVolumes,
  storageClasses,
}: ConsumerValues): readonly KubeObject[] {
  const requirements: readonly Requirement[] = [
    {
      expression: `${allowChosenVolumes} || !has(object.spec.volumeName) || object.spec.volumeName == '' || (oldObject != null && has(oldObject.spec.volumeName) && object.spec.volumeName == oldObject.spec.volumeName)`,
      message: 'the provider does not allow consumers to choose a volume',
    },
    {
      expression: `${allowChosenVolumes} || !has(object.spec.selector)`,
      message: 'the provider does not allow consumers to choose a volume by its labels',
    },
    {
      expression: `${allowChosenVolumes} || oldObject != null || (has(object.spec.storageClassName) && object.spec.storageClassName != '')`,
      message:
        'a claim of a consumer needs a storage class: without one it would take any volume that has none',
    },
    {
      expression: `!has(object.spec.storageClassName) || object.spec.storageClassName == '' || ${celList(storageClasses)}.exists(name, name == '*' || name == object.spec.storageClassName) || (oldObject != null && has(oldObject.spec.storageClassName) && object.spec.storageClassName == oldObject.spec.storageClassName)`,
      message: 'the provider does not allow consumers this storage class',
    },
    {
      expression:
        "!has(object.spec.dataSourceRef) || !has(object.spec.dataSourceRef.namespace) || object.spec.dataSourceRef.namespace == '' || object.spec.dataSourceRef.namespace == request.namespace",
      message: 'a claim of a consumer cannot have its data from another namespace',
    },
  ];
  return forgeConsumerPolicy({
    name: 'liqo-consumer-claims',
    apiGroup: '',
    resources: ['persistentvolumeclaims'],
    isConsumer: `${isUser} || (${isForPod})`,
    requirements,
  });
}

/** Kubernetes would put a token without an expiry into it. */
const secrets = forgeConsumerPolicy({
  name: 'liqo-consumer-secrets',
  apiGroup: '',
  resources: ['secrets'],
  requirements: [
    {
      expression: "!has(object.type) || object.type != 'kubernetes.io/service-account-token'",
      message: 'consumers cannot have tokens of service accounts of the provider',
    },
  ],
});

const cordons = celList([annotations.cordon, annotations.cordonTenant]);
const cordonOf = (object: string) =>
  `(has(${object}.metadata.annotations) && key in ${object}.metadata.annotations ? ${object}.metadata.annotations[key] : '')`;

const labelOf = (key: string, object = 'object') =>
  `(has(${object}.metadata.labels) && '${key}' in ${object}.metadata.labels ? ${object}.metadata.labels['${key}'] : '')`;
const remoteClusterID = labelOf(labels.remoteClusterID);

/**
 * The provider cordons a slice by an annotation on the copy that the consumer writes. What is not marked as a copy would be
 * taken for a request of the provider itself.
 */
const slices = forgeConsumerPolicy({
  name: 'liqo-consumer-slices',
  apiGroup: 'authentication.liqo.io',
  resources: ['resourceslices'],
  requirements: [
    {
      expression: `oldObject == null || ${cordons}.all(key, ${cordonOf('object')} == ${cordonOf('oldObject')})`,
      message: 'only the provider cordons and uncordons the slices of consumers',
    },
    {
      expression: `${labelOf(labels.replicated)} == 'true' && ${labelOf(labels.replication)} != 'true'`,
      message: `the slices of consumers are copies: the label ${labels.replicated}=true is required, and ${labels.replication}=true is not allowed`,
    },
    {
      expression: `${remoteClusterID} in ['', namespaceObject.metadata.labels['${labels.remoteClusterID}']] && (oldObject == null || ${remoteClusterID} == ${labelOf(labels.remoteClusterID, 'oldObject')})`,
      message: `the label ${labels.remoteClusterID} of a slice is that of its namespace, and does not change`,
    },
  ],
});

const endpoints = forgeConsumerPolicy({
  name: 'liqo-consumer-endpoints',
  apiGroup: 'offloading.liqo.io',
  resources: ['shadowendpointslices'],
  requirements: [
    {
      expression:
        '!has(object.spec) || !has(object.spec.template) || !has(object.spec.template.endpoints) || object.spec.template.endpoints.all(endpoint, !has(endpoint.addresses) || endpoint.addresses.all(address, isIP(address) && ip(address).isGlobalUnicast()))',
      message: 'endpoints of a consumer are unicast IP addresses, not loopback or link-local ones',
    },
  ],
});

/** Other controllers of the provider take orders from annotations and labels, with their own rights. */
function annotationRequirements({ deniedAnnotations }: ConsumerValues): readonly Requirement[] {
  return (['annotations', 'labels'] as const).map((field) => ({
    expression: `!has(object.metadata.${field}) || object.metadata.${field}.all(key, !${celList(deniedAnnotations)}.exists(prefix, key.startsWith(prefix)) || (oldObject != null && has(oldObject.metadata.${field}) && key in oldObject.metadata.${field} && oldObject.metadata.${field}[key] == object.metadata.${field}[key]))`,
    message: `the provider does not allow consumers one of these ${field}`,
  }));
}

function forgeAnnotations(values: ConsumerValues): readonly KubeObject[] {
  const requirements = annotationRequirements(values);
  const core = ['configmaps', 'secrets', 'services', 'services/status'];
  const claims = ['persistentvolumeclaims'];
  return [
    { name: 'liqo-consumer-annotations', apiGroup: '', resources: core },
    {
      name: 'liqo-consumer-claim-annotations',
      apiGroup: '',
      resources: claims,
      isConsumer: `${isUser} || (${isForPod})`,
    },
    {
      name: 'liqo-consumer-ingress-annotations',
      apiGroup: 'networking.k8s.io',
      resources: ['ingresses'],
    },
    {
      name: 'liqo-consumer-endpoint-annotations',
      apiGroup: 'offloading.liqo.io',
      resources: ['shadowendpointslices'],
    },
  ].flatMap((draft) => forgeConsumerPolicy({ ...draft, requirements }));
}

/** The one of claims is set by Kubernetes before this is evaluated. */
const noFinalizers: Requirement = {
  expression:
    "!has(object.metadata.finalizers) || object.metadata.finalizers.all(name, name == 'kubernetes.io/pvc-protection' || (oldObject != null && has(oldObject.metadata.finalizers) && name in oldObject.metadata.finalizers))",
  message: 'the provider does not allow consumers finalizers',
};

/** An object that only its consumer can release would keep its namespace, and the tenant, from ending. */
const finalizers = forgeConsumerPolicy({
  name: 'liqo-consumer-finalizers',
  apiGroup: '',
  resources: ['configmaps', 'events', 'persistentvolumeclaims', 'secrets', 'services'],
  further: {
    'authentication.liqo.io': ['renews', 'resourceslices'],
    'networking.k8s.io': ['ingresses'],
    'offloading.liqo.io': ['namespacemaps', 'shadowendpointslices', 'shadowpods'],
  },
  requirements: [noFinalizers],
});

const groupsOfKubernetes = ['', 'apps', 'autoscaling', 'batch', 'policy', ...builtInGroups];
const groupsOfLiqo = new Set(allKinds.map(({ group }) => group));

/** Of any custom resource that the provider lets consumers have: its name is not known here. */
function forgeCustomResources(values: ConsumerValues): readonly KubeObject[] {
  return forgeConsumerPolicy({
    name: 'liqo-consumer-custom-resources',
    apiGroup: '*',
    resources: ['*'],
    excludedGroups: [...groupsOfKubernetes, ...groupsOfLiqo],
    requirements: [noFinalizers, ...annotationRequirements(values)],
  });
}
