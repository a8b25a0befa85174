import { VirtualClock } from '@liqo/testkit';
import { expect, test } from 'vitest';
import { ContainerLog } from './container-log.ts';
import { type LogQuery, readLog } from './read-log.ts';

async function read(log: ContainerLog, query: LogQuery): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of readLog(log, query, new AbortController().signal)) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

test('readLog() puts lines together that were written in pieces', async () => {
  const log = new ContainerLog(new VirtualClock());
  log.write('stdout', 'on');
  log.write('stderr', Buffer.from('x\n'));
  log.write('stdout', 'e\ntwo');
  expect(await read(log, {})).toBe('x\none\n');
  log.end();
  expect(await read(log, { stream: 'stdout' })).toBe('one\ntwo\n');
});

test('readLog() follows a log to its end', async () => {
  const log = new ContainerLog(new VirtualClock());
  log.write('stdout', 'one\ntwo\n');
  const reading = read(log, { follow: true, tailLines: 1 });
  log.write('stdout', 'three\n');
  await Promise.resolve();
  log.write('stdout', 'four');
  log.end();
  expect(await reading).toBe('two\nthree\nfour\n');
});

test('readLog() counts the last lines among those that are wanted', async () => {
  const clock = new VirtualClock();
  const log = new ContainerLog(clock);
  log.write('stdout', 'old\n');
  await clock.advance(5000);
  log.write('stdout', 'new\n');
  expect(await read(log, { tailLines: 5, sinceMs: clock.now() - 1000 })).toBe('new\n');
});
