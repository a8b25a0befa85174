import {
  Advertisement,
  advertisementName,
  annotations,
  ClusterConfig,
  forgeCustomResourceDefinition,
} from '@liqo/api';
import { CustomResourceDefinition, mergePatch, Namespace } from '@liqo/kube';
import { forgeTenantNamespace } from '@liqo/model';
import type { Stoppable } from '@liqo/runtime';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startTenantAccessController } from '../tenant-access/tenant-access-controller.ts';
import { type ConsumerWorld, startConsumerWorld } from '../testing/consumer-world.ts';
import { startClusterConfigController } from './cluster-config-controller.ts';
import { startOfferController } from './offer-controller.ts';

const key = { name: 'configuration' };

let world: ConsumerWorld;
let running: Stoppable[] = [];

const admin = () => world.rome.admin;
const keyOf = (provider: string) => ({
  namespace: `liqo-tenant-${provider}`,
  name: advertisementName(provider),
});

beforeEach(async () => {
  world = await startConsumerWorld();
  start();
  const ingoingConfig = { maxAcceptableAdvertisements: 1 };
  const spec = { advertisementConfig: { ingoingConfig } } as ClusterConfig['spec'];
  await admin().create(ClusterConfig, { metadata: key, spec });
  await world.pass(1_000);
});

afterEach(async () => {
  await stop();
  await world[Symbol.asyncDispose]();
});

function start(): void {
  running = [
    startTenantAccessController(world.context),
    startClusterConfigController(world.context),
    startOfferController(world.context),
  ];
}

async function stop(): Promise<void> {
  for (const part of running) await part[Symbol.asyncDispose]();
  running = [];
}

async function offer(provider: string): Promise<void> {
  const namespace = { name: `liqo-tenant-${provider}` };
  if (!(await admin().get(Namespace, namespace))) {
    await admin().create(Namespace, forgeTenantNamespace(provider));
    await world.pass(1_000);
  }
  const now = world.rome.clock.now();
  await admin().create(Advertisement, {
    metadata: keyOf(provider),
    spec: {
      providerClusterID: provider,
      consumerClusterID: 'rome',
      resourceQuota: { hard: { cpu: '4' } },
      kubeConfigRef: { name: 'kubeconfig-offer' },
      timestamp: new Date(now).toISOString(),
      timeToLive: new Date(now + 30 * 60_000).toISOString(),
    },
  });
  await world.pass(1_000);
}

const reason = async (provider: string) =>
  (await admin().get(Advertisement, keyOf(provider)))?.status?.decision?.reason;

/** As an older or a foreign definition of the kind would. */
async function letEverythingIn(): Promise<void> {
  const definition = forgeCustomResourceDefinition(ClusterConfig);
  const open = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  const schema = { openAPIV3Schema: { type: 'object', properties: { spec: open } } };
  const [version] = definition.spec.versions;
  const patch = mergePatch({ spec: { versions: [{ ...version, schema }] } } as never);
  const name = definition.metadata?.name ?? '';
  await admin().patch(CustomResourceDefinition, { name }, patch);
  await world.pass(1_000);
}

async function configure(ingoingConfig: object): Promise<void> {
  const patch = mergePatch({ spec: { advertisementConfig: { ingoingConfig } } } as never);
  await admin().patch(ClusterConfig, key, patch);
  await world.pass(1_000);
}

test('a malformed ClusterConfig is reported, and the last valid one stays in force, also after a restart', async () => {
  await offer('milan');
  await letEverythingIn();
  await configure({ maxAcceptableAdvertisements: 'many' });
  expect(world.events).toContainEqual(
    expect.objectContaining({
      type: 'Warning',
      reason: 'InvalidConfiguration',
      note: expect.stringContaining('maxAcceptableAdvertisements'),
    }),
  );
  await offer('turin');
  expect([await reason('milan'), await reason('turin')]).toEqual([
    'AcceptedByPolicy',
    'MaxReached',
  ]);
  await stop();
  start();
  await world.pass(1_000);
  await offer('naples');
  expect(await reason('naples')).toBe('MaxReached');
  await configure({ maxAcceptableAdvertisements: 3 });
  expect([await reason('turin'), await reason('naples')]).toEqual([
    'AcceptedByPolicy',
    'AcceptedByPolicy',
  ]);
});

test('a ClusterConfig of another name is reported, and does not count', async () => {
  const ingoingConfig = { maxAcceptableAdvertisements: 0 };
  const spec = { advertisementConfig: { ingoingConfig } } as ClusterConfig['spec'];
  await admin().create(ClusterConfig, { metadata: { name: 'mine' }, spec });
  await offer('milan');
  expect(await reason('milan')).toBe('AcceptedByPolicy');
  expect(world.events).toContainEqual(expect.objectContaining({ reason: 'IgnoredConfiguration' }));
  const mine = await admin().get(ClusterConfig, { name: 'mine' });
  expect(mine?.metadata.annotations).toBeUndefined();
});

test('a ClusterConfig is noted down once for each change of it', async () => {
  const before = await admin().get(ClusterConfig, key);
  expect(before?.metadata.annotations?.[annotations.lastValidConfig]).toContain('":1');
  await world.pass(10 * 60_000);
  const after = await admin().get(ClusterConfig, key);
  expect(after?.metadata.resourceVersion).toBe(before?.metadata.resourceVersion);
});
