import { labels } from '@liqo/api';
import { isConflict, Role, RoleBinding, type Stored } from '@liqo/kube';
import { rejection } from '@liqo/testkit';
import { faultOn } from '@liqo/testkit/faults';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startQuietWorld } from '../testing/quiet-world.ts';
import { ensureMade, ObjectTakenError } from './ensure-made.ts';

const key = { namespace: 'tenant', name: 'mynode' };

function bindingTo(role: string, virtualNode = 'mynode'): RoleBinding {
  const apiGroup = 'rbac.authorization.k8s.io';
  return {
    metadata: { ...key, labels: { [labels.virtualNode]: virtualNode } },
    roleRef: { apiGroup, kind: 'Role', name: role },
    subjects: [{ kind: 'ServiceAccount', namespace: 'tenant', name: 'mynode' }],
  };
}

async function startWorld() {
  const world = await startQuietWorld([key.namespace]);
  onTestFinished(() => world[Symbol.asyncDispose]());
  const { admin, client } = world;
  await admin.create(Role, { metadata: { ...key, name: 'wanted' }, rules: [] });
  const ensure = async (wanted: RoleBinding, selection = {}) => {
    const made = await world.cacheOf(RoleBinding, { selection });
    await ensureMade(client, { kind: RoleBinding, made, wanted }, world.run);
  };
  const stored = () => admin.get(RoleBinding, key) as Promise<Stored<RoleBinding>>;
  return { ...world, ensure, stored };
}

describe('ensureMade()', () => {
  test('tells what it wrote, so that nobody acts before the cache shows it', async () => {
    const { ensure, stored, written } = await startWorld();
    await ensure(bindingTo('wanted'));
    expect(written).toEqual([await stored()]);
    await ensure(bindingTo('wanted'));
    expect(written).toHaveLength(1);
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
      await admin.create(RoleBinding, bindingTo('new', 'theirs'));
    };
    faults.plan = faultOn(({ verb }) => verb === 'delete', { before });
    expect(isConflict(await rejection(ensure(bindingTo('wanted'))))).toBe(true);
    expect((await stored()).roleRef.name).toBe('new');
  });

  test.each([
    ['which it knows of', {}],
    ['which no cache shows', { labelSelector: 'not=there' }],
  ])('does not touch what belongs to somebody else, %s', async (_, selection) => {
    const { admin, ensure, stored, faults } = await startWorld();
    await admin.create(RoleBinding, bindingTo('theirs', 'another'));
    expect(await rejection(ensure(bindingTo('theirs'), selection))).toBeInstanceOf(
      ObjectTakenError,
    );
    expect((await stored()).metadata.labels).toEqual({ [labels.virtualNode]: 'another' });
    expect(faults.calls.map(({ verb }) => verb).filter((verb) => verb !== 'get')).toEqual([]);
  });
});
