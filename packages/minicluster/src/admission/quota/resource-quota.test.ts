import type { KubeObject, ResourceQuota } from '@liqo/kube';
import { seededRandom, VirtualClock } from '@liqo/testkit';
import { expect, test } from 'vitest';
import { builtInResources } from '../../resources/built-in.ts';
import type { Resource } from '../../rest/resource.ts';
import { Store } from '../../store/store.ts';
import { type AdmissionAttributes, AdmissionChain } from '../admission.ts';
import { resourceQuota } from './resource-quota.ts';

const clock = new VirtualClock();
const pods = builtInResources({ clock, random: seededRandom(1) }).find(
  ({ plural }) => plural === 'pods',
) as Resource;

function storeWithQuota(hard: Readonly<Record<string, string>>): Store {
  const store = new Store();
  const used = Object.fromEntries(Object.keys(hard).map((name) => [name, '0']));
  const metadata = { namespace: 'shop', name: 'quota' };
  const quota: ResourceQuota = { metadata, spec: { hard }, status: { hard, used } };
  store.collection('resourcequotas').put('shop/quota', undefined, quota as KubeObject);
  return store;
}

function creationOf(name: string, more: Partial<AdmissionAttributes> = {}): AdmissionAttributes {
  return {
    operation: 'CREATE',
    resource: pods,
    subresource: '',
    namespace: 'shop',
    name,
    object: { metadata: { name }, spec: { containers: [{ name: 'main' }] } } as KubeObject,
    previous: undefined,
    options: {},
    dryRun: false,
    user: { name: 'alice', groups: [], extra: {} },
    signal: new AbortController().signal,
    warn: () => undefined,
    ...more,
  };
}

function usedIn(store: Store): unknown {
  return (store.collection('resourcequotas').get('shop/quota') as ResourceQuota).status?.used;
}

test('resourceQuota() lets in as many of a crowd as fit', async () => {
  const store = storeWithQuota({ pods: '3' });
  const chain = new AdmissionChain([resourceQuota(store, clock)]);
  const crowd = Array.from({ length: 10 }, (_, index) =>
    chain.validate(creationOf(`pod-${index}`)),
  );
  const outcomes = await Promise.allSettled(crowd);
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
  expect(usedIn(store)).toEqual({ pods: '3' });
});

test('resourceQuota() judges a dry run without charging it', async () => {
  const store = storeWithQuota({ pods: '1' });
  await resourceQuota(store, clock).validate?.(creationOf('one', { dryRun: true }));
  expect(usedIn(store)).toEqual({ pods: '0' });
});

test('resourceQuota() leaves other namespaces alone', async () => {
  const store = storeWithQuota({ pods: '0' });
  await resourceQuota(store, clock).validate?.(creationOf('one', { namespace: 'other' }));
  expect(usedIn(store)).toEqual({ pods: '0' });
});
