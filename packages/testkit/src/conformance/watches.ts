import { ConfigMap, isExpired, type Stored, type WatchEvent, type WatchOptions } from '@liqo/kube';
import { describe, expect, test } from 'vitest';
import { rejection } from '../rejection.ts';
import { freshNamespace, type GetSubject } from './subject.ts';

/** What a watch delivers, in which order, and when it refuses. */
export function watches(subject: GetSubject): void {
  describe('watches', () => {
    const start = async () => {
      const { client } = subject();
      const namespace = await freshNamespace(subject());
      const { resourceVersion } = await client.list(ConfigMap, { namespace });
      return { client, namespace, resourceVersion };
    };
    const events = async (options: WatchOptions, count: number) => {
      const seen: WatchEvent<ConfigMap>[] = [];
      const enough = new AbortController();
      for await (const event of subject().client.watch(ConfigMap, options, enough.signal)) {
        if (event.type !== 'BOOKMARK' || event.initialEventsEnd) seen.push(event);
        if (seen.length === count) break;
      }
      return seen;
    };

    test('watch() delivers every change since the version, in order', async () => {
      const { client, namespace, resourceVersion } = await start();
      const made = await client.create(ConfigMap, { metadata: { namespace, name: 'a' } });
      await client.update(ConfigMap, { ...made, data: { x: '1' } });
      await client.create(ConfigMap, { metadata: { namespace, name: 'b' } });
      await client.delete(ConfigMap, { namespace, name: 'a' });
      const seen = await events({ namespace, resourceVersion }, 4);
      expect(seen.map(short)).toEqual(['ADDED a', 'MODIFIED a', 'ADDED b', 'DELETED a']);
      const versions = seen.map((event) => BigInt(objectOf(event).metadata.resourceVersion));
      expect(versions).toEqual([...versions].sort((x, y) => Number(x - y)));
      expect(objectOf(seen[3]).data).toEqual({ x: '1' });
    });

    test('watch() with a selector shows an object that starts or stops matching as added or deleted', async () => {
      const { client, namespace, resourceVersion } = await start();
      const made = await client.create(ConfigMap, { metadata: { namespace, name: 'a' } });
      const label = (object: Stored<ConfigMap>, labels: Record<string, string>) =>
        client.update(ConfigMap, { ...object, metadata: { ...object.metadata, labels } });
      const red = await label(made, { color: 'red' });
      const stillRed = await label(red, { color: 'red', size: 'big' });
      await label(stillRed, { color: 'blue' });
      const seen = await events({ namespace, resourceVersion, labelSelector: 'color=red' }, 3);
      expect(seen.map(short)).toEqual(['ADDED a', 'MODIFIED a', 'DELETED a']);
    });

    test('watch() of a version that was never there yet waits for it', async () => {
      const { client, namespace, resourceVersion } = await start();
      const watching = events({ namespace, resourceVersion }, 1);
      await client.create(ConfigMap, { metadata: { namespace, name: 'a' } });
      expect((await watching).map(short)).toEqual(['ADDED a']);
    });

    test('watch() with initial events sends what exists, then a bookmark that says so', async () => {
      const { client, namespace } = await start();
      await client.create(ConfigMap, { metadata: { namespace, name: 'a' } });
      const options = { namespace, resourceVersion: '', sendInitialEvents: true };
      const seen = await events(options, 3);
      expect(seen.map(short)).toEqual(['ADDED a', 'ADDED kube-root-ca.crt', 'BOOKMARK end']);
    });

    test('watch() of a version older than the server remembers is Expired', async () => {
      const { client, namespace, resourceVersion } = await start();
      await client.create(ConfigMap, { metadata: { namespace, name: 'a' } });
      await subject().forgetHistory();
      const error = await rejection(events({ namespace, resourceVersion }, 1));
      expect(isExpired(error)).toBe(true);
    });

    test('watch() of a version that is no version is refused', async () => {
      const { client, namespace } = await start();
      const path = `/api/v1/namespaces/${namespace}/configmaps?watch=true&resourceVersion=yesterday`;
      const error = await rejection(client.raw({ method: 'GET', path }));
      expect(error).toMatchObject({
        code: 500,
        message: expect.stringContaining('resourceVersion: Invalid value: "yesterday"'),
      });
    });
  });
}

function objectOf(event: WatchEvent<ConfigMap> | undefined): Stored<ConfigMap> {
  if (event === undefined || event.type === 'BOOKMARK') throw new Error('Expected an object');
  return event.object;
}

function short(event: WatchEvent<ConfigMap>): string {
  if (event.type === 'BOOKMARK') return event.initialEventsEnd ? 'BOOKMARK end' : 'BOOKMARK';
  return `${event.type} ${event.object.metadata.name}`;
}
