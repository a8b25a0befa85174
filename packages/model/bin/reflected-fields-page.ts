import { fileURLToPath } from 'node:url';
import { annotations } from '@liqo/api';
import {
  type CoreEvent,
  deepEqual,
  isJsonObject,
  type KubeObject,
  type PersistentVolumeClaim,
  type Stored,
} from '@liqo/kube';
import { planClaim, storageProvisioner } from '../src/reflection/claim.ts';
import { planConfigMap } from '../src/reflection/config-map.ts';
import { planShadowEndpointSlice } from '../src/reflection/endpoint-slice.ts';
import { forgeReflectedEvent } from '../src/reflection/events/plan-event.ts';
import { readRemoteEvent } from '../src/reflection/events/read-remote-event.ts';
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
  /** What there is in the other cluster of an object with all fields, in the fields of the object. */
  readonly copyOf: (original: Stored<KubeObject>) => object;
}

/** A Node of the consumer, for endpoints that run there. */
const node = { metadata: { name: 'node', uid: 'n', resourceVersion: '1' } } as never;
const planSlice = planShadowEndpointSlice({
  serviceOf: () => undefined,
  nodeOf: () => node,
});

const route: ReflectionRoute = {
  consumerClusterID: 'rome',
  providerClusterID: 'milan',
  remoteNamespace: 'shop-rome',
  policy: 'DenyList',
  offered: { storageClasses: [{ storageClassName: 'fast' }] },
  notReflected: { labels: [], annotations: [] },
};

function copyWith(plan: unknown, original: Stored<KubeObject>): KubeObject {
  const step = (plan as ReflectionPlan<KubeObject>)(original, undefined, route);
  if (step.type === 'apply') return step.object;
  throw new Error(`A sample of ${original.kind} is not reflected: ${step.type}`);
}

/** Bound at the provider, and without a data source, which would be in this cluster. */
function copyOfClaim(original: Stored<PersistentVolumeClaim>): KubeObject {
  const { dataSource: _, dataSourceRef: __, ...spec } = original.spec ?? {};
  const withProvisioner = {
    ...original.metadata.annotations,
    'volume.kubernetes.io/storage-provisioner': storageProvisioner,
  };
  const { deletionTimestamp: ___, ...metadata } = original.metadata;
  const volume = { metadata: { name: 'volume' } } as never;
  const plan = planClaim({ nodeOf: () => undefined, volumeOf: () => volume });
  const claim = { ...original, spec, metadata: { ...metadata, annotations: withProvisioner } };
  const copy = copyWith(plan, claim as Stored<KubeObject>);
  const { annotations: notes = {}, ...others } = copy.metadata ?? {};
  const { [annotations.claimUid]: ____, ...kept } = notes;
  return { ...copy, metadata: { ...others, annotations: kept } };
}

/** Of the provider; the one of the consumer is of the newer API, whose fields have other names. */
function copyOfEvent(original: Stored<CoreEvent>): object {
  const remote = readRemoteEvent(original);
  if (!remote) throw new Error('A sample of Event is not reflected');
  const metadata = { namespace: 'shop', name: 'web', uid: 'u' };
  const subject = { apiVersion: 'v1', kind: 'Pod', metadata };
  const event = forgeReflectedEvent(remote, subject, route, Date.parse('2030-01-01T00:00:00Z'));
  const { note, regarding, reportingController, metadata: marked, ...same } = event;
  const { labels: _, ...unmarked } = marked ?? {};
  const renamed = { message: note, involvedObject: regarding };
  return { ...same, ...renamed, metadata: unmarked, reportingComponent: reportingController };
}

const kinds: readonly ReflectedKind[] = [
  { schema: 'io.k8s.api.core.v1.ConfigMap', copyOf: (one) => copyWith(planConfigMap, one) },
  { schema: 'io.k8s.api.core.v1.Secret', copyOf: (one) => copyWith(planSecret, one) },
  { schema: 'io.k8s.api.core.v1.Service', copyOf: (one) => copyWith(planService, one) },
  {
    schema: 'io.k8s.api.discovery.v1.EndpointSlice',
    copyOf: (one) => {
      const { metadata, ...copy } = copyWith(planSlice, one);
      return { metadata, ...(copy as { spec?: { template?: object } }).spec?.template };
    },
  },
  { schema: 'io.k8s.api.networking.v1.Ingress', copyOf: (one) => copyWith(planIngress, one) },
  {
    schema: 'io.k8s.api.core.v1.PersistentVolumeClaim',
    copyOf: (one) => copyOfClaim(one as Stored<PersistentVolumeClaim>),
  },
  {
    schema: 'io.k8s.api.core.v1.Event',
    copyOf: (one) => copyOfEvent(one as Stored<CoreEvent>),
  },
];

