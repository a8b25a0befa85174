import { matchesNodeSelector, type Pod } from '@liqo/kube';
import { expect, test } from 'vitest';
import { type Placement, placePod, TooManyTermsError } from './place-pod.ts';

type PodSpec = NonNullable<Pod['spec']>;
type Affinity = NonNullable<PodSpec['affinity']>;

const toleration = {
  key: 'virtual-node.liqo.io/not-allowed',
  operator: 'Exists',
  effect: 'NoExecute',
};
const virtual = { key: 'liqo.io/type', operator: 'In', values: ['virtual-node'] };
const local = { key: 'liqo.io/type', operator: 'NotIn', values: ['virtual-node'] };
const inMilan = { key: 'liqo.io/remote-cluster-id', operator: 'In', values: ['milan'] };
const inTurin = { key: 'liqo.io/remote-cluster-id', operator: 'In', values: ['turin'] };
const onSsd = { key: 'disk', operator: 'In', values: ['ssd'] };
const thisNode = { key: 'metadata.name', operator: 'In', values: ['n1'] };
const selector = (...keys: object[]) =>
  ({ nodeSelectorTerms: keys.map((key) => ({ matchExpressions: [key] })) }) as NonNullable<
    Placement['clusterSelector']
  >;

const everywhere: Placement = { podOffloadingStrategy: 'LocalAndRemote' };
const remote: Placement = { podOffloadingStrategy: 'Remote' };
const milanOrLocal: Placement = { ...everywhere, clusterSelector: selector(inMilan) };
const milanOrTurin: Placement = { ...remote, clusterSelector: selector(inMilan, inTurin) };

function podOf(spec: Partial<PodSpec> = {}, metadata: Pod['metadata'] = {}): Pod {
  return {
    metadata: { name: 'web', namespace: 'shop', ...metadata },
    spec: { containers: [], ...spec },
  };
}

function affinityOf(...terms: object[]): Affinity {
  return {
    nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: terms } },
  } as Affinity;
}

test.each<[string, Placement, Partial<PodSpec>, Partial<PodSpec>]>([
  ['tolerates virtual nodes', everywhere, {}, { tolerations: [toleration] }],
  [
    'keeps the tolerations of the pod',
    everywhere,
    { tolerations: [{ key: 'gpu', operator: 'Exists' }] },
    { tolerations: [{ key: 'gpu', operator: 'Exists' }, toleration] },
  ],
  [
    'adds none to a pod that tolerates everything',
    everywhere,
    { tolerations: [{ operator: 'Exists' }] },
    { tolerations: [{ operator: 'Exists' }] },
  ],
  [
    'adds one to a pod whose own would end',
    everywhere,
    { tolerations: [{ ...toleration, tolerationSeconds: 5 }] },
    { tolerations: [{ ...toleration, tolerationSeconds: 5 }, toleration] },
  ],
  [
    'sends pods to virtual nodes with the strategy Remote',
    remote,
    {},
    { tolerations: [toleration], affinity: affinityOf({ matchExpressions: [virtual] }) },
  ],
  [
    'sends pods to the selected clusters with the strategy Remote',
    milanOrTurin,
    {},
    {
      tolerations: [toleration],
      affinity: affinityOf(
        { matchExpressions: [inMilan, virtual] },
        { matchExpressions: [inTurin, virtual] },
      ),
    },
  ],
  [
    'leaves local nodes to pods with a selector and the strategy LocalAndRemote',
    milanOrLocal,
    {},
    {
      tolerations: [toleration],
      affinity: affinityOf({ matchExpressions: [inMilan] }, { matchExpressions: [local] }),
    },
  ],
  [
    'keeps the expressions and the fields of each term of the pod',
    milanOrLocal,
    { affinity: affinityOf({ matchExpressions: [onSsd], matchFields: [thisNode] }) },
    {
      tolerations: [toleration],
      affinity: affinityOf(
        { matchExpressions: [onSsd, inMilan], matchFields: [thisNode] },
        { matchExpressions: [onSsd, local], matchFields: [thisNode] },
      ),
    },
  ],
  [
    'keeps the other affinities and the node selector of the pod',
    remote,
    {
      nodeSelector: { disk: 'ssd' },
      affinity: {
        podAntiAffinity: {},
        nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [] },
      },
    },
    {
      nodeSelector: { disk: 'ssd' },
      tolerations: [toleration],
      affinity: {
        podAntiAffinity: {},
        nodeAffinity: {
          preferredDuringSchedulingIgnoredDuringExecution: [],
          ...affinityOf({ matchExpressions: [virtual] }).nodeAffinity,
        },
      },
    },
  ],
  [
    'lets a pod whose terms match no node match none',
    remote,
    { affinity: affinityOf({}) },
    { tolerations: [toleration], affinity: affinityOf({}) },
  ],
  [
    'adds no affinity to a pod that names its node',
    remote,
    { nodeName: 'n1' },
    { nodeName: 'n1', tolerations: [toleration] },
  ],
])('placePod() %s', (_, placement, before, after) => {
  const placed = placePod(podOf(before), placement);
  expect(placed).toEqual(podOf(after));
  expect(placePod(placed, placement), 'a second call changes nothing').toBe(placed);
});

