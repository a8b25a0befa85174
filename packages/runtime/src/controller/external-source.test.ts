import { keyString, type ObjectKey } from '@liqo/kube';
import { VirtualClock } from '@liqo/testkit';
import { expect, test } from 'vitest';
import { silentLogger } from '../log/log.ts';
import { external } from './external-source.ts';

function listener() {
  const keys: string[] = [];
  const enqueue = (key: ObjectKey) => void keys.push(keyString(key));
  return { keys, feed: { clock: new VirtualClock(), log: silentLogger, enqueue } };
}

test('external() keeps keys, each once, until somebody listens', () => {
  const source = external();
  source.enqueue({ name: 'a' });
  source.enqueue({ name: 'a' });
  source.enqueue({ namespace: 'shop', name: 'web' });
  const { keys, feed } = listener();
  source.start(feed);
  expect(keys).toEqual(['a', 'shop/web']);
});

test('external() feeds everybody who listens, and nobody who left', () => {
  const source = external();
  const [first, second] = [listener(), listener()];
  const running = source.start(first.feed);
  source.start(second.feed);
  source.enqueue({ name: 'a' });
  running[Symbol.dispose]();
  source.enqueue({ name: 'b' });
  expect(first.keys).toEqual(['a']);
  expect(second.keys).toEqual(['a', 'b']);
});
