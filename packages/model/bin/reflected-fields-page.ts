import { fileURLToPath } from 'node:url';
import { isJsonObject, type KubeObject, type Stored } from '@liqo/kube';
import { planConfigMap } from '../src/reflection/config-map.ts';
import { planShadowEndpointSlice } from '../src/reflection/endpoint-slice.ts';
import { planIngress } from '../src/reflection/ingress.ts';
import type { ReflectionPlan } from '../src/reflection/plan-reflection.ts';
import type { ReflectionRoute } from '../src/reflection/reflection-route.ts';
import { planSecret } from '../src/reflection/secret.ts';
import { planService } from '../src/reflection/service.ts';
import { sampleKind } from '../src/testing/pod-schemas.ts';

export const reflectedFieldsPage = fileURLToPath(
  new URL('../../../docs/offloading/reflected-fields.md', import.meta.url),
);

interface ReflectedKind {
  readonly schema: string;
  readonly plan: ReflectionPlan<KubeObject, KubeObject>;
  /** What of the copy stands for the original; the copy itself when absent. */
  readonly content?: (copy: KubeObject) => object;
}

/** A Node of the consumer, for endpoints that run there. */
const node = { metadata: { name: 'node', uid: 'n', resourceVersion: '1' } } as never;
const planSlice = planShadowEndpointSlice({
  serviceOf: () => undefined,
  nodeOf: () => node,
});

const kinds: readonly ReflectedKind[] = [
  { schema: 'io.k8s.api.core.v1.ConfigMap', plan: planConfigMap as never },
  { schema: 'io.k8s.api.core.v1.Secret', plan: planSecret as never },
  { schema: 'io.k8s.api.core.v1.Service', plan: planService as never },
  {
    schema: 'io.k8s.api.discovery.v1.EndpointSlice',
    plan: planSlice as never,
    content: ({ metadata, ...copy }) => ({
      metadata,
      ...(copy as { spec?: { template?: object } }).spec?.template,
    }),
  },
  { schema: 'io.k8s.api.networking.v1.Ingress', plan: planIngress as never },
];

const route: ReflectionRoute = {
  consumerClusterID: 'rome',
  providerClusterID: 'milan',
  remoteNamespace: 'shop-rome',
  policy: 'DenyList',
  notReflected: { labels: [], annotations: [] },
};

const ownRecord = 'the API server of the provider writes its own';
const ofDeletion = 'the copy is deleted when the original is gone';
const ofConsumer = 'an address or port of the consumer';
const onlyReadiness = 'of the conditions only `ready` is reflected';

/** Why a field is not the same at the provider, by kind and path. */
const reasons = new Map([
  ['metadata.creationTimestamp', ownRecord],
  ['metadata.generation', ownRecord],
  ['metadata.managedFields', ownRecord],
  ['metadata.resourceVersion', ownRecord],
  ['metadata.selfLink', ownRecord],
  ['metadata.uid', ownRecord],
  ['metadata.deletionGracePeriodSeconds', ofDeletion],
  ['metadata.deletionTimestamp', ofDeletion],
  ['metadata.finalizers', 'the controllers that remove them do not run at the provider'],
  ['metadata.generateName', 'the copy has the name that was generated'],
  ['metadata.namespace', 'the one at the provider'],
  ['metadata.ownerReferences', 'the owners are not at the provider'],
  ['Secret.stringData', 'API servers turn it into `data`'],
  ['Service.spec.clusterIP', '`None` is the same; otherwise the provider allocates an address'],
  ['Service.spec.clusterIPs', ofConsumer],
  ['Service.spec.externalIPs', ofConsumer],
  ['Service.spec.healthCheckNodePort', ofConsumer],
  ['Service.spec.ipFamilies', 'the families of the provider may be others'],
  ['Service.spec.loadBalancerClass', 'one of the classes that the provider offers'],
  ['Service.spec.loadBalancerIP', ofConsumer],
  [
    'Service.spec.ports[].nodePort',
    'the provider allocates it, unless `liqo.io/force-remote-node-port` is `true`',
  ],
  ['Service.spec.trafficDistribution', 'it speaks of zones of the consumer'],
  ['Service.status', 'the load balancers of each cluster write their own'],
  ['EndpointSlice.endpoints[].conditions.serving', onlyReadiness],
  ['EndpointSlice.endpoints[].conditions.terminating', onlyReadiness],
  ['EndpointSlice.endpoints[].deprecatedTopology', 'Kubernetes ignores it'],
  ['EndpointSlice.endpoints[].nodeName', 'the cluster ID of the consumer'],
  ['EndpointSlice.endpoints[].targetRef.kind', 'begins with `Remote`'],
  ['Ingress.spec.ingressClassName', 'one of the classes that the provider offers'],
  ['Ingress.status', 'the Ingress controllers of each cluster write their own'],
]);

interface Difference {
  readonly path: string;
  readonly fate: 'left out' | 'another';
}

/** The page about the fields that a copy does not have as its original has them, found by reflecting an object with all fields. */
export function renderReflectedFieldsPage(): string {
  const [first] = kinds;
  return `${[
    '<!-- Generated from packages/model/src/reflection: after a change there, run `npm run pod-fields`. -->',
    '# Fields that are not reflected',
    introduction,
    '## Metadata of every kind',
    renderTable('', first ? differencesOf(first).filter(isOfMetadata) : []),
    ...kinds.flatMap((kind) => {
      const name = kind.schema.split('.').at(-1) ?? '';
      const own = differencesOf(kind).filter((one) => !isOfMetadata(one));
      return [`## ${name}`, own.length > 0 ? renderTable(name, own) : 'Every field is the same.'];
    }),
  ].join('\n\n')}\n`;
}

const introduction = `Every field of an object that [is reflected](reflected-objects.md) is the same at the provider, but for those of these tables. *Left out*
is what the copy does not get from its original, *another* what has another value there. Labels and annotations are the same; the
options and annotations that keep some of them at the consumer are on the other page.`;

function differencesOf({ schema, plan, content = (copy) => copy }: ReflectedKind): Difference[] {
  const { apiVersion: _, kind: __, ...local } = sampleKind(schema) as Stored<KubeObject>;
  const step = plan(local as Stored<KubeObject>, undefined, route);
  if (step.type !== 'apply')
    throw new Error(`A sample of ${schema} is not reflected: ${step.type}`);
  return [...compare(local, content(step.object), '')];
}

function* compare(original: unknown, copy: unknown, path: string): Generator<Difference> {
  if (copy === undefined) yield { path, fate: 'left out' };
  else if (Array.isArray(original) && Array.isArray(copy) && copy.length === original.length) {
    yield* compare(original[0], copy[0], `${path}[]`);
  } else if (isJsonObject(original) && isJsonObject(copy)) {
    const members = new Map(Object.entries(copy));
    for (const [key, member] of Object.entries(original)) {
      yield* compare(member, members.get(key), path === '' ? key : `${path}.${key}`);
    }
  } else if (original !== copy) yield { path, fate: 'another' };
}

function isOfMetadata({ path }: Difference): boolean {
  return path.startsWith('metadata.');
}

function renderTable(kind: string, differences: readonly Difference[]): string {
  const rows = differences.map(({ path, fate }) => {
    const name = kind === '' ? path : `${kind}.${path}`;
    const why = reasons.get(name);
    if (why === undefined) throw new Error(`Say why "${name}" is not the same at the provider`);
    return `| \`${path}\` | ${fate} | ${why} |`;
  });
  return ['| field | at the provider | why |', '| --- | --- | --- |', ...rows].join('\n');
}