const ownRecord = 'the API server of the provider writes its own';
const ofDeletion = 'the copy is deleted when the original is gone';
const ofConsumer = 'an address or port of the consumer';
const withDataSource =
  'a claim that has one is not reflected: it is in the consumer, and the volume is not';
const onlyReadiness = 'of the conditions only `ready` is reflected';

/** Why a field is not the same at the provider, by kind and path. */
const reasons = new Map<string, string>([
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
  ['PersistentVolumeClaim.spec.dataSource', withDataSource],
  ['PersistentVolumeClaim.spec.dataSourceRef', withDataSource],
  [
    'PersistentVolumeClaim.spec.selector',
    'it would choose among volumes of the consumer: the provider makes one',
  ],
  ['PersistentVolumeClaim.spec.storageClassName', 'one of the classes that the provider offers'],
  [
    'PersistentVolumeClaim.spec.volumeAttributesClassName',
    'it names a class of the consumer; the provider offers none',
  ],
  ['PersistentVolumeClaim.spec.volumeName', 'the volume of the provider has its own name'],
  ['PersistentVolumeClaim.status', 'the provisioners of each cluster write their own'],
  ['Event.metadata.annotations', 'they say nothing that `kubectl describe` shows'],
  ['Event.metadata.labels', 'they say nothing that `kubectl describe` shows'],
  ['Event.count', 'in `series`'],
  ['Event.firstTimestamp', 'in `eventTime`'],
  ['Event.lastTimestamp', 'in `series`'],
  ['Event.source', 'in `reportingInstance`'],
  ['Event.related', 'an object of the provider that may have no original'],
  ['Event.eventTime', 'the same moment, and not in the future'],
  ['Event.series.lastObservedTime', 'the same moment, and not in the future'],
  ['Event.message', 'the name of the provider, and its text: one line of at most 1 KiB'],
  ['Event.type', 'another type than `Normal` and `Warning` is `Normal`'],
  ['Event.reportingComponent', '`liqo.io/virtual-kubelet`'],
  ['Event.reportingInstance', 'the provider, and who reports it there'],
  ...['apiVersion', 'kind', 'name', 'namespace', 'uid', 'resourceVersion'].map(
    (field) => [`Event.involvedObject.${field}`, 'of the pod or the original'] as const,
  ),
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
  const ofEveryKind = first ? differencesOf(first).filter(isOfMetadata) : [];
  const isCommon = (one: Difference) => ofEveryKind.some((common) => deepEqual(common, one));
  return `${[
    '<!-- Generated from packages/model/src/reflection: after a change there, run `npm run pod-fields`. -->',
    '# Fields that are not reflected',
    introduction,
    '## Metadata of every kind',
    renderTable('', ofEveryKind),
    ...kinds.flatMap((kind) => {
      const name = kind.schema.split('.').at(-1) ?? '';
      const own = differencesOf(kind).filter((one) => !isCommon(one));
      return [`## ${name}`, own.length > 0 ? renderTable(name, own) : 'Every field is the same.'];
    }),
  ].join('\n\n')}\n`;
}

const introduction = `Every field of an object that [is reflected](reflected-objects.md) is the same at the provider, but for those of these tables. *Left out*
is what the copy does not get from its original, *another* what has another value there. Labels and annotations are the same; the
options and annotations that keep some of them at the consumer are on the other page. Events go the other way: their table says what the
consumer does not get of an Event of the provider.`;

function differencesOf({ schema, copyOf }: ReflectedKind): Difference[] {
  const { apiVersion: _, kind: __, ...original } = sampleKind(schema) as Stored<KubeObject>;
  return [...compare(original, copyOf(original as Stored<KubeObject>), '')];
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
