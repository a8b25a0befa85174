import { labels, NamespaceOffloading } from '@liqo/api';
import { ConfigMap, Lease, mergePatch, Secret, Service } from '@liqo/kube';
import { type ApiCall, faultOn, isWrite, noFaults, refusal } from '@liqo/testkit/faults';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startRunningWorld, tenantNamespace } from '../testing/offloading-world.ts';

let world: Awaited<ReturnType<typeof startRunningWorld>>;
beforeEach(async () => {
  world = await startRunningWorld();
});
afterEach(() => world[Symbol.asyncDispose]());

const local = { namespace: 'shop', name: 'settings' };
const remote = { namespace: 'shop-rome', name: 'settings' };
const marks = { [labels.origin]: 'rome', [labels.destination]: 'milan' };

async function reflected(): Promise<ConfigMap | undefined> {
  return world.away.admin.get(ConfigMap, remote);
}

async function create(data: Record<string, string> = { mode: 'fast' }): Promise<void> {
  await world.home.admin.create(ConfigMap, { metadata: local, data });
}

async function untilReflected(data: Record<string, string> = { mode: 'fast' }): Promise<void> {
  await world.until(async () => expect((await reflected())?.data).toEqual(data));
}

const isReflection = (call: ApiCall) =>
  isWrite(call) && ['configmaps', 'secrets'].includes(call.resource);

const reasons = () =>
  world.events
    .filter(({ regarding }) => regarding.metadata.name === local.name)
    .map(({ reason }) => reason);

describe('an object of an offloaded namespace', () => {
  test('is reflected, with a word about it', async () => {
    await create();
    await untilReflected();
    expect((await reflected())?.metadata?.labels).toEqual(marks);
    expect(reasons()).toEqual(['SuccessfulReflection']);
  });

  test('is changed at the provider when it is changed, and goes when it goes', async () => {
    await create();
    await untilReflected();
    const patch = mergePatch({ data: { mode: 'slow', more: 'x' } });
    await world.home.admin.patch(ConfigMap, local, patch);
    await untilReflected({ mode: 'slow', more: 'x' });
    const removal = mergePatch({ data: { more: null } });
    await world.home.admin.patch(ConfigMap, local, removal);
    await untilReflected({ mode: 'slow' });
    await world.home.admin.delete(ConfigMap, local);
    await world.until(async () => expect(await reflected()).toBeUndefined());
  });

  test('is repaired when its copy is changed, extended or deleted by hand', async () => {
    await create();
    await untilReflected();
    const { admin } = world.away;
    await admin.patch(ConfigMap, remote, mergePatch({ data: { mode: 'other' } }));
    await untilReflected();
    await admin.patch(ConfigMap, remote, mergePatch({ data: { added: 'x' } }));
    await untilReflected();
    await admin.delete(ConfigMap, remote);
    await untilReflected();
  });

  test('is replaced when its copy cannot be changed', async () => {
    const { admin } = world.home;
    await admin.create(ConfigMap, { metadata: local, data: { mode: 'fast' }, immutable: true });
    await untilReflected();
    await admin.delete(ConfigMap, local);
    await admin.create(ConfigMap, { metadata: local, data: { mode: 'slow' }, immutable: true });
    await untilReflected({ mode: 'slow' });
  });

  test('leaves a foreign object of its name alone, says so, and is reflected when that is gone', async () => {
    const { admin } = world.away;
    await admin.create(ConfigMap, { metadata: remote, data: { theirs: 'x' } });
    await create();
    await world.until(() => expect(reasons()).toContain('FailedReflection'));
    expect((await reflected())?.data).toEqual({ theirs: 'x' });
    await admin.delete(ConfigMap, remote);
    await untilReflected();
  });

  test.each([
    ['other values', { mode: 'theirs' }],
    ['other keys', { theirs: 'x' }],
  ])('takes nothing of a foreign object with %s that is created first', async (_, data) => {
    let meetings = 0;
    const before = async () => {
      meetings += 1;
      world.away.faults.plan = noFaults;
      await world.away.admin.create(ConfigMap, { metadata: remote, data });
    };
    const isCopying = (call: ApiCall) => isReflection(call) && call.name === remote.name;
    world.away.faults.plan = faultOn(isCopying, { before });
    await create();
    await world.until(() => expect(reasons()).toEqual(['FailedReflection']));
    expect(meetings).toBe(1);
    const found = await reflected();
    expect(found?.data).toEqual(data);
    expect(found?.metadata?.labels).toBeUndefined();
    await world.home.admin.delete(ConfigMap, local);
    await world.pass(5_000);
    expect((await reflected())?.data).toEqual(data);
  });

  test.each([413, 422])(
    'that the provider finds too large (%i) is reported, and keeps no other',
    async (code) => {
      const isLarge = (call: ApiCall) => isReflection(call) && call.name === 'large';
      world.away.faults.plan = faultOn(isLarge, refusal(code));
      const large = {
        metadata: { ...local, name: 'large' },
        data: { page: 'x'.repeat(1_048_000) },
      };
      await world.home.admin.create(ConfigMap, large);
      const failures = () =>
        world.events.filter(
          ({ regarding, reason }) =>
            regarding.metadata.name === 'large' && reason === 'FailedReflection',
        );
      await world.until(() => expect(failures().length).toBeGreaterThan(0));
      await create();
      await untilReflected();
      world.away.faults.plan = noFaults;
      await world.until(async () => {
        const found = await world.away.admin.get(ConfigMap, { ...remote, name: 'large' });
        expect(found?.data).toEqual(large.data);
      });
    },
  );

  test('loses its copy when it is to be skipped', async () => {
    await create();
    await untilReflected();
    const patch = mergePatch({ metadata: { annotations: { 'liqo.io/skip-reflection': 'true' } } });
    await world.home.admin.patch(ConfigMap, local, patch);
    await world.until(async () => expect(await reflected()).toBeUndefined());
  });

  test('keeps its copy when its namespace is withdrawn, and is not reflected any more', async () => {
    await create();
    await untilReflected();
    await world.unmap('shop');
    await world.pass(1_000);
    await world.home.admin.patch(ConfigMap, local, mergePatch({ data: { mode: 'slow' } }));
    await world.pass(5_000);
    expect((await reflected())?.data).toEqual({ mode: 'fast' });
  });
});

