import { labels, type ShadowPod } from '@liqo/api';
import type { Stored } from '@liqo/kube';
import fc from 'fast-check';
import { fieldsOf, sampleField } from './pod-schemas.ts';

/** Names that objects inherit, and keys that mean something to the provider, to Kubernetes or to Liqo. */
const keys = [
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  '',
  '*',
  'app',
  labels.origin,
  labels.managedBy,
  labels.remoteClusterID,
  'liqo.io/applied-metadata',
  'node-role.kubernetes.io/control-plane',
  'node.kubernetes.io/not-ready',
  'node.kubernetes.io/unreachable',
  'virtual-node.liqo.io/not-allowed',
  'iam.amazonaws.com/role',
  'kubernetes.io/config.mirror',
  'cdi.k8s.io/gpu',
  'guests',
];
const key = fc.constantFrom(...keys);
const words = fc.oneof(
  key,
  fc.constantFrom(
    'default',
    'admin',
    'kube-system',
    'shop-rome',
    '127.0.0.1',
    '\u001b[2J',
    '\ud800',
  ),
  fc.string({ maxLength: 8 }),
);

/** What no API server of Kubernetes accepts there. */
const garbage = fc.oneof(
  fc.constantFrom(null, true, -1, 1e308, [], {}, [null], [[]], 'x'),
  fc.json({ maxDepth: 2 }).map((text) => JSON.parse(text) as unknown),
);

/** As `JSON.parse` makes it: every key is a member of its own. */
function record<T>(values: fc.Arbitrary<T>): fc.Arbitrary<Record<string, T>> {
  const entries = fc.uniqueArray(fc.tuple(key, values), {
    selector: ([name]) => name,
    maxLength: 4,
  });
  return entries.map((pairs) => Object.fromEntries(pairs));
}

const some = <T>(values: fc.Arbitrary<T>) => fc.array(values, { maxLength: 3 });

const toleration = fc.record(
  {
    key: words,
    operator: fc.constantFrom('Exists', 'Equal', 'Gt', 'x'),
    effect: fc.constantFrom('NoExecute', 'NoSchedule', ''),
    tolerationSeconds: fc.constantFrom(0, 30, 300, 301, -1, 1e12),
  },
  { requiredKeys: [] },
);

const expression = fc.record({
  key: words,
  operator: fc.constantFrom('In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt'),
  values: some(words),
});
const nodeTerm = fc.record({ matchExpressions: some(expression), matchFields: some(expression) });
const podTerm = fc.record(
  {
    labelSelector: fc.constant({}),
    namespaceSelector: fc.constant({}),
    namespaces: some(words),
    topologyKey: words,
  },
  { requiredKeys: ['topologyKey'] },
);
const podAffinity = fc.record(
  {
    requiredDuringSchedulingIgnoredDuringExecution: some(podTerm),
    preferredDuringSchedulingIgnoredDuringExecution: some(
      fc.record({ weight: fc.constant(1), podAffinityTerm: podTerm }),
    ),
  },
  { requiredKeys: [] },
);
const affinity = fc.record(
  {
    nodeAffinity: fc.record(
      {
        requiredDuringSchedulingIgnoredDuringExecution: fc.record({
          nodeSelectorTerms: some(nodeTerm),
        }),
        preferredDuringSchedulingIgnoredDuringExecution: some(
          fc.record({ weight: fc.constant(1), preference: nodeTerm }),
        ),
      },
      { requiredKeys: [] },
    ),
    podAffinity,
    podAntiAffinity: podAffinity,
  },
  { requiredKeys: [] },
);

const source = fc.constantFrom(
  { serviceAccountToken: { path: 'token', audience: 'sts' } },
  { podCertificate: { signerName: 'x/y' } },
  { secret: { name: 'web-token' } },
  { configMap: { name: 'kube-root-ca.crt' } },
  { tomorrow: {} },
);
const volumeTypes = fieldsOf('Volume').filter((field) => field !== 'name');
const sampleVolume = fc
  .constantFrom(...volumeTypes)
  .map((type) => ({ name: type.toLowerCase(), [type]: sampleField('Volume', type) }));
