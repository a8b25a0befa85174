import { Namespace, Secret } from '@liqo/kube';
import { forgeNonceSecret, forgeTenantNamespace } from '@liqo/model';
import type { Stoppable } from '@liqo/runtime';
import { eventually } from '@liqo/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startCluster, type TestCluster } from '../testing/start-cluster.ts';
import { startProviderAuthentication } from './provider-authentication.ts';

let milan: TestCluster;
let controller: Stoppable;

beforeAll(async () => {
  milan = await startCluster('milan');
  const apiServer = { address: '', ca: '', isTrusted: false };
  controller = startProviderAuthentication(milan.context, { apiServer });
});

afterAll(async () => {
  await controller[Symbol.asyncDispose]();
  await milan[Symbol.asyncDispose]();
});

test('a Secret without data, as liqoctl creates it, gets a nonce that stays', async () => {
  await milan.client.create(Namespace, forgeTenantNamespace('rome'));
  const key = { namespace: 'liqo-tenant-rome', name: 'liqo-nonce' };
  await milan.client.create(Secret, forgeNonceSecret('rome', key.namespace));
  const read = async () => (await milan.client.get(Secret, key))?.data?.nonce;
  await eventually(async () => expect(await read()).toMatch(/^[A-Za-z0-9+/=]{120}$/));
  const nonce = await read();
  await milan.client.create(Secret, {
    ...forgeNonceSecret('rome', key.namespace),
    metadata: { ...forgeNonceSecret('rome', key.namespace).metadata, name: 'second' },
  });
  await milan.client.create(Namespace, forgeTenantNamespace('oslo'));
  await milan.client.create(Secret, forgeNonceSecret('oslo', 'liqo-tenant-oslo'));
  await eventually(async () => {
    const oslo = { namespace: 'liqo-tenant-oslo', name: 'liqo-nonce' };
    expect((await milan.client.get(Secret, oslo))?.data?.nonce).toBeDefined();
  });
  expect(await read()).toBe(nonce);
});