describe('the copies of an offloaded namespace', () => {
  test('are not written again after a restart with nothing changed', async () => {
    const { admin } = world.home;
    await create();
    await admin.create(Secret, { metadata: local, stringData: { password: 'secret' } });
    const key = { ...remote };
    await world.until(async () => expect(await world.away.admin.get(Secret, key)).toBeDefined());
    await untilReflected();
    await world.stop(world.kubelet);
    const { calls } = world.away.faults;
    calls.length = 0;
    await world.startWorkingKubelet();
    const isList = ({ verb, resource }: ApiCall) => verb === 'list' && resource === 'secrets';
    await world.until(() => expect(calls.filter(isList)).toHaveLength(1));
    await world.pass(10_000);
    expect(calls.filter(isReflection)).toEqual([]);
  });

  test('without an original are deleted, foreign objects are not', async () => {
    const { admin } = world.away;
    const orphan = { namespace: 'shop-rome', name: 'orphan' };
    await admin.create(ConfigMap, { metadata: { ...orphan, labels: marks } });
    await admin.create(ConfigMap, { metadata: { ...remote, labels: { app: 'x' } } });
    await world.until(async () => expect(await admin.get(ConfigMap, orphan)).toBeUndefined());
    expect(await reflected()).toBeDefined();
  });

  test('are the work of the one that holds the Lease of the provider', async () => {
    const name = 'virtual-kubelet-leader-election-milan';
    const lease = await world.home.admin.get(Lease, { namespace: tenantNamespace, name });
    expect(lease?.spec?.holderIdentity).toBe('kubelet/mynode');
  });
});

