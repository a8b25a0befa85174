import {
  allKinds,
  clusterIDInPublic,
  fixedNames,
  forgeCustomResourceDefinition,
  labels,
  labelValues,
  type VkOptionsTemplate,
  virtualNodeToleration,
} from '@liqo/api';
import type {
  ClusterRoleBinding,
  ConfigMap,
  Deployment,
  KubeObject,
  NetworkPolicy,
  Role,
  RoleBinding,
  RuntimeClass,
  StorageClass,
} from '@liqo/kube';
import { storageProvisioner } from '@liqo/model';
import { choose, when } from './chart/when.ts';
import { withExtra } from './chart/with-extra.ts';
import { componentSelector, releaseLabels } from './component-labels.ts';
import { consumerArguments } from './consumer-arguments.ts';
import { forgeDisruptionBudgets } from './disruption-budgets.ts';
import { electionLease } from './election-lease.ts';
import {
  controllerManagerRole,
  controllerManagerTenantRole,
  forgeClusterKeysRole,
  localVirtualKubelet,
  virtualKubeletReflection,
  virtualKubeletTokens,
} from './local-roles.ts';
import { forgeMonitoring } from './monitoring/forge-monitors.ts';
import { peerRoles } from './peer-roles.ts';
import { forgePeeringUserRole, peeringUserTenantRole } from './peering-user-roles.ts';
import { imageReference, podSettings } from './pod-settings.ts';
import { forgeConsumerPolicies } from './policies/consumer-policies.ts';
import { forgeVirtualKubeletPolicies } from './policies/virtual-kubelet-policies.ts';
import { forgeWebhookSkipPolicy } from './policies/webhook-skip-policy.ts';
import { sliceArguments } from './slice-arguments.ts';
import { defaultValues, type Values } from './values.ts';
import { forgeWebhook } from './webhook/forge-webhook.ts';
import { webhookRole } from './webhook/webhook-roles.ts';

/** The kinds, which exist before anything else does. */
export function forgeKinds(): readonly KubeObject[] {
  return allKinds.map((kind) => forgeCustomResourceDefinition(kind));
}

/**
 * Everything of an installation but the kinds, in the order in which it can be created. The chart, the embedded clusters and
 * whoever installs all come from here.
 */
export function forgeManifests(values: Values): readonly KubeObject[] {
  const { labels: extra } = values.common;
  return forgeAll(values).map((object) => {
    const { metadata = {} } = object;
    return {
      ...object,
      metadata: { ...metadata, labels: withExtra(metadata.labels ?? {}, extra) },
    };
  });
}

/** Every object that an installation can have, whatever its values were. */
export function forgeEverything(namespace: string): readonly KubeObject[] {
  const { monitoring } = defaultValues;
  const { dashboard } = monitoring;
  return forgeManifests({
    ...defaultValues,
    clusterID: '',
    namespace,
    storage: { enabled: true },
    networkPolicies: { enabled: true },
    disruptionBudgets: { enabled: true },
    monitoring: { ...monitoring, enabled: true, dashboard: { ...dashboard, enabled: true } },
  });
}

function forgeAll(values: Values): readonly KubeObject[] {
  const { namespace } = values;
  return [
    typed('v1', 'Namespace', forgeNamespace(values)),
    typed('v1', 'ConfigMap', forgeClusterID(values)),
    ...forgePublicClusterID(values),
    ...clusterRoles.map((role) => typed('rbac.authorization.k8s.io/v1', 'ClusterRole', role)),
    ...forgeVirtualKubeletPolicies(namespace),
    ...forgeConsumerPolicies(values.consumers),
    ...forgeWebhookSkipPolicy(),
    ...when(values.storage.enabled, [typed('storage.k8s.io/v1', 'StorageClass', storageClass)]),
    typed('node.k8s.io/v1', 'RuntimeClass', runtimeClass),
    typed('v1', 'ServiceAccount', { metadata: { name: controllerManager, namespace } }),
    typed('rbac.authorization.k8s.io/v1', 'ClusterRoleBinding', forgeBinding(values)),
    ...forgeClusterKeysAccess(values),
    typed('rbac.authorization.k8s.io/v1', 'Role', forgePeeringUserRole(namespace)),
    typed('offloading.liqo.io/v1beta1', 'VkOptionsTemplate', forgeOptions(values)),
    ...when(values.networkPolicies.enabled, [
      typed('networking.k8s.io/v1', 'NetworkPolicy', forgeNetworkPolicy(values)),
    ]),
    ...forgeDisruptionBudgets(values),
    ...forgeMonitoring(values),
    typed('coordination.k8s.io/v1', 'Lease', { metadata: { name: electionLease, namespace } }),
    typed('apps/v1', 'Deployment', forgeControllerManager(values)),
    ...forgeWebhook(values),
  ];
}

