import { labels, labelValues, reflectionLeaseName } from '@liqo/api';
import type { KubeObject } from '@liqo/kube';
import { placeholderPath, storageProvisioner } from '@liqo/model';
import { forgePolicy } from './forge-policy.ts';

/**
 * What RBAC cannot say about a virtual kubelet: it acts on its own Node, its Leases and the pods bound to that Node, as the
 * admission plugin NodeRestriction demands of kubelets.
 */
export function forgeVirtualKubeletPolicies(liqoNamespace: string): readonly KubeObject[] {
  return [
    ...ownNode,
    ...ownPods,
    ...ownLeases,
    ...ownCertificates,
    ...ownEvents,
    ...ownVolumes,
    ...forgeTokens(liqoNamespace),
  ];
}

/** The name of the service account, which is that of the VirtualNode and of the Node. */
const account = "request.userInfo.username.split(':')[3]";
const accountNamespace = "request.userInfo.username.split(':')[2]";

const statusOfVirtualNodes = `authorizer.group('offloading.liqo.io').resource('virtualnodes').subresource('status').namespace(${accountNamespace})`;

/**
 * A virtual kubelet is a service account that may write the status of the VirtualNode of its own name, and of no other one
 * in its namespace. Names cannot tell: a tenant namespace may have any. Accounts with all rights in a namespace, or in the
 * cluster, may write every status.
 */
const condition = {
  name: 'from-a-virtual-kubelet',
  expression: [
    "request.userInfo.username.startsWith('system:serviceaccount:')",
    `${statusOfVirtualNodes}.name(${account}).check('patch').allowed()`,
    `!${statusOfVirtualNodes}.check('patch').allowed()`,
  ].join(' && '),
};

const variables = { node: account };

const ownNode = forgePolicy({
  name: 'liqo-virtual-kubelet-nodes',
  apiGroup: '',
  resources: ['nodes', 'nodes/*'],
  operations: ['CREATE', 'UPDATE', 'DELETE', 'CONNECT'],
  condition,
  variables,
  requirements: [
    {
      expression: 'request.name == variables.node',
      message: 'a virtual kubelet may only write its own Node',
    },
    {
      expression: `[object, oldObject].all(one, one == null || (has(one.metadata.labels) && '${labels.type}' in one.metadata.labels && one.metadata.labels['${labels.type}'] == '${labelValues.virtualNode}'))`,
      message: 'the Node of a virtual kubelet is a virtual node, and stays one',
    },
  ],
});

/** No request without an earlier pod passes: no creation, binding, eviction or connection. */
const ownPods = forgePolicy({
  name: 'liqo-virtual-kubelet-pods',
  apiGroup: '',
  resources: ['pods', 'pods/*'],
  operations: ['CREATE', 'UPDATE', 'DELETE', 'CONNECT'],
  condition,
  variables: {
    ...variables,
    labels: 'object != null && has(object.metadata.labels) ? object.metadata.labels : {}',
    oldLabels:
      'oldObject != null && has(oldObject.metadata.labels) ? oldObject.metadata.labels : {}',
  },
  requirements: [
    {
      expression:
        "request.operation in ['UPDATE', 'DELETE'] && oldObject != null && has(oldObject.spec.nodeName) && oldObject.spec.nodeName == variables.node",
      message: 'a virtual kubelet may only change and delete pods that are bound to its own Node',
    },
    {
      expression:
        "request.operation != 'UPDATE' || (has(request.subResource) && request.subResource == 'status')",
      message: 'a virtual kubelet may only change the status of pods',
    },
    {
      // The status subresource takes labels along, and labels put a pod into Services.
      expression: [
        `request.operation != 'UPDATE'`,
        `[variables.labels, variables.oldLabels].all(one, one.all(key, key == '${labels.shadowPod}' || (key in variables.labels && key in variables.oldLabels && variables.labels[key] == variables.oldLabels[key])))`,
      ].join(' || '),
      message: 'a virtual kubelet may not change the labels of pods',
    },
  ],
});

const ownLeases = forgePolicy({
  name: 'liqo-virtual-kubelet-leases',
  apiGroup: 'coordination.k8s.io',
  resources: ['leases'],
  operations: ['CREATE', 'UPDATE', 'DELETE'],
  condition,
  variables,
  requirements: [
    {
      // RBAC names the provider; a creation has no name that RBAC could look at.
      expression: `request.name == variables.node || (request.namespace == ${accountNamespace} && request.name.startsWith('${reflectionLeaseName('')}'))`,
      message:
        'a virtual kubelet may only write its own Lease, and that of the virtual nodes of its provider',
    },
  ],
});

