import { labels } from '@liqo/api';
import { ApiError, formatQuantity, mergePatch, Pod, type Stored } from '@liqo/kube';
import { type Charge, podDemand } from '@liqo/model';
import { silentLogger, startInformer } from '@liqo/runtime';
import { rejection } from '@liqo/testkit';
import { expect, onTestFinished, test } from 'vitest';
import { startQuietWorld } from '../testing/quiet-world.ts';
import { PodLedger } from './pod-ledger.ts';

const key = { namespace: 'shop-rome', name: 'web' };
const name = 'shop-rome/web';

function podOf(cpu: string): Pod {
  return {
    metadata: { ...key, labels: { [labels.origin]: 'rome', [labels.creatorUser]: 'mypool' } },
    spec: { containers: [{ name: 'web', image: 'nginx', resources: { requests: { cpu } } }] },
  };
}

function chargeOf(cpu: string): Charge {
  return { tenant: 'rome', creator: 'mypool', demand: podDemand(podOf(cpu)) };
}

async function startLedger() {
  const world = await startQuietWorld([key.namespace]);
  onTestFinished(() => world[Symbol.asyncDispose]());
  const { admin, clock, random } = world;
  const pods = startInformer({ client: admin, kind: Pod, clock, random, log: silentLogger });
  onTestFinished(() => pods[Symbol.asyncDispose]());
  await pods.synced();
  const freed: string[] = [];
  const ledger = new PodLedger({ pods, clock, onFreed: (tenant) => freed.push(tenant) });
  const following = ledger.start();
  onTestFinished(() => following[Symbol.dispose]());
  return {
    admin,
    clock,
    ledger,
    freed,
    create: (cpu: string) => admin.create(Pod, podOf(cpu)),
    used: () => {
      const cpu = ledger.used('rome', 'mypool').get('cpu');
      return cpu ? formatQuantity(cpu) : '0';
    },
  };
}

function answer(code: number, reason: string): ApiError {
  const status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure' } as const;
  return new ApiError({ ...status, code, reason, message: reason });
}

function fail(error: Error): () => Promise<Stored<Pod>> {
  return () => Promise.reject(error);
}

test('PodLedger charges a write before it is sent, and until the cache shows it', async () => {
  const { clock, create, ledger, used } = await startLedger();
  const written = ledger.write(name, chargeOf('2'), () => {
    expect(used()).toBe('2');
    return create('2');
  });
  expect(used()).toBe('2');
  await written;
  expect(used()).toBe('2');
  await clock.advance(1_000);
  expect(used()).toBe('2');
});

test('PodLedger charges what the API server has made of a pod', async () => {
  const { create, ledger, used } = await startLedger();
  await ledger.write(name, chargeOf('2'), () => create('3'));
  expect(used()).toBe('3');
});

test('PodLedger frees what has been refused, and says so', async () => {
  const { freed, ledger, used } = await startLedger();
  await rejection(ledger.write(name, chargeOf('2'), fail(answer(403, 'Forbidden'))));
  expect(used()).toBe('0');
  expect(freed).toEqual(['rome']);
});

test.each([
  ['a lost connection', new Error('socket hang up')],
  ['a failure of the server', answer(500, 'InternalError')],
  ['a pod that exists', answer(409, 'AlreadyExists')],
])('PodLedger holds a charge for a minute after %s', async (_, error) => {
  const { clock, freed, ledger, used } = await startLedger();
  await rejection(ledger.write(name, chargeOf('2'), fail(error)));
  await clock.advance(59_000);
  expect(used()).toBe('2');
  await clock.advance(1_000);
  expect(used()).toBe('0');
  expect(freed).toEqual(['rome']);
});

test('PodLedger holds a charge in doubt though the same write is refused later', async () => {
  const { clock, ledger, used } = await startLedger();
  await rejection(ledger.write(name, chargeOf('2'), fail(new Error('socket hang up'))));
  await clock.advance(30_000);
  await rejection(ledger.write(name, chargeOf('2'), fail(answer(403, 'Forbidden'))));
  await clock.advance(29_000);
  expect(used()).toBe('2');
  await clock.advance(1_000);
  expect(used()).toBe('0');
});

test('PodLedger doubts a creation no more when the pod shows, and frees it when that ends', async () => {
  const { admin, clock, create, ledger, used } = await startLedger();
  await rejection(ledger.write(name, chargeOf('2'), fail(new Error('socket hang up'))));
  await create('2');
  await clock.advance(1_000);
  const ended = mergePatch({ status: { phase: 'Succeeded' } });
  await admin.patch(Pod, key, ended, { subresource: 'status' });
  await clock.advance(1_000);
  expect(used()).toBe('0');
});

test('PodLedger takes the word of the API server about a write in doubt', async () => {
  const { create, ledger, used } = await startLedger();
  await rejection(ledger.write(name, chargeOf('2'), fail(answer(409, 'AlreadyExists'))));
  ledger.settle(name, undefined);
  expect(used()).toBe('0');
  ledger.settle(name, await create('1'));
  expect(used()).toBe('1');
});

test('PodLedger charges a pod until it has finished or is gone, whoever created it', async () => {
  const { admin, clock, create, freed, used } = await startLedger();
  await create('2');
  await clock.advance(1_000);
  expect(used()).toBe('2');
  await admin.delete(Pod, key, { gracePeriodSeconds: 0 });
  await clock.advance(1_000);
  expect(used()).toBe('0');
  expect(freed).toEqual(['rome']);
});
