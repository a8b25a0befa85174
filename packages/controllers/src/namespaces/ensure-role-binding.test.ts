import { isConflict, RoleBinding, type Stored } from '@liqo/kube';
import { rejection } from '@liqo/testkit';
import { startQuietWorld } from '@liqo/testkit/cluster';
import { faultOn, refusal } from '@liqo/testkit/faults';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ensureRoleBinding } from './ensure-role-binding.ts';

const key = { namespace: 'shop-rome', name: 'liqo-tenant-rome' };
const { signal } = new AbortController();

function bindingTo(role: string, group = 'rome'): RoleBinding {
  const apiGroup = 'rbac.authorization.k8s.io';
  return {
    metadata: key,
    roleRef: { apiGroup, kind: 'ClusterRole', name: role },
    subjects: [{ apiGroup, kind: 'Group', name: group }],
  };
}

async function startWorld() {
  const world = await startQuietWorld([key.namespace]);
  onTestFinished(() => world[Symbol.asyncDispose]());
  const { admin, client } = world;
  return {
    ...world,
    stored: () => admin.get(RoleBinding, key) as Promise<Stored<RoleBinding>>,
    ensure: async (wanted: RoleBinding) =>
      ensureRoleBinding(client, await world.cacheOf(RoleBinding), wanted, signal),
  };
}

describe('ensureRoleBinding()', () => {
  test('changes in place whom a binding is for', async () => {
    const { admin, ensure, stored } = await startWorld();
    const { metadata } = await admin.create(RoleBinding, bindingTo('wanted', 'paris'));
    await ensure(bindingTo('wanted'));
    expect(await stored()).toMatchObject({
      metadata: { uid: metadata.uid },
      subjects: [{ name: 'rome' }],
    });
  });

  test('makes a binding to another role anew', async () => {
    const { admin, ensure, stored } = await startWorld();
    const { metadata } = await admin.create(RoleBinding, bindingTo('another'));
    await ensure(bindingTo('wanted'));
    const binding = await stored();
    expect(binding.roleRef.name).toBe('wanted');
    expect(binding.metadata.uid).not.toBe(metadata.uid);
  });

  test('leaves alone what somebody has put in the place of a binding to another role', async () => {
    const { admin, faults, ensure, stored } = await startWorld();
    await admin.create(RoleBinding, bindingTo('another'));
    const before = async () => {
      await admin.delete(RoleBinding, key);
      await admin.create(RoleBinding, bindingTo('new'));
    };
    faults.plan = faultOn(({ verb }) => verb === 'delete', { before });
    expect(isConflict(await rejection(ensure(bindingTo('wanted'))))).toBe(true);
    expect((await stored()).roleRef.name).toBe('new');
  });

  test('is content with a binding that the cache does not show yet', async () => {
    const { admin, client, cacheOf, stored } = await startWorld();
    const behind = await cacheOf(RoleBinding);
    const { metadata } = await admin.create(RoleBinding, bindingTo('wanted'));
    await ensureRoleBinding(client, behind, bindingTo('wanted'), signal);
    expect((await stored()).metadata.uid).toBe(metadata.uid);
  });

  test.each([403, 500])('says so when it may not make one: %d', async (code) => {
    const { faults, ensure, stored } = await startWorld();
    faults.plan = faultOn(({ verb }) => verb === 'create', refusal(code));
    expect(await rejection(ensure(bindingTo('wanted')))).toMatchObject({ code });
    expect(await stored()).toBeUndefined();
  });
});
