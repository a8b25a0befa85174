import type { Pod, Stored } from '@liqo/kube';

const env = [
  { name: 'MODE', valueFrom: { configMapKeyRef: { key: 'mode', name: 'settings' } } },
  { name: 'PASSWORD', valueFrom: { secretKeyRef: { key: 'password', name: 'token' } } },
  { name: 'NODE', valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: 'spec.nodeName' } } },
];

const addedEnv = [
  { name: 'KUBERNETES_SERVICE_HOST', value: 'kubernetes.default' },
  { name: 'KUBERNETES_SERVICE_PORT', value: '443' },
  { name: 'KUBERNETES_PORT', value: 'tcp://kubernetes.default:443' },
  { name: 'KUBERNETES_PORT_443_TCP', value: 'tcp://kubernetes.default:443' },
  { name: 'KUBERNETES_PORT_443_TCP_PROTO', value: 'tcp' },
  { name: 'KUBERNETES_PORT_443_TCP_ADDR', value: 'kubernetes.default' },
  { name: 'KUBERNETES_PORT_443_TCP_PORT', value: '443' },
];

const web = {
  image: 'nginx:1.29',
  imagePullPolicy: 'IfNotPresent' as const,
  name: 'web',
  ports: [{ containerPort: 8080, name: 'http', protocol: 'TCP' as const }],
  readinessProbe: {
    failureThreshold: 3,
    httpGet: { path: '/', port: 'http', scheme: 'HTTP' as const },
    periodSeconds: 10,
    successThreshold: 1,
    timeoutSeconds: 1,
  },
  resources: { limits: { cpu: '100m', memory: '64Mi' }, requests: { cpu: '50m', memory: '32Mi' } },
  terminationMessagePath: '/dev/termination-log',
  terminationMessagePolicy: 'File' as const,
  volumeMounts: [{ mountPath: '/etc/settings', name: 'settings' }],
};

const init = {
  command: ['sh', '-c', 'true'],
  image: 'busybox:1.37',
  imagePullPolicy: 'IfNotPresent' as const,
  name: 'init',
  resources: {},
  terminationMessagePath: '/dev/termination-log',
  terminationMessagePolicy: 'File' as const,
};

const nodeTolerations = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable'].map(
  (key) => ({
    effect: 'NoExecute' as const,
    key,
    operator: 'Exists' as const,
    tolerationSeconds: 300,
  }),
);

const volumes = [{ configMap: { defaultMode: 420, name: 'settings' }, name: 'settings' }];

/** A pod of the consumer rome, on its virtual node milan, as Liqo v1.2.0 had it. */
export const recordedPod: Stored<Pod> = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {
    annotations: { team: 'blue' },
    generateName: 'cart-676564876-',
    labels: { app: 'cart', 'liqo.io/shadowPod': 'true', 'pod-template-hash': '676564876' },
    name: 'cart-676564876-pntnh',
    namespace: 'shop2',
    uid: '169b6eba-290b-4ee6-9a58-434784d6f0d8',
    resourceVersion: '98849',
    creationTimestamp: '2026-07-02T00:00:00Z',
  },
  spec: {
    affinity: {
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: {
          nodeSelectorTerms: [
            {
              matchExpressions: [{ key: 'liqo.io/type', operator: 'In', values: ['virtual-node'] }],
            },
          ],
        },
      },
    },
    containers: [{ ...web, env }],
    dnsPolicy: 'ClusterFirst',
    enableServiceLinks: true,
    initContainers: [init],
    nodeName: 'milan',
    preemptionPolicy: 'PreemptLowerPriority',
    priority: 0,
    restartPolicy: 'Always',
    schedulerName: 'default-scheduler',
    securityContext: {},
    serviceAccount: 'cart',
    serviceAccountName: 'cart',
    terminationGracePeriodSeconds: 5,
    tolerations: [
      ...nodeTolerations,
      { effect: 'NoExecute', key: 'virtual-node.liqo.io/not-allowed', operator: 'Exists' },
    ],
    volumes,
  },
};

/** What Liqo v1.2.0 made of it at the provider. */
export const recordedShadowPod = {
  metadata: {
    annotations: { team: 'blue' },
    labels: {
      app: 'cart',
      'offloading.liqo.io/destination': 'milan',
      'offloading.liqo.io/nodename': 'milan',
      'offloading.liqo.io/origin': 'rome',
      'pod-template-hash': '676564876',
    },
    name: 'cart-676564876-pntnh',
    namespace: 'shop2-rome',
  },
  spec: {
    pod: {
      automountServiceAccountToken: false,
      containers: [{ ...web, env: [...env, ...addedEnv] }],
      dnsPolicy: 'ClusterFirst',
      enableServiceLinks: true,
      initContainers: [{ ...init, env: addedEnv }],
      restartPolicy: 'Always',
      securityContext: {},
      terminationGracePeriodSeconds: 5,
      tolerations: nodeTolerations,
      volumes,
    },
  },
};
