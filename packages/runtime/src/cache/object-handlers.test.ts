import type { KubeObject, Stored } from '@liqo/kube';
import { expect, test } from 'vitest';
import { silentLogger } from '../log/log.ts';
import { HandlerList } from './object-handlers.ts';

function object(name: string): Stored<KubeObject> {
  const metadata = { name, uid: name, resourceVersion: '1', creationTimestamp: '' };
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata };
}

function added(name: string) {
  return { before: undefined, after: object(name) };
}

test('HandlerList tells a handler that comes during an event of what is there, and of nothing twice', () => {
  const list = new HandlerList<KubeObject>(silentLogger);
  const heard: string[] = [];
  let attached = false;
  list.attach(
    {
      onAdd: (first) => {
        if (attached) return;
        attached = true;
        list.attach({ onAdd: (one) => heard.push(one.metadata.name) }, [first, object('api')]);
      },
    },
    [],
  );
  list.tell([added('web'), added('api')], false);
  list.tell([added('db')], false);
  expect(heard).toEqual(['web', 'api', 'db']);
});

test('HandlerList tells a handler that leaves during an event nothing more', () => {
  const list = new HandlerList<KubeObject>(silentLogger);
  const heard: string[] = [];
  list.attach({ onDelete: () => leaver[Symbol.dispose]() }, []);
  const leaver = list.attach({ onDelete: (gone) => heard.push(gone.metadata.name) }, []);
  list.tell([{ before: object('web'), after: undefined }], false);
  expect(heard).toEqual([]);
});