const claim = fc.record(
  {
    volumeName: words,
    selector: fc.constant({}),
    storageClassName: words,
    dataSourceRef: fc.record({ namespace: words }),
  },
  { requiredKeys: [] },
);
const volume = fc.oneof(
  sampleVolume,
  fc.record({ name: words, emptyDir: fc.constant({}) }),
  fc.record({ name: words, projected: fc.record({ sources: some(source) }) }),
  claim.map((spec) => ({ name: 'data', ephemeral: { volumeClaimTemplate: { spec } } })),
);

const handler = fc.constantFrom(
  { httpGet: { port: 80, host: '169.254.169.254' } },
  { tcpSocket: { port: 80, host: '127.0.0.1' } },
  { httpGet: { port: 80 } },
);
/** A few of the fields: a pod with all of them is refused for any of them. */
function fewOf(fields: Record<string, fc.Arbitrary<unknown>>, maxLength = 3): fc.Arbitrary<object> {
  const names = fc.subarray(Object.keys(fields), { maxLength });
  return names.chain((chosen) => {
    const entries = Object.entries(fields).filter(([name]) => chosen.includes(name));
    return fc.record(Object.fromEntries(entries));
  });
}

const image = fc.constantFrom('nginx:1', 'nginx:2');
const containerName = fc.constantFrom('web', 'db', 'shell', '__proto__', 'constructor');
const amounts = record(fc.oneof(fc.constantFrom('1', '2Gi', '500m'), words));
const resources = fc.record({ requests: amounts, limits: amounts });
const port = fc.record(
  { containerPort: fc.constant(80), hostPort: fc.nat(), hostIP: words },
  { requiredKeys: ['containerPort'] },
);
const lifecycle = fc.record({ preStop: handler });
const securityContext = fc.constantFrom({ privileged: true }, {});
const extras = fewOf(
  { ports: some(port), livenessProbe: handler, lifecycle, resources, securityContext },
  1,
);
const container = fc
  .tuple(fc.record({ name: containerName, image }), extras)
  .map(([base, extra]) => ({ ...base, ...extra }));

const orders = fewOf({
  tolerations: some(toleration),
  nodeSelector: record(words),
  affinity,
  volumes: some(volume),
  initContainers: some(container),
  ephemeralContainers: some(container),
  serviceAccountName: words,
  serviceAccount: words,
  automountServiceAccountToken: fc.boolean(),
  nodeName: words,
  schedulerName: words,
  priorityClassName: words,
  priority: fc.integer(),
  hostNetwork: fc.boolean(),
  hostPID: fc.boolean(),
  hostIPC: fc.boolean(),
  runtimeClassName: words,
  resourceClaims: some(fc.record({ name: words })),
});

/** Any fields that a pod can have, with values of their type or without sense. */
const anything = fc
  .subarray(
    fieldsOf('PodSpec').filter((field) => field !== 'containers'),
    { maxLength: 6 },
  )
  .chain((fields) =>
    fc.record(
      Object.fromEntries(
        fields.map((field) => [
          field,
          fc.oneof({ weight: 3, arbitrary: fc.constant(sampleField('PodSpec', field)) }, garbage),
        ]),
      ),
    ),
  );

const spec: fc.Arbitrary<unknown> = fc
  .oneof(
    { weight: 8, arbitrary: fc.tuple(orders, fc.array(container, { minLength: 1, maxLength: 3 })) },
    { weight: 2, arbitrary: fc.tuple(anything, fc.oneof(some(container), garbage)) },
  )
  .map(([fields, containers]) => ({ ...fields, containers }));

/** ShadowPods as a malicious consumer writes them into its own namespace `shop-rome`. */
export const hostileShadowPods: fc.Arbitrary<Stored<ShadowPod>> = fc
  .record({ pod: spec, labels: record(words), annotations: record(words), generation: fc.nat(3) })
  .map(({ pod, generation, ...marks }) => ({
    apiVersion: 'offloading.liqo.io/v1beta1',
    kind: 'ShadowPod',
    metadata: {
      name: 'web',
      namespace: 'shop-rome',
      uid: 'shadow-uid',
      resourceVersion: '1',
      creationTimestamp: '2026-01-01T00:00:00Z',
      generation,
      labels: { ...marks.labels, [labels.origin]: 'rome' },
      annotations: marks.annotations,
    },
    spec: { pod: pod as NonNullable<ShadowPod['spec']['pod']> },
  }));