const ownCertificates = forgePolicy({
  name: 'liqo-virtual-kubelet-certificates',
  apiGroup: 'certificates.k8s.io',
  resources: ['certificatesigningrequests'],
  operations: ['CREATE'],
  condition,
  requirements: [
    {
      expression: "object.spec.signerName == 'kubernetes.io/kubelet-serving'",
      message: 'a virtual kubelet may only request serving certificates of kubelets',
    },
  ],
});

/** Events of others are left as they are. */
const ownEvents = forgePolicy({
  name: 'liqo-virtual-kubelet-events',
  apiGroup: 'events.k8s.io',
  resources: ['events'],
  operations: ['CREATE', 'UPDATE', 'DELETE'],
  condition,
  requirements: [
    {
      expression:
        "[object, oldObject].all(one, one == null || (has(one.reportingController) && one.reportingController == 'liqo.io/virtual-kubelet'))",
      message: 'a virtual kubelet may only write Events that it reports itself',
    },
  ],
});

/** A volume of a path on Nodes would give pods of this cluster their files: it has to be one that only virtual nodes have. */
const ownVolumes = forgePolicy({
  name: 'liqo-virtual-kubelet-volumes',
  apiGroup: '',
  resources: ['persistentvolumes', 'persistentvolumes/*'],
  operations: ['CREATE', 'UPDATE', 'DELETE'],
  condition,
  requirements: [
    {
      expression: `[object, oldObject].all(one, one == null || (has(one.metadata.annotations) && 'pv.kubernetes.io/provisioned-by' in one.metadata.annotations && one.metadata.annotations['pv.kubernetes.io/provisioned-by'] == '${storageProvisioner}'))`,
      message: 'a virtual kubelet may only write volumes that it provisions itself',
    },
    {
      expression: `object == null || (has(object.spec.hostPath) && object.spec.hostPath.path == '${placeholderPath}' && has(object.spec.claimRef))`,
      message: 'a volume of a virtual kubelet stands for a claim, and has no content',
    },
    {
      expression: `object == null || (has(object.spec.nodeAffinity) && has(object.spec.nodeAffinity.required) && object.spec.nodeAffinity.required.nodeSelectorTerms.all(term, has(term.matchExpressions) && term.matchExpressions.exists(one, one.key == '${labels.remoteClusterID}' && one.operator == 'In')))`,
      message: 'a volume of a virtual kubelet is for virtual nodes only',
    },
  ],
});

/**
 * The API server checks that the pod exists and runs with the service account. Kubernetes turns a lifetime of 3,607 s into
 * one of a year. The pods of the namespace are the parameters, because a request for a token does not name a Node.
 */
function forgeTokens(liqoNamespace: string): readonly KubeObject[] {
  const kind = 'serviceaccounts/token';
  const base = { apiGroup: '', resources: [kind], operations: ['CREATE'], condition } as const;
  const forOwnPods = forgePolicy({
    ...base,
    name: 'liqo-virtual-kubelet-tokens-of-own-pods',
    variables,
    withEach: { apiVersion: 'v1', kind: 'Pod' },
    requirements: [
      {
        expression:
          '!has(object.spec.boundObjectRef) || !has(object.spec.boundObjectRef.uid) || object.spec.boundObjectRef.uid != params.metadata.uid || (has(params.spec.nodeName) && params.spec.nodeName == variables.node)',
        message:
          'a virtual kubelet may only request tokens for pods that are bound to its own Node',
      },
    ],
  });
  const bounds = forgePolicy({
    ...base,
    name: 'liqo-virtual-kubelet-tokens',
    requirements: [
      {
        expression:
          "has(object.spec.boundObjectRef) && object.spec.boundObjectRef.kind == 'Pod' && has(object.spec.boundObjectRef.uid) && object.spec.boundObjectRef.uid != ''",
        message: 'a virtual kubelet may only request tokens that are bound to a pod',
      },
      {
        expression: 'has(object.spec.expirationSeconds) && object.spec.expirationSeconds <= 3600',
        message: 'a virtual kubelet may only request tokens that expire within an hour',
      },
      {
        expression: `!request.namespace.startsWith('kube-') && request.namespace != '${liqoNamespace}' && !(has(namespaceObject.metadata.labels) && '${labels.tenantNamespace}' in namespaceObject.metadata.labels)`,
        message: 'no pod of this namespace can be offloaded',
      },
    ],
  });
  return [...bounds, ...forOwnPods];
}
