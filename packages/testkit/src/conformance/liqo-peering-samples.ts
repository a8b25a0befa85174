import {
  Advertisement,
  ClusterConfig,
  ForeignCluster,
  Identity,
  NamespaceMap,
  NamespaceOffloading,
  Quota,
  Renew,
  ResourceSlice,
  ShadowEndpointSlice,
  ShadowPod,
  Tenant,
  VirtualNode,
  VkOptionsTemplate,
} from '@liqo/api';
import type { Sample } from './liqo-kind-document.ts';
import {
  authParams,
  deployment,
  later,
  liqoCondition,
  nodeSelector,
  pem,
  podSpec,
  quota,
  reference,
  time,
} from './liqo-kind-fragments.ts';

/** One document for each kind of the peering, with every field that is worth a check. */
export const peeringSamples: readonly Sample[] = [
  [
    ForeignCluster,
    {
      spec: { clusterID: 'milan' },
      status: {
        role: 'Provider',
        observedGeneration: 1,
        apiServerUrl: 'https://milan.example:6443',
        tenantNamespace: { local: 'liqo-tenant-milan', remote: 'liqo-tenant-rome' },
        modules: {
          networking: { enabled: false },
          authentication: { enabled: true },
          offloading: {
            enabled: true,
            conditions: [{ type: 'OffloadingNodeStatus', status: 'Ready', ...liqoCondition }],
          },
        },
        conditions: [{ type: 'APIServerStatus', status: 'Established' }],
      },
    },
  ],
  [
    Tenant,
    {
      spec: {
        clusterID: 'rome',
        authzPolicy: 'KeysExchange',
        publicKey: pem,
        csr: pem,
        signature: pem,
        tenantCondition: 'Cordoned',
      },
      status: { tenantNamespace: 'liqo-tenant-rome', authParams },
    },
  ],
  [
    Identity,
    {
      spec: { clusterID: 'milan', type: 'ControlPlane', namespace: 'liqo-tenant-rome', authParams },
      status: { kubeconfigSecretRef: { name: 'kubeconfig-controlplane-milan' } },
    },
  ],
  [
    ResourceSlice,
    {
      spec: {
        class: 'default',
        consumerClusterID: 'rome',
        providerClusterID: 'milan',
        resources: quota,
        csr: pem,
      },
      status: {
        conditions: [{ type: 'Authentication', status: 'Accepted', ...liqoCondition }],
        resources: quota,
        authParams,
        storageClasses: [{ storageClassName: 'liqo', default: true }],
        ingressClasses: [{ ingressClassName: 'nginx' }],
        loadBalancerClasses: [{ loadBalancerClassName: 'metallb' }],
        nodeLabels: { 'liqo.io/provider': 'kubeadm' },
        nodeSelector: { lent: 'true' },
      },
    },
  ],
  [
    Renew,
    {
      spec: { consumerClusterID: 'rome', identityType: 'ControlPlane' },
      status: { authParams },
    },
  ],
  [
    VirtualNode,
    {
      spec: {
        clusterID: 'milan',
        createNode: true,
        disableNetworkCheck: true,
        kubeconfigSecretRef: { name: 'kubeconfig-resourceslice-milan' },
        resourceQuota: { hard: quota },
        labels: { region: 'eu' },
        annotations: { owner: 'team-a' },
        taints: [{ key: 'gpu', effect: 'NoSchedule' }],
        images: [{ names: ['nginx:1.29'], sizeBytes: 1000 }],
        storageClasses: [{ storageClassName: 'liqo' }],
        vkOptionsTemplateRef: reference,
        offloadingPatch: {
          annotationsNotReflected: ['a'],
          labelsNotReflected: ['b'],
          nodeSelector: { lent: 'true' },
          tolerations: [{ key: 'gpu', operator: 'Exists', effect: '' }],
          affinity: {
            nodeAffinity: {
              requiredDuringSchedulingIgnoredDuringExecution: nodeSelector,
              preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, preference: {} }],
            },
          },
          runtimeClassName: 'kata',
        },
        template: deployment,
      },
      status: {
        // Genuine virtual nodes carry the same type more than once.
        conditions: [
          { type: 'Node', status: 'Running', lastTransitionTime: time },
          { type: 'Node', status: 'Running', lastTransitionTime: time },
        ],
      },
    },
  ],
  [
    VkOptionsTemplate,
    {
      spec: {
        containerImage: 'virtual-kubelet',
        createNode: true,
        disableNetworkCheck: false,
        metricsEnabled: true,
        metricsAddress: ':8082',
        reflectorsConfig: { pod: { workers: 10 }, secret: { workers: 3, type: 'DenyList' } },
        resources: { requests: { cpu: '100m' }, limits: { memory: '1Gi' } },
        replicas: 2,
        imagePullSecrets: [{ name: 'pull' }],
        pullPolicy: 'IfNotPresent',
        extraArgs: ['--enable-apiserver-support=true'],
      },
    },
  ],
  [
    NamespaceOffloading,
    {
      spec: {
        namespaceMappingStrategy: 'SelectedName',
        remoteNamespaceName: 'shop-of-rome',
        podOffloadingStrategy: 'Remote',
        clusterSelector: nodeSelector,
      },
      status: {
        offloadingPhase: 'Ready',
        remoteNamespaceName: 'shop-of-rome',
        observedGeneration: 1,
        remoteNamespacesConditions: {
          milan: [{ type: 'Ready', status: 'True', ...liqoCondition }],
        },
      },
    },
  ],
  [
    NamespaceMap,
    {
      spec: { desiredMapping: { shop: 'shop-rome' } },
      status: { currentMapping: { shop: { remoteNamespace: 'shop-rome', phase: 'Accepted' } } },
    },
  ],
  [
    Quota,
    {
      spec: {
        user: 'milan-a8a4c692b93b',
        limitsEnforcement: 'Soft',
        resources: quota,
        cordoned: false,
      },
    },
  ],
  [ShadowPod, { spec: { pod: podSpec }, status: { phase: 'Running' } }],
  [
    ShadowEndpointSlice,
    {
      spec: {
        template: {
          addressType: 'IPv4',
          endpoints: [{ addresses: ['10.0.0.1'], hints: { forNodes: [{ name: 'n' }] } }],
          ports: [{ name: 'http', port: 8080, protocol: 'TCP' }],
        },
      },
    },
  ],
  [
    Advertisement,
    {
      spec: {
        providerClusterID: 'milan',
        consumerClusterID: 'rome',
        resourceQuota: { hard: quota },
        kubeConfigRef: { name: 'vk-kubeconfig-secret-milan' },
        timestamp: time,
        timeToLive: later,
        labels: { region: 'eu' },
        prices: { cpu: 1, memory: '2m' },
        neighbors: { turin: { cpu: '3' } },
        properties: { tier: 'gold' },
        withdrawalTimestamp: later,
      },
      status: {
        phase: 'Accepted',
        decision: { value: 'Accepted', source: 'Policy', reason: 'AcceptedByPolicy', time },
        conditions: [{ type: 'Accepted', status: 'True', ...liqoCondition }],
        virtualNodeRef: { name: 'liqo-milan' },
        lastRefreshTime: time,
        expirationTime: later,
        observedGeneration: 1,
      },
    },
  ],
  [
    ClusterConfig,
    {
      spec: {
        advertisementConfig: {
          outgoingConfig: {
            resourceSharingPercentage: 50,
            refreshPeriodSeconds: 60,
            validitySeconds: 120,
            labelPolicies: [{ key: 'gpu', policy: 'LabelPolicyAllTrue' }],
          },
          ingoingConfig: {
            acceptPolicy: 'Manual',
            maxAcceptableAdvertisements: 0,
            allowedClusterIDs: ['milan'],
            deniedClusterIDs: ['turin'],
          },
          keepaliveThreshold: 0,
        },
      },
    },
  ],
];