describe('a kind with settings of its own', () => {
  const restart = async (change: Parameters<typeof world.startKubelet>[0]) => {
    await world.stop(world.kubelet);
    await world.startWorkingKubelet(change);
  };

  test('is not even watched without workers', async () => {
    const { calls } = world.away.faults;
    calls.length = 0;
    await restart({ reflection: { secret: { workers: 0, policy: 'DenyList' } } });
    await create();
    await untilReflected();
    expect(calls.filter(({ resource }) => resource === 'secrets')).toEqual([]);
  });

  test('is reflected only where an annotation says so, with AllowList', async () => {
    await restart({ reflection: { configmap: { workers: 1, policy: 'AllowList' } } });
    await create();
    const allowed = { namespace: 'shop', name: 'allowed' };
    const annotations = { 'liqo.io/allow-reflection': 'true' };
    await world.home.admin.create(ConfigMap, { metadata: { ...allowed, annotations } });
    const copy = { ...allowed, namespace: 'shop-rome' };
    await world.until(async () =>
      expect(await world.away.admin.get(ConfigMap, copy)).toBeDefined(),
    );
    expect(await reflected()).toBeUndefined();
  });

  test('leaves labels and annotations at the consumer whose keys are not reflected', async () => {
    await restart({ notReflected: { labels: ['team'], annotations: ['note'] } });
    const metadata = {
      ...local,
      labels: { team: 'blue', app: 'web' },
      annotations: { note: 'x', about: 'y' },
    };
    await world.home.admin.create(ConfigMap, { metadata, data: { mode: 'fast' } });
    await untilReflected();
    const copy = (await reflected())?.metadata;
    expect(copy?.labels).toEqual({ app: 'web', ...marks });
    expect(copy?.annotations).toEqual({ about: 'y' });
  });
});

test('a Secret with the token of a ServiceAccount stays, and says why', async () => {
  const { admin } = world.home;
  const type = 'kubernetes.io/service-account-token';
  const annotations = { 'kubernetes.io/service-account.name': 'default' };
  await admin.create(Secret, { metadata: { ...local, annotations }, type });
  await world.until(() => expect(reasons()).toContain('ReflectionDisabled'));
  expect(await world.away.admin.get(Secret, remote)).toBeUndefined();
});

describe('the NamespaceOffloading of a namespace', () => {
  const offloading = { namespace: 'shop', name: 'offloading' };
  const conditions = async () => {
    const found = await world.home.admin.get(NamespaceOffloading, offloading);
    return found?.status?.reflectionConditions?.milan;
  };
  const foreignObject = (name: string) =>
    world.away.admin.create(ConfigMap, { metadata: { ...remote, name } });
  const original = (name: string) =>
    world.home.admin.create(ConfigMap, { metadata: { ...local, name } });
  beforeEach(() =>
    world.home.admin.create(NamespaceOffloading, {
      metadata: offloading,
      spec: { namespaceMappingStrategy: 'DefaultName', podOffloadingStrategy: 'LocalAndRemote' },
    }),
  );

  test('says which objects are not reflected, and why, until they are', async () => {
    await foreignObject('a');
    await foreignObject('b');
    await original('a');
    await world.until(async () =>
      expect(await conditions()).toMatchObject([
        {
          type: 'configmaps',
          status: 'False',
          reason: 'FailedReflection',
          message: expect.stringMatching(/^Cannot reflect ConfigMap "a"/),
        },
      ]),
    );
    await original('b');
    const several = expect.stringMatching(
      /^2 objects have a problem. Cannot reflect ConfigMap "a"/,
    );
    await world.until(async () => expect(await conditions()).toMatchObject([{ message: several }]));
    for (const name of ['a', 'b']) await world.away.admin.delete(ConfigMap, { ...remote, name });
    await world.until(async () =>
      expect(await conditions()).toMatchObject([{ type: 'configmaps', status: 'True' }]),
    );
  });

  test('says it again, and takes it back, after a restart', async () => {
    await foreignObject('a');
    await original('a');
    const failed = { type: 'configmaps', status: 'False' };
    await world.until(async () => expect(await conditions()).toMatchObject([failed]));
    await world.stop(world.kubelet);
    await world.away.admin.delete(ConfigMap, { ...remote, name: 'a' });
    await world.startWorkingKubelet();
    await world.until(async () => expect(await conditions()).toEqual([]));
  });

  test('says which class the provider does not offer', async () => {
    await world.home.admin.create(Service, {
      metadata: local,
      spec: { type: 'LoadBalancer', loadBalancerClass: 'example.org/fast', ports: [{ port: 80 }] },
    });
    await world.until(async () =>
      expect(await conditions()).toMatchObject([
        { type: 'services', status: 'False', reason: 'ClassNotOffered' },
      ]),
    );
  });

  test('is not written while all is well', async () => {
    await create();
    await untilReflected();
    await world.pass(10_000);
    expect(await conditions()).toBeUndefined();
  });
});
