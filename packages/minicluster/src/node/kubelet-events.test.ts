import { type Client, defineKind, type Pod, type Stored } from '@liqo/kube';
import { seededRandom, VirtualClock } from '@liqo/testkit';
import type * as core from 'kubernetes-types/core/v1.d.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { KubeletEvents } from './kubelet-events.ts';
import { startBareServer } from './testing/start-bare-server.ts';

const CoreEvent = defineKind<core.Event>({
  apiVersion: 'v1',
  kind: 'Event',
  plural: 'events',
  scope: 'Namespaced',
});

const pod: Stored<Pod> = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {
    namespace: 'default',
    name: 'web',
    uid: 'uid-of-web',
    resourceVersion: '7',
    creationTimestamp: '2030-01-01T00:00:00Z',
  },
};
const backOff = { type: 'Warning', reason: 'BackOff', message: 'It fails' } as const;

let clock: VirtualClock;
let client: Client;
let events: KubeletEvents;

beforeEach(async () => {
  clock = new VirtualClock();
  const random = seededRandom(1);
  const { signal } = new AbortController();
  client = await startBareServer(clock, random);
  events = new KubeletEvents({ client, clock, random, nodeName: 'worker', signal });
});
afterEach(() => client[Symbol.asyncDispose]());

async function record(): Promise<readonly Stored<core.Event>[]> {
  events.record(pod, backOff);
  await events.settle();
  return (await client.list(CoreEvent, { namespace: 'default' })).items;
}

test('KubeletEvents counts up what happens again', async () => {
  await record();
  await clock.advance(60_000);
  expect(await record()).toMatchObject([
    { count: 2, firstTimestamp: '2030-01-01T00:00:00Z', lastTimestamp: '2030-01-01T00:01:00Z' },
  ]);
});

test('KubeletEvents goes on counting when the event is gone meanwhile', async () => {
  const [first] = await record();
  const { namespace, name = '' } = first?.metadata ?? {};
  await client.delete(CoreEvent, { namespace, name });
  expect(await record()).toMatchObject([{ metadata: { name }, count: 2 }]);
  expect(await record()).toMatchObject([{ metadata: { name }, count: 3 }]);
});
