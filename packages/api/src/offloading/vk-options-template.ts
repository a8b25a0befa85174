import type { ObjectOf } from '@liqo/kube';
import { mostReflectedResources, nameLength } from '../bounds.ts';
import { builtInGroups } from '../built-in-groups.ts';
import { localObjectReference } from '../embedded/local-object-reference.ts';
import { resourceRequirements } from '../embedded/resource-requirements.ts';
import { stringList } from '../embedded/string-list.ts';
import { stringMap } from '../embedded/string-map.ts';
import { toleration } from '../embedded/toleration.ts';
import { ageColumn, defineResource } from '../resource.ts';
import { boolean, describe, integer, list, map, object, string, stringEnum } from '../schema.ts';

const reflectorConfig = object({
  required: { workers: integer({ minimum: 0, description: '0 switches the reflection off.' }) },
  optional: {
    type: describe(
      stringEnum('AllowList', 'DenyList', 'CustomLiqo', 'Disabled'),
      'Whether objects opt in or opt out, by annotation. Disabled is the same as 0 workers.',
    ),
  },
});

const dnsName = '^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)+$';
const dnsLabel = '^[a-z]([-a-z0-9]*[a-z0-9])?$';

const reflectedResource = object({
  required: {
    group: string({
      pattern: dnsName,
      maxLength: nameLength,
      description: 'Of the API, such as "example.org".',
    }),
    version: string({ pattern: dnsLabel, maxLength: 63 }),
    resource: string({
      pattern: dnsLabel,
      maxLength: 63,
      description: 'The plural in small letters, such as "widgets".',
    }),
  },
  optional: {
    type: describe(
      stringEnum('AllowList', 'DenyList'),
      'Whether objects opt in or opt out, by annotation. DenyList when absent.',
    ),
  },
  rules: [
    {
      rule: `!(self.group in ${JSON.stringify(builtInGroups)})`,
      message: 'the kinds of Kubernetes are not custom resources',
      fieldPath: '.group',
    },
    {
      rule: "self.group != 'liqo.io' && !self.group.endsWith('.liqo.io')",
      message: 'the kinds of Liqo are not reflected',
      fieldPath: '.group',
    },
  ],
});

export const VkOptionsTemplate = defineResource({
  apiVersion: 'offloading.liqo.io/v1beta1',
  kind: 'VkOptionsTemplate',
  plural: 'vkoptionstemplates',
  scope: 'Namespaced',
  shortNames: ['vkot', 'vkopt'],
  description: 'How virtual kubelets are run.',
  columns: [ageColumn],
  spec: object({
    required: {
      containerImage: string(),
      createNode: boolean('For virtual nodes that do not say.'),
      disableNetworkCheck: boolean('For virtual nodes that do not say.'),
      metricsEnabled: boolean(),
    },
    optional: {
      metricsAddress: string({ description: 'Where the metrics are served, as ":8080".' }),
      labelsNotReflected: describe(stringList, 'Keys of labels that stay at home.'),
      annotationsNotReflected: describe(stringList, 'Keys of annotations that stay at home.'),
      reflectorsConfig: describe(map(reflectorConfig), 'By resource: pod, service, secret …'),
      reflectedResources: describe(
        list(reflectedResource, { maxItems: mostReflectedResources }),
        'Custom resources to reflect: the spec goes to the provider, the status comes back.',
      ),
      resources: resourceRequirements,
      extraArgs: stringList,
      extraAnnotations: describe(stringMap, 'For the pods of the virtual kubelet.'),
      extraLabels: describe(stringMap, 'For the pods of the virtual kubelet.'),
      nodeExtraAnnotations: describe(stringMap, 'For the Node.'),
      nodeExtraLabels: describe(stringMap, 'For the Node.'),
      replicas: integer({ format: 'int32', minimum: 0 }),
      imagePullSecrets: list(localObjectReference),
      pullPolicy: stringEnum('Always', 'IfNotPresent', 'Never'),
      tolerations: list(toleration),
    },
  }),
});

export type VkOptionsTemplate = ObjectOf<typeof VkOptionsTemplate>;
