import { VirtualClock } from '@liqo/testkit';
import { expect, test } from 'vitest';
import { silentLogger } from '../log/log.ts';
import { ticker } from './ticker.ts';

test('ticker() feeds its keys at the start and again and again until it is stopped', async () => {
  const clock = new VirtualClock();
  const keys: string[] = [];
  let next = 0;
  const source = ticker(1000, () => [{ name: `run-${next++}` }]);
  const running = source.start({ clock, log: silentLogger, enqueue: (key) => keys.push(key.name) });
  await clock.advance(2500);
  expect(keys).toEqual(['run-0', 'run-1', 'run-2']);
  running[Symbol.dispose]();
  await clock.advance(5000);
  expect(keys).toHaveLength(3);
  expect(clock.pendingTimers).toBe(0);
});

test('ticker() goes on when its keys cannot be told', async () => {
  const clock = new VirtualClock();
  const keys: string[] = [];
  const errors: unknown[] = [];
  let tries = 0;
  const source = ticker(1000, () => {
    tries += 1;
    if (tries === 1) throw new Error('not yet');
    return [{ name: 'all' }];
  });
  const log = { ...silentLogger, error: (message: string) => errors.push(message) };
  source.start({ clock, log, enqueue: (key) => keys.push(key.name) });
  await clock.advance(1000);
  expect(keys).toEqual(['all']);
  expect(errors).toEqual(['A ticker could not tell its keys']);
});
