import {
  CustomResourceDefinition,
  defineKind,
  isConflict,
  isNotFound,
  type KubeObject,
  type Stored,
} from '@liqo/kube';
import { rejection } from '@liqo/testkit';
import { startTestCluster } from '@liqo/testkit/cluster';
import { isWrite } from '@liqo/testkit/faults';
import { expect, onTestFinished, test } from 'vitest';
import { writeStatus } from './status-writer.ts';

const key = { namespace: 'shop', name: 'web' };

interface Widget extends KubeObject {
  readonly status?: {
    readonly phase?: string;
    readonly message?: string;
    readonly addresses?: readonly { readonly ip: string }[];
  };
}

const names = { kind: 'Widget', plural: 'widgets' };
const Widget = defineKind<Widget>({
  ...names,
  apiVersion: 'example.org/v1',
  scope: 'Namespaced',
});

const text = { type: 'string' };
const status = {
  type: 'object',
  properties: {
    phase: text,
    message: text,
    addresses: { type: 'array', items: { type: 'object', properties: { ip: text } } },
  },
};

/** A kind whose status is nobody's but ours. */
const definition: CustomResourceDefinition = {
  metadata: { name: 'widgets.example.org' },
  spec: {
    group: 'example.org',
    names,
    scope: 'Namespaced',
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: { type: 'object', properties: { status } },
        },
        subresources: { status: {} },
      },
    ],
  },
};

async function startWorld(status?: Widget['status']) {
  const cluster = await startTestCluster({ namespaces: ['shop'] });
  onTestFinished(() => cluster[Symbol.asyncDispose]());
  const { admin, faults } = cluster;
  await admin.create(CustomResourceDefinition, definition);
  await cluster.clock.settle();
  const created = await admin.create(Widget, { metadata: key });
  const widget: Stored<Widget> = status
    ? await admin.updateStatus(Widget, { ...created, status })
    : created;
  const bodies = () => faults.calls.filter(isWrite).map(({ body }) => JSON.parse(String(body)));
  const stored = () => admin.get(Widget, key);
  return { client: cluster.clientOf('controller'), admin, bodies, stored, widget };
}

test('writeStatus() sends nothing when the status is as it should be', async () => {
  const { client, bodies, widget } = await startWorld({
    phase: 'Running',
    addresses: [{ ip: '10.0.0.1' }],
  });
  const status = { addresses: [{ ip: '10.0.0.1' }], phase: 'Running' };
  expect(await writeStatus(client, Widget, widget, status)).toBe(widget);
  expect(bodies()).toEqual([]);
});

test('writeStatus() sends what differs, and returns what is stored', async () => {
  const { client, bodies, widget, stored } = await startWorld({ phase: 'Pending', message: 'x' });
  const wanted = { phase: 'Running', message: 'x', addresses: [{ ip: '10.0.0.9' }] } as const;
  const after = await writeStatus(client, Widget, widget, wanted);
  expect(bodies()).toEqual([
    {
      metadata: { resourceVersion: widget.metadata.resourceVersion },
      status: { phase: 'Running', addresses: [{ ip: '10.0.0.9' }] },
    },
  ]);
  expect(after.status).toEqual(wanted);
  expect(await stored()).toEqual(after);
});

test('writeStatus() removes fields, and the first and the last status too', async () => {
  const { client, widget } = await startWorld();
  const first = await writeStatus(client, Widget, widget, { phase: 'Running', message: 'x' });
  const second = await writeStatus(client, Widget, first, { phase: 'Running' });
  expect(second.status).toEqual({ phase: 'Running' });
  const third = await writeStatus(client, Widget, second, undefined);
  expect(third.status).toBeUndefined();
  expect(await writeStatus(client, Widget, third, undefined)).toBe(third);
});

test('writeStatus() does not touch a status that somebody else changed meanwhile', async () => {
  const { client, admin, widget, stored } = await startWorld({ phase: 'Pending' });
  await admin.updateStatus(Widget, { ...widget, status: { phase: 'Failed' } });
  const error = await rejection(writeStatus(client, Widget, widget, { phase: 'Running' }));
  expect(isConflict(error)).toBe(true);
  expect((await stored())?.status).toEqual({ phase: 'Failed' });
});

test('writeStatus() does not write to another object of the same name', async () => {
  const { client, admin, widget, stored } = await startWorld({ phase: 'Pending' });
  await admin.delete(Widget, key);
  const gone = await rejection(writeStatus(client, Widget, widget, { phase: 'Running' }));
  expect(isNotFound(gone)).toBe(true);
  await admin.create(Widget, { metadata: key });
  const other = await rejection(writeStatus(client, Widget, widget, { phase: 'Running' }));
  expect(isConflict(other)).toBe(true);
  expect((await stored())?.status).toBeUndefined();
});
