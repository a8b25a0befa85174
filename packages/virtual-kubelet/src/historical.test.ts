import { labels, labelValues, ShadowPod, VirtualNode } from '@liqo/api';
import { findCondition, mergePatch, Node, Pod } from '@liqo/kube';
import {
  always,
  cutAfterLines,
  faultOn,
  firstOf,
  lostRequest,
  noFaults,
  refusal,
} from '@liqo/testkit/faults';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ask } from './server/testing/ask.ts';
import { startRunningWorld, tenantNamespace } from './testing/offloading-world.ts';

type World = Awaited<ReturnType<typeof startRunningWorld>>;

let world: World;
beforeEach(async () => {
  world = await startRunningWorld();
});
afterEach(() => world[Symbol.asyncDispose]());

const here = (name: string) => ({ namespace: 'shop', name });
const virtualNode = { namespace: tenantNamespace, name: 'mynode' };
const there = (name: string) => ({ namespace: 'shop-rome', name });
const isOfMaps = ({ resource }: { readonly resource: string }) =>
  resource.startsWith('namespacemaps');

async function expectRunning(name: string, uid: string | undefined): Promise<void> {
  expect((await world.pod(name))?.status?.phase).toBe('Running');
  expect((await world.remotePod(name))?.metadata.uid).toBe(uid);
}

async function runningUid(name: string): Promise<string | undefined> {
  await world.runPod(name);
  return (await world.remotePod(name))?.metadata.uid;
}

async function untilGone(name: string): Promise<void> {
  await world.until(async () => expect(await world.pod(name)).toBeUndefined());
}

/** Known on both sides: a played provider has no finalizer to hold a pod until its end has been written down. */
async function finishedJob(): Promise<void> {
  await world.runPod('job', { restartPolicy: 'Never' });
  await world.provider.finish('shop-rome', 'job', 'Succeeded');
  await world.until(async () => {
    expect((await world.pod('job'))?.status?.phase).toBe('Succeeded');
    expect((await world.shadowPod('job'))?.status?.phase).toBe('Succeeded');
  });
}

/** Asks the Node's endpoints where the Node says they are, without saying who asks. */
async function askNode(path: string) {
  const { status } = (await world.home.admin.get(Node, { name: 'mynode' })) ?? {};
  expect(status?.addresses).toEqual([{ type: 'InternalIP', address: '127.0.0.1' }]);
  const port = status?.daemonEndpoints?.kubeletEndpoint?.Port ?? 0;
  return ask({ port, path, method: 'GET' }, {});
}