const { controllerManager } = fixedNames;
const rbac = 'rbac.authorization.k8s.io';

const clusterRoles = [
  ...peerRoles,
  peeringUserTenantRole,
  localVirtualKubelet,
  virtualKubeletReflection,
  virtualKubeletTokens,
  controllerManagerTenantRole,
  controllerManagerRole,
  webhookRole,
];

/** For claims whose storage is at the provider that their first pod goes to: only Nodes of such providers come into question. */
const storageClass: StorageClass = {
  metadata: { name: fixedNames.storageClass },
  provisioner: storageProvisioner,
  reclaimPolicy: 'Delete',
  volumeBindingMode: 'WaitForFirstConsumer',
  allowedTopologies: [
    { matchLabelExpressions: [{ key: labels.storageAvailable, values: ['true'] }] },
  ],
};

/** For pods that run at a provider, in namespaces with any strategy. No node looks at the handler: virtual kubelets leave it out. */
const runtimeClass: RuntimeClass = {
  metadata: { name: fixedNames.runtimeClass },
  handler: fixedNames.runtimeClass,
  scheduling: {
    nodeSelector: { [labels.type]: labelValues.virtualNode },
    tolerations: [{ ...virtualNodeToleration }],
  },
};

function typed(apiVersion: string, kind: string, object: KubeObject): KubeObject {
  return { apiVersion, kind, ...object };
}

/** The controllers need nothing that the strictest level would refuse. */
function forgeNamespace({ namespace }: Values): KubeObject {
  return {
    metadata: { name: namespace, labels: { 'pod-security.kubernetes.io/enforce': 'restricted' } },
  };
}

function forgeClusterID({ namespace, clusterID }: Values): KubeObject & { data: object } {
  return {
    metadata: {
      name: fixedNames.clusterIDConfigMap,
      namespace,
      labels: { 'app.kubernetes.io/name': 'clusterid-configmap' },
    },
    data: { CLUSTER_ID: clusterID },
  };
}

/** Whoever has credentials here may ask whose they are: peers find out before they send anything to the wrong cluster. */
function forgePublicClusterID({ clusterID }: Values): readonly KubeObject[] {
  const metadata = { ...clusterIDInPublic };
  const { name } = metadata;
  const role: Role = {
    metadata,
    rules: [{ apiGroups: [''], resources: ['configmaps'], resourceNames: [name], verbs: ['get'] }],
  };
  const binding: RoleBinding = {
    metadata,
    roleRef: { apiGroup: rbac, kind: 'Role', name },
    subjects: [{ apiGroup: rbac, kind: 'Group', name: 'system:authenticated' }],
  };
  const configMap: ConfigMap = { metadata, data: { CLUSTER_ID: clusterID } };
  return [
    typed('v1', 'ConfigMap', configMap),
    typed('rbac.authorization.k8s.io/v1', 'Role', role),
    typed('rbac.authorization.k8s.io/v1', 'RoleBinding', binding),
  ];
}

function forgeBinding({ namespace }: Values): ClusterRoleBinding {
  return {
    metadata: { name: controllerManager },
    roleRef: { apiGroup: rbac, kind: 'ClusterRole', name: controllerManager },
    subjects: [{ kind: 'ServiceAccount', name: controllerManager, namespace }],
  };
}

function forgeClusterKeysAccess({ namespace }: Values): readonly KubeObject[] {
  const role = forgeClusterKeysRole(namespace);
  const { name = '' } = role.metadata ?? {};
  const binding: RoleBinding = {
    metadata: { name, namespace },
    roleRef: { apiGroup: rbac, kind: 'Role', name },
    subjects: [{ kind: 'ServiceAccount', name: controllerManager, namespace }],
  };
  return [
    typed('rbac.authorization.k8s.io/v1', 'Role', role),
    typed('rbac.authorization.k8s.io/v1', 'RoleBinding', binding),
  ];
}

