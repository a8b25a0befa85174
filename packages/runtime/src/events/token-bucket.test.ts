import { VirtualClock } from '@liqo/testkit';
import { expect, test } from 'vitest';
import { TokenBucket } from './token-bucket.ts';

test('TokenBucket allows a burst, then one per refill, and never saves up more than a burst', async () => {
  const clock = new VirtualClock();
  const bucket = new TokenBucket(clock, { burst: 3, refillMs: 1_000 });
  const takeAll = () => {
    let taken = 0;
    while (bucket.take()) taken += 1;
    return taken;
  };
  expect(takeAll()).toBe(3);
  await clock.advance(999);
  expect(takeAll()).toBe(0);
  await clock.advance(1);
  expect(takeAll()).toBe(1);
  await clock.advance(60_000);
  expect(takeAll()).toBe(3);
});
