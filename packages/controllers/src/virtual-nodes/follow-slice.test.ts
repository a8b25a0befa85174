import { annotations, ResourceSlice, VirtualNode } from '@liqo/api';
import { mergePatch, Node, type Stored } from '@liqo/kube';
import { expect, onTestFinished, test } from 'vitest';
import { listed } from '../testing/listed.ts';
import { startQuietWorld } from '../testing/quiet-world.ts';
import {
  tenantNamespace as namespace,
  virtualNodeCalled,
} from '../testing/virtual-node-fixtures.ts';
import { followSlice } from './follow-slice.ts';

type Status = 'Accepted' | 'Denied';

/** The virtual node "mynode" of the slice "mypool", and its Node. */
async function startWorld() {
  const world = await startQuietWorld([namespace], [ResourceSlice, VirtualNode]);
  onTestFinished(() => world[Symbol.asyncDispose]());
  const { admin, client, recorder, events, run } = world;
  const metadata = { namespace, name: 'mypool' };
  const slice = await admin.create(ResourceSlice, { metadata, spec: { class: 'default' } });
  const draft = virtualNodeCalled('mynode');
  const kubeconfigSecretRef = { name: 'kubeconfig-resourceslice-mypool' };
  const spec = { ...draft.spec, kubeconfigSecretRef };
  const virtualNode = await admin.create(VirtualNode, { ...draft, spec });
  await admin.create(Node, {
    metadata: {
      name: 'mynode',
      labels: { 'liqo.io/type': 'virtual-node', 'liqo.io/remote-cluster-id': 'milan' },
    },
  });
  const node = async () => (await admin.get(Node, { name: 'mynode' })) as Stored<Node>;
  return {
    node,
    cordon: () =>
      admin.patch(Node, { name: 'mynode' }, mergePatch({ spec: { unschedulable: true } })),
    /** With what the provider says of the resources; without it, nothing yet. */
    async follow(resources?: Status, message?: string) {
      const said = (type: 'Authentication' | 'Resources', status: Status, more = {}) => ({
        type,
        status,
        lastTransitionTime: '2030-01-01T00:00:00Z',
        ...more,
      });
      const conditions = resources && [
        said('Authentication', 'Accepted'),
        said('Resources', resources, message === undefined ? {} : { message }),
      ];
      const [shown, current] = [{ ...slice, status: { conditions } }, await node()];
      const context = {
        client,
        events: recorder,
        nodes: listed(() => [current]),
        slices: listed(() => [shown as Stored<ResourceSlice>]),
      };
      return followSlice(context, virtualNode, run.signal);
    },
    events: () => events.map(({ reason, note }) => [reason, note]),
  };
}

async function stateOf({ metadata, spec }: Stored<Node>) {
  return [spec?.unschedulable ?? false, metadata.annotations?.[annotations.cordonReason]];
}

test('a denied grant cordons the Node once and says why, and a restored one ends it', async () => {
  const { node, follow, events } = await startWorld();
  const why = 'slice mypool: no capacity is left';
  expect(await follow('Accepted')).toBeUndefined();
  expect(await follow('Denied', 'no capacity is left')).toBe(why);
  expect(await stateOf(await node())).toEqual([true, why]);
  await follow('Denied', 'no capacity is left');
  expect(events()).toEqual([['Cordoned', why]]);
  expect(await follow('Accepted')).toBeUndefined();
  expect(await stateOf(await node())).toEqual([false, undefined]);
  expect(events()).toEqual([
    ['Cordoned', why],
    ['Uncordoned', `Its slice is granted again (${why})`],
  ]);
});

test('a withdrawn grant cordons the Node with its own reason', async () => {
  const { node, follow } = await startWorld();
  const why = 'slice mypool: the provider has not decided about its authentication';
  expect(await follow()).toBe(why);
  expect(await stateOf(await node())).toEqual([true, why]);
});

test('the cordon of an administrator stays when the grant comes back', async () => {
  const { node, cordon, follow, events } = await startWorld();
  await cordon();
  await follow('Denied', 'no capacity is left');
  await follow('Accepted');
  expect(await stateOf(await node())).toEqual([true, undefined]);
  expect(events()).toEqual([]);
});