function forgeOptions({ namespace, image, common, virtualKubelet }: Values): VkOptionsTemplate {
  const { replicas, createNode, disableNetworkCheck, extraArgs, requests, limits, metrics } =
    virtualKubelet;
  const { podLabels, podAnnotations, nodeLabels, nodeAnnotations, reflection } = virtualKubelet;
  return {
    metadata: { name: fixedNames.defaultVkOptionsTemplate, namespace },
    spec: {
      containerImage: imageReference(image),
      pullPolicy: image.pullPolicy,
      imagePullSecrets: [...image.pullSecrets],
      createNode,
      disableNetworkCheck,
      metricsEnabled: metrics.enabled,
      metricsAddress: choose(metrics.enabled, `:${metrics.port}`, ''),
      replicas,
      tolerations: [...common.tolerations] as Tolerations,
      resources: { requests: { ...requests }, limits: { ...limits } },
      reflectorsConfig: reflection,
      labelsNotReflected: [...virtualKubelet.labelsNotReflected],
      annotationsNotReflected: [...virtualKubelet.annotationsNotReflected],
      extraLabels: withExtra(podLabels, common.labels),
      extraAnnotations: podAnnotations,
      nodeExtraLabels: nodeLabels,
      nodeExtraAnnotations: nodeAnnotations,
      extraArgs: [...extraArgs],
    },
  };
}

type Tolerations = NonNullable<VkOptionsTemplate['spec']['tolerations']>;

/**
 * Nothing connects to the controllers but the kubelet of their node, which no policy concerns, and the scraper of metrics. What
 * they connect to is not restricted: the API servers of peers can have any address and port.
 */
function forgeNetworkPolicy(values: Values): NetworkPolicy {
  const { port, namespace } = values.controllerManager.metrics;
  const from = [
    { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': namespace } } },
  ];
  return {
    metadata: { name: controllerManager, namespace: values.namespace },
    spec: {
      podSelector: { matchLabels: componentSelector(values, 'controller-manager') },
      policyTypes: ['Ingress'],
      ingress: [{ ports: [{ port, protocol: 'TCP' }], from }],
    },
  };
}

function forgeControllerManager(values: Values): Deployment {
  const { namespace, image, clusterID, common, monitoring } = values;
  const { replicas, logLevel, podSecurityLevel, drainTimeoutSeconds, healthPort, metrics } =
    values.controllerManager;
  const { extraArgs, requests, limits } = values.controllerManager;
  const { tlsCompatibilityMode } = values.authentication;
  // Prometheus connects from another pod.
  const metricsHost = choose(monitoring.enabled, '', metrics.host);
  const { address, ca, trustedCA } = values.apiServer;
  const selected = componentSelector(values, 'controller-manager');
  const labels = { ...selected, ...releaseLabels };
  return {
    metadata: { name: controllerManager, namespace, labels },
    spec: {
      replicas,
      selector: { matchLabels: selected },
      template: {
        metadata: { labels: withExtra(labels, common.labels) },
        spec: {
          ...podSettings(values),
          serviceAccountName: controllerManager,
          securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
          containers: [
            {
              name: 'controller-manager',
              image: imageReference(image),
              imagePullPolicy: image.pullPolicy,
              command: ['/usr/bin/liqo', 'controller-manager'],
              args: [
                `--cluster-id=${clusterID}`,
                `--liqo-namespace=${namespace}`,
                `--log-level=${logLevel}`,
                `--pod-security-level=${podSecurityLevel}`,
                `--drain-timeout-seconds=${drainTimeoutSeconds}`,
                `--api-server-address-override=${address}`,
                `--ca-override=${ca}`,
                `--trusted-ca=${trustedCA}`,
                `--allow-insecure-peers=${values.peers.allowInsecure}`,
                `--authentication-enabled=${values.authentication.enabled}`,
                `--offloading-enabled=${values.offloading.enabled}`,
                `--tls-compatibility-mode=${tlsCompatibilityMode}`,
                `--health-probe-address=:${healthPort}`,
                `--metrics-address=${metricsHost}:${metrics.port}`,
                '--enable-leader-election=true',
                ...sliceArguments(values.slices),
                ...consumerArguments(values.consumers),
                ...extraArgs,
              ],
              env: [{ name: 'POD_NAME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }],
              ports: [
                { name: 'healthz', containerPort: healthPort, protocol: 'TCP' },
                { name: 'metrics', containerPort: metrics.port, protocol: 'TCP' },
              ],
              livenessProbe: { httpGet: { path: '/healthz', port: 'healthz' } },
              readinessProbe: { httpGet: { path: '/readyz', port: 'healthz' }, periodSeconds: 2 },
              resources: { requests: { ...requests }, limits: { ...limits } },
              securityContext: {
                allowPrivilegeEscalation: false,
                readOnlyRootFilesystem: true,
                capabilities: { drop: ['ALL'] },
              },
            },
          ],
        },
      },
    },
  };
}
