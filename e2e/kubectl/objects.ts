/** The objects that scripts hand to kubectl. */

const labels = { app: 'web' };
const template = (name: string) => ({
  metadata: { labels: { app: name } },
  spec: { containers: [{ name: 'main', image: name }] },
});

export const configMap = (data: Readonly<Record<string, string>>) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'settings' },
  data,
});

export const pod = (name: string, image = 'web') => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, labels },
  spec: { containers: [{ name: 'main', image, ports: [{ containerPort: 80 }] }] },
});

/** Brings its range: a real controller that assigns one may complain that it has done so already. */
export const node = (name: string) => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name },
  spec: { podCIDR: '10.244.9.0/24', podCIDRs: ['10.244.9.0/24'] },
});

const capacity = { cpu: '4', memory: '8Gi', pods: '10' };

export const readyStatus = {
  capacity,
  allocatable: capacity,
  addresses: [{ type: 'InternalIP', address: '10.0.0.1' }],
  conditions: [{ type: 'Ready', status: 'True', reason: 'OnPaper', message: 'always' }],
};

export const reachedIngress = (name: string) => ({
  apiVersion: 'networking.k8s.io/v1',
  kind: 'Ingress',
  metadata: { name },
  status: { loadBalancer: { ingress: [{ ip: '10.0.0.2' }] } },
});

export const role = {
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'Role',
  metadata: { name: 'writer' },
  rules: [{ apiGroups: [''], resources: ['secrets'], verbs: ['create'] }],
};

/** Of "eve", in the group "visitors"; nobody has kept its key. */
export const certificateRequest = {
  apiVersion: 'certificates.k8s.io/v1',
  kind: 'CertificateSigningRequest',
  metadata: { name: 'eve' },
  spec: {
    signerName: 'kubernetes.io/kube-apiserver-client',
    usages: ['client auth'],
    request:
      'LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlIY01JR0RBZ0VBTUNFeEVUQVBCZ05WQkFvTUNIWnBjMmwwYjNKek1Rd3dDZ1lEVlFRRERBTmxkbVV3V1RBVApCZ2NxaGtqT1BRSUJCZ2dxaGtqT1BRTUJCd05DQUFRbVphT0RMTEdhUmdMKy9QMzJKZDR3REdYbFlnZDhzUnY4CjhCMmdDSGovSWhSa3hicll6YWxuMkE1Nk9mUFgvOU80NFhmbis3MWNGR1NvbW5yOC9DbThvQUF3Q2dZSUtvWkkKemowRUF3SURTQUF3UlFJaEFKNk8zWit6UytOa3A2ckFtd2VkTzNIcnRhTUlQc29MQVBqMlJ3amxqaTRnQWlBZQp0aEpMRXhsUGM1NGloN0swMDVMWnV1cjdRS3gydktXY01abjh5K0RHR1E9PQotLS0tLUVORCBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0K',
  },
};

export const statefulSet = {
  apiVersion: 'apps/v1',
  kind: 'StatefulSet',
  metadata: { name: 'store' },
  spec: {
    serviceName: 'store',
    replicas: 0,
    selector: { matchLabels: { app: 'store' } },
    template: template('store'),
  },
};

export const daemonSet = {
  apiVersion: 'apps/v1',
  kind: 'DaemonSet',
  metadata: { name: 'agent' },
  spec: { selector: { matchLabels: { app: 'agent' } }, template: template('agent') },
};

export const claim = {
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { name: 'disk' },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
};

export const limitRange = {
  apiVersion: 'v1',
  kind: 'LimitRange',
  metadata: { name: 'sizes' },
  spec: { limits: [{ type: 'Container', default: { cpu: '200m' }, max: { cpu: '1' } }] },
};

export const networkPolicy = {
  apiVersion: 'networking.k8s.io/v1',
  kind: 'NetworkPolicy',
  metadata: { name: 'closed' },
  spec: {
    podSelector: { matchLabels: labels },
    policyTypes: ['Ingress'],
    ingress: [{ from: [{ namespaceSelector: {} }], ports: [{ port: 80 }] }],
  },
};

const boatSchema = {
  type: 'object',
  properties: {
    spec: { type: 'object', properties: { crew: { type: 'integer', minimum: 0 } } },
  },
};

export const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'boats.harbor.example' },
  spec: {
    group: 'harbor.example',
    scope: 'Namespaced',
    names: { plural: 'boats', singular: 'boat', kind: 'Boat', shortNames: ['bt'] },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: boatSchema },
        additionalPrinterColumns: [{ name: 'Crew', type: 'integer', jsonPath: '.spec.crew' }],
      },
    ],
  },
};

export const boat = (name: string, crew: number) => ({
  apiVersion: 'harbor.example/v1',
  kind: 'Boat',
  metadata: { name },
  spec: { crew },
});
