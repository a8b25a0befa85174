import { annotations, labels } from '@liqo/api';
import { deepEqual, isJsonObject, type Kind, type KubeObject, type Stored } from '@liqo/kube';
import { describe, expect, test } from 'vitest';
import { planClaim, storageProvisioner } from './claim.ts';
import { planConfigMap } from './config-map.ts';
import { planCustomResource } from './custom-resource.ts';
import { planShadowEndpointSlice } from './endpoint-slice.ts';
import { planIngress } from './ingress.ts';
import type { ReflectionPlan, ReflectionStep } from './plan-reflection.ts';
import { readReflected } from './read-reflected.ts';
import type { ReflectionRoute } from './reflection-route.ts';
import { planSecret } from './secret.ts';
import { planService } from './service.ts';

type Plan = ReflectionPlan<KubeObject>;
type Content = Readonly<Record<string, unknown>>;

/** A plan, an object with everything that is special about its kind, and what its copy has besides metadata. */
interface Sample {
  readonly kind: string;
  readonly plan: Plan;
  readonly original: Content;
  readonly notes?: Readonly<Record<string, string>>;
  readonly copy: Content;
  /** Data outlives the original: its copy is deleted by other rules. */
  readonly holdsData?: boolean;
}

const time = '2030-01-01T00:00:00Z';
const marks = { [labels.origin]: 'rome', [labels.destination]: 'milan' };
const route: ReflectionRoute = {
  consumerClusterID: 'rome',
  providerClusterID: 'milan',
  remoteNamespace: 'shop-rome',
  policy: 'DenyList',
  offered: {
    ingressClasses: [{ ingressClassName: 'public' }],
    loadBalancerClasses: [{ loadBalancerClassName: 'fast' }],
    storageClasses: [{ storageClassName: 'disk' }],
  },
  notReflected: { labels: [], annotations: [] },
};

const physical = () => ({ metadata: { name: 'node' } }) as never;
const volume = () => ({ metadata: { name: 'volume' } }) as never;
const rules = [{ host: 'shop.example.org' }];
const endpoint = { addresses: ['10.0.0.1'], nodeName: 'node', targetRef: { kind: 'Pod' } };
const requests = { storage: '1Gi' };
const modes = { accessModes: ['ReadWriteOnce'], volumeMode: 'Block', resources: { requests } };
const widget: Kind = {
  group: 'example.org',
  version: 'v1',
  kind: 'Widget',
  plural: 'widgets',
  namespaced: true,
};

const samples: readonly Sample[] = [
  {
    kind: 'ConfigMap',
    plan: planConfigMap as Plan,
    original: { data: { a: '1' }, binaryData: { b: 'AA==' }, immutable: false },
    copy: { data: { a: '1' }, binaryData: { b: 'AA==' }, immutable: false },
  },
  {
    kind: 'Secret',
    plan: planSecret as Plan,
    original: { data: { a: 'AA==' }, type: 'example.org/own', immutable: false },
    copy: { data: { a: 'AA==' }, type: 'example.org/own', immutable: false },
  },
  {
    kind: 'Service',
    plan: planService as Plan,
    original: {
      spec: {
        type: 'LoadBalancer',
        clusterIP: '10.1.0.1',
        selector: { app: 'web' },
        ports: [{ port: 80, nodePort: 30_080 }],
      },
      status: { loadBalancer: {} },
    },
    copy: {
      spec: {
        type: 'LoadBalancer',
        loadBalancerClass: 'fast',
        selector: { app: 'web' },
        ports: [{ port: 80 }],
      },
    },
  },
  {
    kind: 'Ingress',
    plan: planIngress as Plan,
    original: { spec: { rules, ingressClassName: 'own' }, status: { loadBalancer: {} } },
    copy: { spec: { rules, ingressClassName: 'public' } },
  },
  {
    kind: 'EndpointSlice',
    plan: planShadowEndpointSlice({ serviceOf: () => undefined, nodeOf: physical }) as never,
    original: { addressType: 'IPv4', endpoints: [endpoint], ports: [{ port: 80 }] },
    copy: {
      spec: {
        template: {
          addressType: 'IPv4',
          endpoints: [{ ...endpoint, nodeName: 'rome', targetRef: { kind: 'RemotePod' } }],
          ports: [{ port: 80 }],
        },
      },
    },
  },
  {
    kind: 'PersistentVolumeClaim',
    plan: planClaim({ nodeOf: () => undefined, volumeOf: volume }) as Plan,
    notes: { 'volume.kubernetes.io/storage-provisioner': storageProvisioner },
    original: { spec: { ...modes, storageClassName: 'liqo', volumeName: 'volume' } },
    copy: { spec: { ...modes, storageClassName: 'disk' } },
    holdsData: true,
  },
  {
    kind: 'Widget',
    plan: planCustomResource(widget),
    original: { spec: { size: 2 }, status: { phase: 'Own' } },
    copy: { spec: { size: 2 } },
  },
];

