import { isJsonObject, type Json } from '@liqo/kube';
import fc from 'fast-check';

/** The body of a call, before it is printed. */
export interface RandomReview {
  readonly path: string;
  readonly request: Readonly<Record<string, Json | undefined>>;
}

const origin = 'offloading.liqo.io/origin';
const peer = 'liqo.io/remote-cluster-id';

const some = <T>(...values: readonly T[]) => fc.constantFrom(...values);
const clusters = some('rome', 'paris', 'milan', 'oslo', '');
const namespaces = some(
  'shop-rome',
  'shop-paris',
  'default',
  'liqo-tenant-rome',
  'liqo-tenant-paris',
);
const names = some('web', 'mypool', 'worker', 'offloading', 'rome', 'paris', 'oslo');
const optional = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: undefined });
const amounts = some('1', '4', '500m', '5', '-1', '0', 'four', '1e400', '8Gi', '');

const metadata = (labels: Record<string, fc.Arbitrary<unknown>>) =>
  fc.record({
    namespace: namespaces,
    name: names,
    labels: fc.record(labels),
    annotations: fc.record({
      'liqo.io/cordon': optional(some('true', 'false')),
      'liqo.io/create-virtual-node': optional(some('true', 'false')),
    }),
  });
const container = fc.record({
  name: fc.constant('web'),
  image: fc.constant('nginx'),
  resources: fc.record({ requests: fc.record({ cpu: amounts }) }),
});
const podSpec = fc.record({ containers: fc.array(container, { minLength: 1, maxLength: 3 }) });

const shadowPods = fc.record({
  metadata: metadata({ [origin]: clusters, 'liqo.io/creator-user': some('mypool', 'other') }),
  spec: fc.record({ pod: podSpec }),
});
const slices = fc.record({
  metadata: metadata({
    [peer]: optional(clusters),
    'liqo.io/remoteID': optional(clusters),
    'liqo.io/replicated': optional(fc.constant('true')),
  }),
  spec: fc.record({
    consumerClusterID: optional(clusters),
    providerClusterID: optional(clusters),
    resources: fc.record({ cpu: amounts }),
  }),
});
const aboutPeers = fc.record({
  metadata: metadata({ [peer]: optional(clusters) }),
  spec: fc.record({ clusterID: clusters }),
});
const virtualNodes = fc.record({
  metadata: metadata({}),
  spec: fc.record({
    clusterID: clusters,
    resourceQuota: fc.record({ hard: fc.record({ cpu: amounts }) }),
  }),
});
const offloadings = fc.record({
  metadata: metadata({}),
  spec: fc.record({
    namespaceMappingStrategy: some('DefaultName', 'SelectedName'),
    podOffloadingStrategy: some('Local', 'Remote', 'LocalAndRemote'),
    remoteNamespaceName: optional(some('x', '', 'Not_A_Name')),
  }),
});
const pods = fc.record({ metadata: metadata({}), spec: podSpec });

const objects = new Map<string, fc.Arbitrary<object>>([
  ['/mutate/pod', pods],
  ['/mutate/shadowpods', shadowPods],
  ['/validate/shadowpods', shadowPods],
  ['/mutate/foreign-cluster', aboutPeers],
  ['/validate/foreign-cluster', aboutPeers],
  ['/validate/namespace-offloading', offloadings],
  ['/mutate/tenants', aboutPeers],
  ['/validate/tenants', aboutPeers],
  ['/validate/resourceslices', slices],
  ['/validate/virtualnodes', virtualNodes],
]);

/** What no schema allows. */
const hostile: fc.Arbitrary<Json> = fc.oneof(
  fc.constant(null),
  fc.boolean(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.string(),
  some('__proto__', '\u0000', '\u202e', 'x'.repeat(100_000)),
  fc.constant([]),
  fc.constant({}),
  fc.constant(JSON.parse(`${'['.repeat(200)}${']'.repeat(200)}`) as Json),
  fc.constant(JSON.parse('{"__proto__":{"polluted":true},"constructor":null}') as Json),
  fc.jsonValue() as fc.Arbitrary<Json>,
);

interface Damage {
  /** Which member at each level, counted around. */
  readonly at: readonly number[];
  readonly value: Json | undefined;
}

const damages: fc.Arbitrary<readonly Damage[]> = fc.array(
  fc.record({
    at: fc.array(fc.nat(8), { minLength: 1, maxLength: 5 }),
    value: fc.oneof(hostile, fc.constant(undefined)),
  }),
  { maxLength: 2 },
);

function damaged(value: unknown, { at: [nth = 0, ...deeper], value: put }: Damage): unknown {
  if (!isJsonObject(value)) return put;
  const keys = Object.keys(value);
  const key = keys[nth % Math.max(1, keys.length)];
  if (key === undefined) return put;
  const member = deeper.length === 0 ? put : damaged(value[key], { at: deeper, value: put });
  return { ...value, [key]: member };
}

const users = some(
  { username: 'mypool', groups: ['rome'] },
  { username: 'rome', groups: ['liqo.io'] },
  { username: 'kubernetes-admin', groups: ['system:masters'] },
  { username: 'system:serviceaccount:liqo:x', groups: [] },
);

/** Requests as an API server sends them, and such that none ever sends. */
export const randomReviews: fc.Arbitrary<RandomReview> = some(...objects.keys()).chain((path) => {
  const object = objects.get(path) ?? pods;
  return fc
    .record({
      object,
      oldObject: object,
      operation: some('CREATE', 'CREATE', 'CREATE', 'UPDATE', 'UPDATE', 'DELETE'),
      subResource: some('', '', '', 'status'),
      userInfo: users,
      dryRun: fc.boolean(),
      damages,
      ofRequest: fc.oneof(
        { weight: 9, arbitrary: fc.constant<readonly Damage[]>([]) },
        { weight: 1, arbitrary: damages },
      ),
    })
    .map(({ object, oldObject, damages, ofRequest, ...rest }) => {
      const after = damages.reduce<unknown>(damaged, object) as { metadata?: { namespace?: Json } };
      const request = {
        uid: 'c0ffee',
        resource: { group: '', version: 'v1', resource: 'x' },
        ...rest,
        namespace: after?.metadata?.namespace ?? '',
        object: rest.operation === 'DELETE' ? null : after,
        oldObject: rest.operation === 'CREATE' ? null : oldObject,
      };
      return { path, request: ofRequest.reduce<unknown>(damaged, request) } as RandomReview;
    });
});
