import { ConfigMap, type Stored } from '@liqo/kube';
import { expect, test } from 'vitest';
import { silentLogger } from '../log/log.ts';
import { ObjectCache } from './object-cache.ts';
import { HandlerList } from './object-handlers.ts';

function configMap(uid: string, resourceVersion: string): Stored<ConfigMap> {
  const creationTimestamp = '2026-01-01T00:00:00Z';
  const metadata = { namespace: 'shop', name: 'web', uid, resourceVersion, creationTimestamp };
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata };
}

test('ObjectCache does not take another object for the one it has because of its version', () => {
  const handlers = new HandlerList<ConfigMap>(silentLogger);
  const indexes = {};
  const transform = (object: Stored<ConfigMap>) => object;
  const cache = new ObjectCache({ kind: ConfigMap.kind, transform, indexes, handlers });
  const [before, restored] = [configMap('a', '5'), configMap('b', '5')];
  const list = new Map();
  cache.stage(list, [before]);
  cache.commit(list);
  cache.apply({ type: 'ADDED', object: restored });
  expect(cache.get(before.metadata)).toBe(restored);
});
