import { annotations, labels, ShadowPod } from '@liqo/api';
import { Pod } from '@liqo/kube';
import { expect, test } from 'vitest';
import { Survey } from '../survey.ts';
import { findLies, findSilent, findStrays } from './pods.ts';

type Fields = Partial<Pick<Pod, 'spec' | 'status'>> & { readonly metadata?: Pod['metadata'] };

const running = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] };

function local(name: string, fields: Fields = {}) {
  const metadata = { namespace: 'shop', name, uid: `uid-of-${name}`, ...fields.metadata };
  const spec = { nodeName: 'v1', containers: [], ...fields.spec };
  return { status: running, ...fields, metadata, spec };
}

/** Over there. */
function twin(name: string, of: string, fields: Fields = {}) {
  const marks = { [annotations.podUid]: `uid-of-${of}` };
  const metadata = {
    namespace: 'shop-rome',
    name,
    uid: `uid-of-remote-${name}`,
    labels: { [labels.origin]: 'rome' },
    annotations: marks,
  };
  return { status: running, ...fields, metadata };
}

function survey(cluster: string, kind: typeof Pod | typeof ShadowPod, objects: readonly Pod[]) {
  const { group, plural } = kind;
  const items = objects.map((one) => [`${one.metadata?.namespace}/${one.metadata?.name}`, one]);
  const collection = group ? `${plural}.${group}` : plural;
  return new Survey(cluster, new Map([[collection, new Map(items as never)]]));
}

function surveys(here: readonly Pod[], there: readonly Pod[]) {
  const home = survey('rome', Pod, here);
  const providers = [survey('milan', Pod, there)];
  return { home, providers, virtualNodes: new Set(['v1']) };
}

test('a pod and its twin that say the same are in order', () => {
  const world = surveys([local('a')], [twin('a', 'a')]);
  expect([...findStrays(world), ...findLies(world), ...findSilent(world)]).toEqual([]);
});

test('findStrays() finds what has no pod at home, by UID and not by name', () => {
  expect(findStrays(surveys([], [twin('a', 'a')]))).toHaveLength(1);
  expect(findStrays(surveys([local('a')], [twin('a', 'old')]))).toHaveLength(1);
  const shadows = survey('milan', ShadowPod, [twin('a', 'a')]);
  expect(findStrays({ ...surveys([], []), providers: [shadows] })).toHaveLength(1);
});

test('findStrays() finds two twins of one pod', () => {
  const world = surveys([local('a')], [twin('a', 'a'), twin('b', 'a')]);
  expect(findStrays(world)).toEqual(['"shop-rome/b" and "shop-rome/a" are of one pod at home']);
});

test.each<[string, Fields, string]>([
  ['another phase', { status: { ...running, phase: 'Pending' } }, 'says Pending'],
  ['another readiness', { status: { phase: 'Running' } }, 'says Running Ready=undefined'],
  ['another address', { status: { ...running, podIP: '10.0.0.9' } }, '10.0.0.9'],
  ['a deletion that never ends', { metadata: { deletionTimestamp: 'now' } }, 'never gone'],
])('findLies() finds %s', (_, fields, lie) => {
  const [found] = findLies(surveys([local('a', fields)], [twin('a', 'a')]));
  expect(found).toContain(lie);
});

test('findLies() finds pods that claim to run, or wait in silence, with nothing over there', () => {
  expect(findLies(surveys([local('a')], []))[0]).toContain('there is none over there');
  const waiting = local('a', { status: { phase: 'Pending' } });
  expect(findLies(surveys([waiting], []))[0]).toContain('does not say why');
  const explained = local('a', { status: { phase: 'Pending', reason: 'NameTaken' } });
  expect(findLies(surveys([explained], []))).toEqual([]);
});

test.each(['containers', 'initContainers'])(
  'findLies() finds resources of %s that differ',
  (field) => {
    const asking = (cpu: string) => {
      const containers = [{ name: 'main', resources: { requests: { cpu } } }];
      return { spec: { containers: [], [field]: containers } } as Fields;
    };
    const here = local('a', asking('20m'));
    const [lie] = findLies(surveys([here], [twin('a', 'a', asking('10m'))]));
    expect(lie).toContain('asks for main 20m, and over there for main 10m');
    expect(findLies(surveys([here], [twin('a', 'a', asking('20m'))]))).toEqual([]);
  },
);

test('findLies() has no eyes for the pods of other nodes', () => {
  expect(findLies(surveys([local('a', { spec: { nodeName: 'x', containers: [] } })], []))).toEqual(
    [],
  );
});

test('findSilent() finds a pod that waits and does not say why', () => {
  const spec = { containers: [] };
  expect(findSilent(surveys([local('a', { spec, status: {} })], []))).toHaveLength(1);
  const conditions = [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable' }];
  expect(findSilent(surveys([local('a', { spec, status: { conditions } })], []))).toEqual([]);
});