const ofDaemonSet = {
  ownerReferences: [
    { apiVersion: 'apps/v1', kind: 'DaemonSet', name: 'agent', uid: '1', controller: true },
  ],
};

test.each<[string, Placement, Pod]>([
  ['with the strategy Local', { podOffloadingStrategy: 'Local' }, podOf()],
  ['of the RuntimeClass liqo', remote, podOf({ runtimeClassName: 'liqo' })],
  [
    'of a DaemonSet',
    remote,
    podOf({ affinity: affinityOf({ matchFields: [thisNode] }) }, ofDaemonSet),
  ],
  [
    'that mirrors a static one',
    remote,
    podOf({}, { annotations: { 'kubernetes.io/config.mirror': '1' } }),
  ],
  ['without a spec', remote, { metadata: {} }],
])('placePod() leaves a pod %s as it is', (_, placement, pod) => {
  expect(placePod(pod, placement)).toBe(pod);
});

test('placePod() places a pod that another kind of controller owns', () => {
  const [owner] = ofDaemonSet.ownerReferences;
  const metadata = { ownerReferences: [{ ...owner, kind: 'ReplicaSet' }] } as Pod['metadata'];
  expect(placePod(podOf({}, metadata), remote).spec?.tolerations).toEqual([toleration]);
});

test('placePod() refuses more combinations of terms than a scheduler should have to look at', () => {
  const terms = Array.from({ length: 129 }, (_, nth) => ({
    matchExpressions: [{ ...onSsd, values: [`${nth}`] }],
  }));
  const pod = podOf({ affinity: affinityOf(...terms) });
  expect(() => placePod(pod, milanOrTurin)).toThrow(TooManyTermsError);
});

const nodes = ['milan', 'turin', undefined].flatMap((clusterID) =>
  ['ssd', 'hdd'].map((disk) => ({
    metadata: {
      name: 'n1',
      labels: {
        disk,
        ...(clusterID && {
          'liqo.io/remote-cluster-id': clusterID,
          'liqo.io/type': 'virtual-node',
        }),
      },
    },
  })),
);

test.each<[Placement, readonly string[]]>([
  [remote, ['milan/ssd', 'turin/ssd']],
  [milanOrTurin, ['milan/ssd', 'turin/ssd']],
  [milanOrLocal, ['milan/ssd', '/ssd']],
])('placePod() lets %j and the pod agree on nodes', (placement, expected) => {
  const pod = placePod(podOf({ affinity: affinityOf({ matchExpressions: [onSsd] }) }), placement);
  const required = pod.spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  const matching = nodes.filter((node) => required && matchesNodeSelector(required, node));
  const names = matching.map(
    ({ metadata: { labels } }) =>
      `${'liqo.io/remote-cluster-id' in labels ? labels['liqo.io/remote-cluster-id'] : ''}/${labels.disk}`,
  );
  expect(names).toEqual(expected);
});