/** Bugs that others had in this place, each with what must be true instead. */
const history: readonly [string, () => Promise<void>][] = [
  [
    'a pod that waits because its namespace is not offloaded can be deleted [#604]',
    async () => {
      await world.unmap('shop');
      await world.createPod('web');
      await world.until(async () => {
        expect((await world.pod('web'))?.status?.reason).toBe('OffloadingBackOff');
      });
      await world.home.admin.delete(Pod, here('web'));
      await untilGone('web');
    },
  ],
  [
    'a namespace map that cannot be read for a while ends no pod [#1030]',
    async () => {
      const uid = await runningUid('web');
      world.home.faults.plan = faultOn(isOfMaps, refusal(500));
      await world.pass(120_000);
      world.home.faults.plan = noFaults;
      await world.pass(30_000);
      await expectRunning('web', uid);
    },
  ],
  [
    'a partition neither fails nor deletes a pod, and it is the same one afterwards [#1194]',
    async () => {
      const uid = await runningUid('web');
      world.away.faults.plan = always(lostRequest('stall'));
      await world.pass(400_000);
      expect((await world.pod('web'))?.status?.phase).toBe('Running');
      expect((await world.pod('web'))?.metadata.deletionTimestamp).toBeUndefined();
      world.away.faults.plan = noFaults;
      await world.pass(60_000);
      await expectRunning('web', uid);
    },
  ],
  [
    'a pod that nothing can be made of does not hold up the others [#1522]',
    async () => {
      world.away.faults.plan = faultOn(
        ({ resource, body, verb }) =>
          resource.startsWith('shadowpods') && verb === 'create' && /"bad"/.test(String(body)),
        { answer: { status: 500, body: 'not even JSON' } },
      );
      await world.createPod('bad');
      await world.runPod('good');
    },
  ],
  [
    'a finished pod is not run again when the provider drains its node [#1804]',
    async () => {
      await finishedJob();
      await world.away.admin.delete(Pod, there('job'));
      await world.pass(60_000);
      expect(await world.remotePod('job')).toBeUndefined();
      expect((await world.pod('job'))?.status?.phase).toBe('Succeeded');
    },
  ],
  [
    'a lost provider makes a pod not ready, and nothing else of it [#1853]',
    async () => {
      await world.runPod('web');
      const before = await world.pod('web');
      world.away.faults.plan = always(lostRequest('refuse'));
      await world.until(async () => {
        const { conditions } = (await world.pod('web'))?.status ?? {};
        expect(findCondition(conditions, 'Ready')?.status).toBe('False');
      });
      const after = await world.pod('web');
      expect({ ...after?.status, conditions: [] }).toEqual({ ...before?.status, conditions: [] });
    },
  ],
  [
    'a kubelet goes on with what an earlier version has left, however little it says [#2038]',
    async () => {
      await world.stop(world.kubelet);
      const bare = mergePatch({ spec: { labels: null, taints: null, resourceQuota: null } });
      await world.home.admin.patch(VirtualNode, virtualNode, bare);
      await world.home.admin.delete(Node, { name: 'mynode' });
      const marks = { [labels.type]: labelValues.virtualNode };
      await world.home.admin.create(Node, { metadata: { name: 'mynode', labels: marks } });
      const route = { [labels.origin]: 'rome', [labels.destination]: 'milan' };
      const old = { ...there('old'), labels: { ...route, [labels.nodeName]: 'mynode' } };
      await world.away.admin.create(ShadowPod, { metadata: old, spec: {} });
      await world.startWorkingKubelet();
      await world.runPod('web');
      const { cpu, memory } = { cpu: '2', memory: '4Gi' };
      const filled = mergePatch({ spec: { resourceQuota: { hard: { cpu, memory } } } });
      await world.home.admin.patch(VirtualNode, virtualNode, filled);
      await world.until(async () => expect((await world.readiness())?.status).toBe('True'));
    },
  ],
  [
    'a kubelet that starts again neither aborts a running pod nor ends it over there [#2748]',
    async () => {
      const uid = await runningUid('web');
      await world.stop(world.kubelet);
      world.home.faults.plan = faultOn(isOfMaps, { answerTakesMs: 15_000 });
      await world.startWorkingKubelet();
      await world.pass(60_000);
      await expectRunning('web', uid);
    },
  ],
  [
    'a namespace that is made anew over there does not run finished pods again [#3096]',
    async () => {
      await finishedJob();
      await world.unmap('shop');
      await world.away.admin.delete(ShadowPod, there('job'));
      await world.stop(world.kubelet);
      await world.clock.advance(40 * 24 * 3600_000);
      await world.map({ shop: 'shop-rome' });
      await world.startWorkingKubelet();
      await world.pass(60_000);
      expect(await world.shadowPod('job')).toBeUndefined();
      expect((await world.pod('job'))?.status?.phase).toBe('Succeeded');
    },
  ],
  [
    'the Node names the address and the port where its logs are asked for [#3099]',
    async () => {
      await world.runPod('web');
      expect(await askNode('/containerLogs/shop/web/main')).toMatchObject({ status: 401 });
      expect(await askNode('/nothing')).toMatchObject({ status: 404 });
    },
  ],
  [
    'a deletion over there that no watch has told of is made good [#3105]',
    async () => {
      const { uid } = (await world.runPod('web')).metadata;
      world.away.faults.plan = faultOn(({ verb }) => verb === 'watch', cutAfterLines(0, 'end'));
      await world.away.admin.delete(ShadowPod, there('web'));
      world.away.cluster.forgetHistory();
      await world.pass(5_000);
      world.away.faults.plan = noFaults;
      await world.until(async () => expect(await world.shadowPod('web')).toBeDefined());
      expect((await world.pod('web'))?.metadata.uid).toBe(uid);
    },
  ],
  [
    'renewed credentials are used without a restart [#3172, #3173]',
    async () => {
      const uid = await runningUid('web');
      await world.setKubeconfig('rome-renewed');
      world.away.faults.plan = faultOn(({ who }) => who === 'rome', refusal(401));
      await world.pass(60_000);
      expect((await world.readiness())?.status).toBe('True');
      await expectRunning('web', uid);
    },
  ],
  [
    'a pod that is moved over there leaves no second one running [#3245]',
    async () => {
      const before = await runningUid('web');
      await world.away.admin.delete(Pod, there('web'), { gracePeriodSeconds: 0 });
      await world.until(async () => {
        const uid = (await world.remotePod('web'))?.metadata.uid;
        expect(uid).toBeDefined();
        expect(uid).not.toBe(before);
      });
      await world.home.admin.delete(Pod, here('web'));
      await untilGone('web');
      expect(await world.remotePod('web')).toBeUndefined();
    },
  ],
  [
    'nobody learns or does anything at the port of a node without saying who they are [#3380]',
    async () => {
      await world.runPod('web');
      world.away.faults.calls.length = 0;
      const paths = ['/pods', '/stats/summary', '/metrics', '/metrics/resource', '/healthz'];
      const logs = ['/containerLogs/shop/web/main', '/exec/shop/web/main?command=id'];
      for (const path of [...paths, ...logs]) {
        expect([path, (await askNode(path)).status]).toEqual([path, 401]);
      }
      const asked = world.away.faults.calls.map(({ resource }) => resource);
      expect(asked.filter((resource) => resource.startsWith('pods/'))).toEqual([]);
    },
  ],
  [
    'a list of pods that is behind removes nothing over there [#1021]',
    async () => {
      const uid = await runningUid('web');
      await world.stop(world.kubelet);
      const body =
        '{"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"1"},"items":[]}';
      const isOfPods = ({ resource }: { readonly resource: string }) => resource === 'pods';
      world.home.faults.calls.length = 0;
      world.home.faults.plan = firstOf(
        faultOn((call) => isOfPods(call) && call.verb === 'list', {
          answer: { status: 200, body },
        }),
        faultOn((call) => isOfPods(call) && call.verb === 'watch', lostRequest('stall')),
      );
      await world.startWorkingKubelet();
      const isAsked = () =>
        world.home.faults.calls.some((one) => isOfPods(one) && one.verb === 'get');
      await world.until(() => expect(isAsked()).toBe(true));
      await world.pass(30_000);
      await expectRunning('web', uid);
    },
  ],
  [
    'a kubelet that takes long to start deletes nothing [#107]',
    async () => {
      const uid = await runningUid('web');
      await world.stop(world.kubelet);
      world.home.faults.plan = faultOn(({ resource }) => resource === 'pods', {
        answerTakesMs: 45_000,
      });
      await world.startWorkingKubelet();
      await world.pass(180_000);
      await expectRunning('web', uid);
    },
  ],
  [
    'a deleted pod stays until it has ended over there, even if it is then given less time [#760]',
    async () => {
      await world.runPod('web');
      world.provider.holdsPods = true;
      await world.home.admin.delete(Pod, here('web'), { gracePeriodSeconds: 60 });
      await world.pass(5_000);
      await world.home.admin.delete(Pod, here('web'), { gracePeriodSeconds: 30 });
      await world.pass(120_000);
      expect(await world.pod('web')).toBeDefined();
      world.provider.holdsPods = false;
      await untilGone('web');
    },
  ],
  [
    'a pod that was deleted while no kubelet ran is ended by the next one [#784]',
    async () => {
      await world.runPod('web');
      await world.stop(world.kubelet);
      await world.home.admin.delete(Pod, here('web'));
      await world.startWorkingKubelet();
      await untilGone('web');
      expect(await world.remotePod('web')).toBeUndefined();
    },
  ],
  [
    'a pod that fails with its machine over there fails here, so that it is replaced [tensile-kube #43]',
    async () => {
      await world.runPod('web');
      await world.provider.finish('shop-rome', 'web', 'Failed');
      await world.until(async () => expect((await world.pod('web'))?.status?.phase).toBe('Failed'));
      await world.home.admin.delete(Pod, here('web'));
      await untilGone('web');
      await world.runPod('web');
    },
  ],
  [
    'what happens to a pod that is being deleted over there is still told here [#874]',
    async () => {
      await world.runPod('web');
      world.provider.rests = true;
      await world.away.admin.delete(Pod, there('web'), { gracePeriodSeconds: 600 });
      const conditions = [{ type: 'Ready', status: 'False', reason: 'Draining' }];
      const subresource = 'status' as const;
      const change = mergePatch({ status: { conditions } });
      await world.away.admin.patch(Pod, there('web'), change, { subresource });
      await world.until(async () => {
        const ready = findCondition((await world.pod('web'))?.status?.conditions, 'Ready');
        expect(ready?.status).toBe('False');
      });
      expect((await world.pod('web'))?.status?.phase).toBe('Running');
    },
  ],
];

describe('history does not repeat itself:', () => {
  test.each(history)('%s', (_, happens) => happens());
});
