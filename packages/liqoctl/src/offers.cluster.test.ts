import { Advertisement, advertisementName, ClusterConfig } from '@liqo/api';
import { formatTime } from '@liqo/kube';
import { eventually } from '@liqo/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startWorld, type World } from './testing/world.ts';

const key = { namespace: 'liqo-tenant-milan', name: advertisementName('milan') };
const patient = { timeoutMs: 30_000 };

let world: World;

beforeAll(async () => {
  world = await startWorld();
}, 120_000);

afterAll(() => world?.[Symbol.asyncDispose]());

const decision = async () =>
  (await world.rome.client.get(Advertisement, key))?.status?.decision?.reason;

function decided(reason: string) {
  return eventually(async () => expect(await decision()).toBe(reason), patient);
}

test('advertisement list says when no provider offers anything', async () => {
  expect(await world.liqoctl('advertisement', 'list')).toEqual({
    code: 0,
    stdout: '',
    stderr: 'No provider offers anything\n',
  });
  const { code, stderr } = await world.liqoctl('advertisement', 'accept', 'milan');
  expect(code).toBe(1);
  expect(stderr).toContain(
    'Cannot accept the offer of "milan": no provider has made such an offer',
  );
});

test('an offer is listed, described, accepted and refused', async () => {
  const nowMs = Date.now();
  await world.rome.client.create(ClusterConfig, {
    metadata: { name: 'configuration' },
    spec: {
      advertisementConfig: { ingoingConfig: { acceptPolicy: 'ManualAccept' } },
    } as ClusterConfig['spec'],
  });
  await world.rome.client.create(Advertisement, {
    metadata: key,
    spec: {
      providerClusterID: 'milan',
      consumerClusterID: 'rome',
      resourceQuota: { hard: { cpu: '4', pods: '10' } },
      kubeConfigRef: { name: 'nothing' },
      timestamp: formatTime(nowMs),
      timeToLive: formatTime(nowMs + 3_600_000),
    },
  });
  await decided('WaitingManualDecision');
  const { stdout: table } = await world.liqoctl('adv', 'list');
  expect(table).toMatch(/^PROVIDER +STATUS +REASON +OFFERED +VIRTUALNODE +EXPIRES IN +AGE\n/);
  expect(table).toMatch(/\nmilan +Pending +WaitingManualDecision +cpu=4,pods=10 +<none> +59m/);
  const accepted = await world.liqoctl('advertisement', 'accept', 'milan');
  expect(accepted).toMatchObject({ code: 0 });
  await decided('AcceptedManually');
  const again = await world.liqoctl('advertisement', 'accept', 'milan');
  expect(again.stderr).toBe('The offer of "milan" is accepted by hand already\n');
  await eventually(async () => {
    const { stdout } = await world.liqoctl('advertisement', 'describe', key.name);
    expect(stdout).toContain('CredentialsReady: False');
  }, patient);
  const unasked = await world.liqoctl('advertisement', 'refuse', 'milan');
  expect(unasked.code).not.toBe(0);
  const refused = await world.liqoctl('advertisement', 'refuse', 'milan', '--skip-confirm');
  expect(refused).toMatchObject({ code: 0 });
  await decided('RefusedManually');
});

test('offer enable, disable and status say what this cluster offers', async () => {
  await world.rome.client.delete(ClusterConfig, { name: 'configuration' });
  const idle = await world.liqoctl('offer', 'disable');
  expect(idle.stderr).toBe('This cluster offers nothing: it has no ClusterConfig\n');
  const bad = await world.liqoctl('offer', 'enable', '--percentage', '101');
  expect(bad.code).toBe(2);
  const enabled = await world.liqoctl('offer', 'enable', '--percentage', '50');
  expect(enabled).toMatchObject({ code: 0 });
  const status = await world.liqoctl('offer', 'status');
  expect(status.stderr).toBe('This cluster offers each consumer 50 % of what is free\n');
  expect(await world.liqoctl('offer', 'disable')).toMatchObject({ code: 0 });
  const { stderr } = await world.liqoctl('offer', 'status');
  expect(stderr).toMatch(/^This cluster offers nothing: enable it with "?liqoctl offer enable/);
});
