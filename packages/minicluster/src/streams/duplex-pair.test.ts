import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { duplexPair } from './duplex-pair.ts';

test('duplexPair() carries bytes both ways and ends each way by itself', async () => {
  const [one, other] = duplexPair();
  one.end('there');
  other.end('back');
  expect(await Promise.all([text(one), text(other)])).toEqual(['back', 'there']);
});

test('duplexPair() holds a writer back until somebody reads', async () => {
  const [one, other] = duplexPair();
  const size = 1_000_000;
  for (let sent = 0; sent < size; sent += 10_000) one.write(Buffer.alloc(10_000));
  one.end();
  expect(other.readableLength).toBeLessThan(100_000);
  expect(await text(other)).toHaveLength(size);
});

test('duplexPair() lets what was written be read when its writer is gone, and takes no more', async () => {
  const [one, other] = duplexPair();
  one.write('last words');
  one.destroy();
  const [words] = await once(other, 'data');
  expect(String(words)).toBe('last words');
  const failed = new Promise((resolve) => other.on('error', resolve));
  other.write('too late');
  expect(await failed).toMatchObject({ message: 'Cannot write: the other end is closed' });
});