function originalOf({ kind, original, notes }: Sample, more: object = {}): Stored<KubeObject> {
  const metadata = {
    namespace: 'shop',
    name: 'web',
    uid: 'l1',
    resourceVersion: '1',
    creationTimestamp: time,
    finalizers: ['example.org/hold'],
    ownerReferences: [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'web', uid: 'd' }],
    annotations: { ...notes, ...more },
  };
  return { apiVersion: 'v1', kind, ...original, metadata } as Stored<KubeObject>;
}

function stored(copy: KubeObject, more: object = {}): Stored<KubeObject> {
  const metadata = { uid: 'r1', resourceVersion: '7', creationTimestamp: time };
  const object = { ...copy, metadata: { ...copy.metadata, ...metadata, ...more } };
  const read = readReflected(object as Stored<KubeObject>);
  if (!read) throw new Error('It is no object');
  return read;
}

/** What a plan does that no plan may do; nothing for a good one. */
function brokenRules(plan: Plan, sample: Sample): readonly string[] {
  const original = originalOf(sample);
  const first = plan(original, undefined, route);
  if (first.type !== 'apply') return ['a missing copy is created'];
  const { metadata, apiVersion: _, kind: __, ...content } = first.object;
  const good = stored({ ...first.object, ...sample.copy });
  const more = { labels: { ...metadata.labels, x: 'y' } };
  const changed = stored({ ...first.object, ...sample.copy }, more);
  const spoilt = stored({ ...first.object, spec: {}, data: {} } as KubeObject);
  const foreign = stored({ ...first.object, ...sample.copy }, { labels: {} });
  const terminating = stored(first.object, { deletionTimestamp: time });
  const skipped = originalOf(sample, { [annotations.skipReflection]: 'true' });
  const typeFor = (local: Stored<KubeObject> | undefined, remote?: Stored<KubeObject>) =>
    plan(local, remote, route).type;
  const repair = plan(original, spoilt, route);
  const removal = plan(undefined, good, route);
  const isForThatCopy =
    (repair.type !== 'apply' || repair.object.metadata.uid === 'r1') &&
    (removal.type !== 'delete' || removal.remote.metadata.uid === 'r1');
  const kept = sample.holdsData ? 'nothing' : 'delete';
  const rulesOfAll: readonly (readonly [string, boolean])[] = [
    ['the content is that of the kind', deepEqual(content, sample.copy)],
    ['the copy has the labels of a copy', isSubset(marks, metadata.labels)],
    ['the copy is in the namespace of the provider', metadata.namespace === 'shop-rome'],
    ['the copy has no finalizers and owners', !metadata.finalizers && !metadata.ownerReferences],
    ['a creation names no object', metadata.uid === undefined],
    ['a good copy is left alone', typeFor(original, good) === 'nothing'],
    ['what the provider adds is left alone', typeFor(original, changed) === 'nothing'],
    ['a spoilt copy is repaired', ['apply', 'delete'].includes(repair.type)],
    ['a foreign object is refused', typeFor(original, foreign) === 'refuse'],
    ['a foreign object is not deleted', typeFor(undefined, foreign) === 'nothing'],
    ['what is skipped is not created', typeFor(skipped) === 'nothing'],
    ['what is skipped loses its copy', typeFor(skipped, good) === kept],
    ['a copy without an original goes', typeFor(undefined, good) === kept],
    ['a copy that is going is waited for', typeFor(original, terminating) === 'nothing'],
    ['a change is meant for that copy', isForThatCopy],
  ];
  return rulesOfAll.flatMap(([rule, holds]) => (holds ? [] : [rule]));
}

