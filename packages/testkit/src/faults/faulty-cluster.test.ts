import { Deployment, Pod } from '@liqo/kube';
import { startMinicluster } from '@liqo/minicluster';
import { expect, test } from 'vitest';
import { seededRandom } from '../seeded-random.ts';
import { VirtualClock } from '../virtual-clock.ts';
import { delayed, type Fault, failAfterEffect, lostAnswer, lostRequest, refusal } from './fault.ts';
import { noFaults } from './fault-plan.ts';
import { FaultyCalls } from './faulty-calls.ts';
import { seededPlan } from './seeded-plan.ts';

const key = { namespace: 'default', name: 'web' };
const labels = { app: 'web' };
const web: Deployment = {
  metadata: key,
  spec: {
    replicas: 3,
    selector: { matchLabels: labels },
    template: {
      metadata: { labels },
      spec: { containers: [{ name: 'main', image: 'example.org/web' }] },
    },
  },
};

/** No conflicts: to the scheduler and the node they say that somebody else has acted already. */
const faults = [
  () => refusal(500),
  () => refusal(429, '1'),
  () => failAfterEffect(500),
  () => lostRequest('reset'),
  () => lostAnswer('reset'),
  () => delayed(300),
  (): Fault => ({ twice: 'first answer' }),
];

test.each([1, 2])(
  'A cluster gets its work done though its own parts suffer, seed %d',
  async (seed) => {
    const clock = new VirtualClock();
    const calls = new FaultyCalls({ clock });
    await using cluster = await startMinicluster({
      clock,
      random: seededRandom(seed),
      nodes: 1,
      intercept: calls.intercept,
    });
    const plan = seededPlan({ seed, rate: 0.2, faults });
    let suffered = 0;
    calls.plan = (call) => {
      const fault = call.who.startsWith('system:') ? plan(call) : undefined;
      if (fault) suffered += 1;
      return fault;
    };
    await cluster.client.create(Deployment, web);
    const state = async () => {
      const deployment = await cluster.client.get(Deployment, key);
      const { items } = await cluster.client.list(Pod, { labelSelector: 'app=web' });
      return { ready: deployment?.status?.readyReplicas, pods: items.length };
    };
    await clock.advance(5 * 60_000);
    calls.plan = noFaults;
    expect(await state()).toEqual({ ready: 3, pods: 3 });
    expect(suffered).toBeGreaterThan(10);
  },
  20_000,
);
