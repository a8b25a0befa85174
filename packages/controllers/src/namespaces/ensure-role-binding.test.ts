import { isConflict, RoleBinding, type Stored } from '@liqo/kube';
import { rejection } from '@liqo/testkit';
import { faultOn, refusal } from '@liqo/testkit/faults';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startQuietWorld } from '../testing/quiet-world.ts';
import { ensureRoleBinding } from './ensure-role-binding.ts';

const key = { namespace: 'shop-rome', name: 'liqo-tenant-rome' };
/** One that the controllers may bind. */
const wantedRole = 'liqo-virtual-kubelet-remote';
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
    const { metadata } = await admin.create(RoleBinding, bindingTo(wantedRole, 'paris'));
    await ensure(bindingTo(wantedRole));
    expect(await stored()).toMatchObject({
      metadata: { uid: metadata.uid },
      subjects: [{ name: 'rome' }],
    });
  });

  test('makes a binding to another role anew', async () => {
    const { admin, ensure, stored } = await startWorld();
    const { metadata } = await admin.create(RoleBinding, bindingTo('another'));
    await ensure(bindingTo(wantedRole));
    const binding = await stored();
    expect(binding.roleRef.name).toBe(wantedRole);
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
    expect(isConflict(await rejection(ensure(bindingTo(wantedRole))))).toBe(true);
    expect((await stored()).roleRef.name).toBe('new');
  });

  test('is content with a binding that the cache does not show yet', async () => {
    const { admin, client, cacheOf, stored } = await startWorld();
    const behind = await cacheOf(RoleBinding);
    const { metadata } = await admin.create(RoleBinding, bindingTo(wantedRole));
    await ensureRoleBinding(client, behind, bindingTo(wantedRole), signal);
    expect((await stored()).metadata.uid).toBe(metadata.uid);
  });

  test.each([403, 500])('says so when it may not make one: %d', async (code) => {
    const { faults, ensure, stored } = await startWorld();
    faults.plan = faultOn(({ verb }) => verb === 'create', refusal(code));
    expect(await rejection(ensure(bindingTo(wantedRole)))).toMatchObject({ code });
    expect(await stored()).toBeUndefined();
  });
});