function isSubset(part: Content, whole: Content = {}): boolean {
  return Object.entries(part).every(([key, value]) => whole[key] === value);
}

type Mutation = (plan: Plan) => Plan;

/** Changes the object that a plan applies. */
function onApplied(change: (object: KubeObject) => KubeObject): Mutation {
  return (plan) => (local, remote, at) => {
    const step = plan(local, remote, at);
    if (step.type !== 'apply') return step;
    return { ...step, object: change(step.object) } as ReflectionStep<KubeObject>;
  };
}

const withMetadata = (more: object) =>
  onApplied((object) => ({ ...object, metadata: { ...object.metadata, ...more } }));

const asOurs = (remote: Stored<KubeObject> | undefined) =>
  remote && { ...remote, metadata: { ...remote.metadata, labels: marks } };

const mutations: Readonly<Record<string, Mutation>> = {
  'takes foreign objects for its own': (plan) => (local, remote, at) =>
    plan(local, asOurs(remote), at),
  'sees no copies': (plan) => (local, _, at) => plan(local, undefined, at),
  'ignores the annotation that keeps an object': (plan) => (local, remote, at) =>
    plan(
      local && { ...local, metadata: { ...local.metadata, annotations: notesOf(local) } },
      remote,
      at,
    ),
  'never does anything': () => () => ({ type: 'nothing' }),
  'writes a copy again and again': (plan) => (local, remote, at) => {
    const step = plan(local, remote, at);
    return step.type === 'nothing' && local ? plan(local, undefined, at) : step;
  },
  'forgets which object it means': onApplied((object) => {
    const { uid: _, ...metadata } = object.metadata ?? {};
    return { ...object, metadata };
  }),
  'takes the UID of the original along': withMetadata({ uid: 'l1' }),
  'writes into the namespace of the consumer': withMetadata({ namespace: 'shop' }),
  'marks no copies': withMetadata({ labels: {} }),
  'copies finalizers': withMetadata({ finalizers: ['example.org/hold'] }),
  'copies owners': withMetadata({ ownerReferences: [{ name: 'web' }] }),
  'copies the status': onApplied((object) => ({ ...object, status: {} }) as KubeObject),
};

function notesOf({ metadata }: Stored<KubeObject>): Record<string, string> {
  const { [annotations.skipReflection]: _, ...others } = metadata.annotations ?? {};
  return others;
}

/** Paths of all members of a value that are no objects. */
function* leaves(value: unknown, path: readonly string[] = []): Generator<readonly string[]> {
  if (!isJsonObject(value)) yield path;
  else for (const [key, member] of Object.entries(value)) yield* leaves(member, [...path, key]);
}

function without(value: unknown, [head = '', ...rest]: readonly string[]): unknown {
  if (!isJsonObject(value)) return value;
  const { [head]: member, ...others } = value;
  return rest.length === 0 ? others : { ...others, [head]: without(member, rest) };
}

describe.each(samples.map((sample) => [sample.kind, sample] as const))(
  'the plan of %s',
  (_kind, one) => {
    test('breaks no rule', () => {
      expect(brokenRules(one.plan, one)).toEqual([]);
    });

    test.each(Object.entries(mutations))('is noticed when it %s', (_name, mutate) => {
      expect(brokenRules(mutate(one.plan), one)).not.toEqual([]);
    });

    test.each([...leaves(one.copy)].map((path) => [path.join('.'), path] as const))(
      'is noticed when it leaves out %s',
      (_name, path) => {
        const mutate = onApplied((object) => without(object, path) as KubeObject);
        expect(brokenRules(mutate(one.plan), one)).not.toEqual([]);
      },
    );
  },
);
