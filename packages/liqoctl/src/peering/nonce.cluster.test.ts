import { labels } from '@liqo/api';
import { Namespace, Secret } from '@liqo/kube';
import { load, loadAll } from 'js-yaml';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type PeeringWorld, startPeeringWorld } from '../testing/peering-world.ts';

const key = { namespace: 'liqo-tenant-rome', name: 'liqo-nonce' };

describe('the nonce', () => {
  let world: PeeringWorld;

  beforeAll(async () => {
    world = await startPeeringWorld();
  }, 120_000);

  afterAll(() => world[Symbol.asyncDispose]());

  test('create nonce -o prints the manifests, and creates nothing', async () => {
    const yaml = await world.atMilan('create nonce --remote-cluster-id rome -o yaml');
    expect({ code: yaml.code, stderr: yaml.stderr }).toEqual({ code: 0, stderr: '' });
    expect(loadAll(yaml.stdout)).toMatchObject([
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'liqo-tenant-rome' } },
      { apiVersion: 'v1', kind: 'Secret', metadata: key },
    ]);
    const json = await world.atMilan('create nonce --remote-cluster-id rome -n custom -o json');
    expect(load(json.stdout)).toMatchObject({
      kind: 'List',
      items: [{ metadata: { name: 'custom' } }, { metadata: { namespace: 'custom' } }],
    });
    expect(await world.milan.client.get(Namespace, { name: key.namespace })).toBeUndefined();
  });

  test('get nonce says how to have one made where there is none', async () => {
    const { code, stderr } = await world.atMilan('get nonce --remote-cluster-id rome');
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^✖ Cannot get the nonce for "rome": there is no tenant namespace about that cluster\n.*liqoctl create nonce --remote-cluster-id rome\n$/,
    );
  });

  test('create nonce makes the tenant namespace and has the cluster make the nonce', async () => {
    const { code, stdout, stderr } = await world.atMilan('create nonce --remote-cluster-id rome');
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    expect(stderr).toMatch(/^✔ Tenant namespace "liqo-tenant-rome" is created \(.* s\)$/m);
    expect(stderr).toMatch(/^✔ Nonce for "rome" is generated \(.* s\)$/m);
    const [, nonce] = /\nNonce: (\S+)\n$/.exec(stderr) ?? [];
    expect(nonce).toMatch(/^[A-Za-z0-9+/]{86}==$/);
    const secret = await world.milan.client.get(Secret, key);
    expect(Buffer.from(secret?.data?.nonce ?? '', 'base64').toString()).toBe(nonce);
    expect(secret?.metadata.labels).toMatchObject({ [labels.remoteClusterID]: 'rome' });
    expect(await world.atMilan('get nonce --remote-cluster-id rome')).toEqual({
      code: 0,
      stdout: nonce,
      stderr: '',
    });
  });

  test('create nonce twice keeps the nonce', async () => {
    const before = await world.milan.client.get(Secret, key);
    const { code, stderr } = await world.atMilan('create nonce --remote-cluster-id rome');
    expect({ code, stderr }).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('Nonce for "rome" was asked for before'),
    });
    expect(await world.milan.client.get(Secret, key)).toEqual(before);
  });

  test.each([
    [
      'create nonce --remote-cluster-id milan',
      'Cannot make a nonce for "milan": this is the cluster "milan" itself',
    ],
    [
      'get nonce --remote-cluster-id milan',
      'Cannot get the nonce for "milan": this is the cluster "milan" itself',
    ],
    [
      'create nonce --remote-cluster-id rome -n other',
      'Cannot find the tenant namespace of "milan" about "rome": it is "liqo-tenant-rome" already',
    ],
    [
      'create nonce --remote-cluster-id turin -n default',
      'Cannot create the tenant namespace of "milan" about "turin": there is another namespace',
    ],
    ['get nonce --remote-cluster-id rome -n default', 'there is none in "default"'],
    ['create nonce --remote-cluster-id rome --liqo-namespace x', 'Liqo is not installed in the'],
  ])('%s fails, and changes nothing', async (line, why) => {
    const before = (await world.milan.client.list(Namespace)).items;
    const { code, stdout, stderr } = await world.atMilan(line);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain(why);
    expect((await world.milan.client.list(Namespace)).items).toHaveLength(before.length);
  });
});
