import type { KubeObject, Stored } from '@liqo/kube';
import { expect, test } from 'vitest';
import { forgeEvent } from './forge-event.ts';

const reporter = { controller: 'liqo.io/virtual-kubelet', instance: 'vk-1' };
const moment = { eventTime: '2030-01-01T00:00:00.000000Z', suffix: 'abc123' };

function stored(kind: string, name: string, namespace?: string): Stored<KubeObject> {
  const metadata = { name, uid: `uid-${name}`, resourceVersion: '7', creationTimestamp: '' };
  return { apiVersion: 'v1', kind, metadata: namespace ? { ...metadata, namespace } : metadata };
}

test('forgeEvent() writes everything the server wants to know', () => {
  const event = forgeEvent(
    {
      regarding: stored('Pod', 'web', 'shop'),
      related: stored('Node', 'eu-1'),
      type: 'Warning',
      reason: 'NameTaken',
      action: 'Offloading',
      note: 'There is such a pod',
    },
    reporter,
    moment,
  );
  expect(event).toEqual({
    metadata: { namespace: 'shop', name: 'web.abc123' },
    eventTime: '2030-01-01T00:00:00.000000Z',
    type: 'Warning',
    reason: 'NameTaken',
    action: 'Offloading',
    note: 'There is such a pod',
    regarding: {
      apiVersion: 'v1',
      kind: 'Pod',
      namespace: 'shop',
      name: 'web',
      uid: 'uid-web',
      resourceVersion: '7',
    },
    related: {
      apiVersion: 'v1',
      kind: 'Node',
      name: 'eu-1',
      uid: 'uid-eu-1',
      resourceVersion: '7',
    },
    reportingController: 'liqo.io/virtual-kubelet',
    reportingInstance: 'vk-1',
  });
});

test.each([
  ['eu-1', 'eu-1.abc123'],
  ['system:node:EU', 'system-node-eu.abc123'],
  ['x'.repeat(253), `${'x'.repeat(246)}.abc123`],
])(
  'forgeEvent() names the event of the cluster-scoped "%s" so that the server takes it',
  (name, expected) => {
    const regarding = stored('ClusterRole', name);
    const event = forgeEvent(
      { regarding, type: 'Normal', reason: 'R', action: 'A', note: '' },
      reporter,
      moment,
    );
    expect(event.metadata).toEqual({ namespace: 'default', name: expected });
  },
);

test('forgeEvent() keeps to the limits of the server, and has no characters that control a terminal', () => {
  const event = forgeEvent(
    {
      regarding: stored('Pod', 'web', 'shop'),
      type: 'Warning',
      reason: `Denied\u001b[2J${'é'.repeat(500)}`,
      action: '\u202eOffloading',
      note: `one\ntwo${'🎉'.repeat(900)}`,
    },
    reporter,
    moment,
  );
  expect(event.reason).toMatch(/^Denied \[2Jé+…$/);
  expect(Buffer.byteLength(event.reason ?? '')).toBeLessThanOrEqual(128);
  expect(event.action).toBe('Offloading');
  expect(event.note).toMatch(/^one two🎉+…$/u);
  expect(Buffer.byteLength(event.note ?? '')).toBeLessThanOrEqual(1024);
});
