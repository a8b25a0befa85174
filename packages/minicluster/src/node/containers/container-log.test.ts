import { getEventListeners } from 'node:events';
import { VirtualClock } from '@liqo/testkit';
import { expect, test } from 'vitest';
import { ContainerLog } from './container-log.ts';

test('ContainerLog.more() leaves nothing behind on the signal, however often somebody waited', async () => {
  const log = new ContainerLog(new VirtualClock());
  const reader = new AbortController();
  for (let line = 0; line < 20; line++) {
    const more = log.more(reader.signal);
    log.write('stdout', `line ${line}\n`);
    await more;
  }
  expect(getEventListeners(reader.signal, 'abort')).toHaveLength(0);
});

test('ContainerLog.more() ends when the reader goes away', async () => {
  const log = new ContainerLog(new VirtualClock());
  const reader = new AbortController();
  const more = log.more(reader.signal);
  reader.abort();
  await expect(more).resolves.toBeUndefined();
});
