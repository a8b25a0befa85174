import { Pod } from '@liqo/kube';
import { startMinicluster } from '@liqo/minicluster';
import { expect, test } from 'vitest';
import { seededRandom } from '../seeded-random.ts';
import { VirtualClock } from '../virtual-clock.ts';
import type { ApiCall } from './api-call.ts';
import { type Fault, failAfterEffect, lostAnswer, lostRequest, refusal } from './fault.ts';
import { FaultScript } from './fault-script.ts';
import { FaultyCalls } from './faulty-calls.ts';

const key = { namespace: 'default', name: 'web' };
const spec = { containers: [{ name: 'main', image: 'example.org/web' }] };

const faults: readonly (readonly [string, Fault])[] = [
  ['a conflict', refusal(409)],
  ['a conflict that took effect', failAfterEffect(409)],
  ['a failure', refusal(500)],
  ['a failure that took effect', failAfterEffect(500)],
  ['silence', lostRequest('reset')],
  ['silence that took effect', lostAnswer('reset')],
];

const isBinding = ({ resource }: ApiCall) => resource === 'pods/binding';
const isNodeStatus = ({ resource, who }: ApiCall) =>
  resource === 'pods/status' && who.startsWith('system:node:');
const isRemoval = ({ resource, verb, who }: ApiCall) =>
  resource === 'pods' && verb === 'delete' && who.startsWith('system:node:');

async function startSuffering() {
  const clock = new VirtualClock();
  const script = new FaultScript();
  const calls = new FaultyCalls({ clock, plan: script.plan });
  const random = seededRandom(1);
  const { intercept } = calls;
  const cluster = await startMinicluster({ clock, random, nodes: 1, intercept });
  return { clock, script, cluster, [Symbol.asyncDispose]: () => cluster[Symbol.asyncDispose]() };
}

test.each(faults)('The scheduler binds a pod again after %s', async (_, fault) => {
  await using suffering = await startSuffering();
  const { clock, script, cluster } = suffering;
  script.next(isBinding, fault, fault);
  await cluster.client.create(Pod, { metadata: key, spec });
  await clock.advance(10_000);
  const pod = await cluster.client.get(Pod, key);
  expect(pod?.spec?.nodeName).toBe('minicluster-1');
});

test.each(faults)('A node writes the status of a pod again after %s', async (_, fault) => {
  await using suffering = await startSuffering();
  const { clock, script, cluster } = suffering;
  script.next(isNodeStatus, undefined, fault, fault);
  await cluster.client.create(Pod, { metadata: key, spec });
  await clock.advance(10_000);
  const pod = await cluster.client.get(Pod, key);
  expect(script.left).toBe(0);
  expect(pod?.status?.phase).toBe('Running');
});

test.each(faults)('A node lets go of a deleted pod again after %s', async (_, fault) => {
  await using suffering = await startSuffering();
  const { clock, script, cluster } = suffering;
  await cluster.client.create(Pod, { metadata: key, spec });
  await clock.advance(10_000);
  script.next(isRemoval, fault, fault);
  await cluster.client.delete(Pod, key);
  await clock.advance(60_000);
  expect(await cluster.client.get(Pod, key)).toBeUndefined();
});
