import { VirtualClock } from '@liqo/testkit';
import { beforeEach, expect, test } from 'vitest';
import { createLogger, type Logger } from '../log/log.ts';
import { type KeptProcess, startMemoryKeeper } from './memory-keeper.ts';
import { ownProcess } from './own-process.ts';

const megabyte = 1024 * 1024;

/** Half of its heap is garbage until it is cleaned. */
class PlayedProcess implements KeptProcess {
  busy = 0;
  heap = 40 * megabyte;
  cleanings = 0;

  busyMs = () => this.busy;
  heapBytes = () => this.heap;
  async clean() {
    this.cleanings += 1;
    this.heap = 20 * megabyte;
  }
}

let clock: VirtualClock;
let said: string[];
let log: Logger;
let process: PlayedProcess;
beforeEach(() => {
  clock = new VirtualClock();
  process = new PlayedProcess();
  said = [];
  const destination = { write: (line: string) => said.push(line) };
  log = createLogger({ level: 'info', clock, destination });
});

/** Time passes, of which so much is work. */
async function pass(seconds: number, busyShare: number): Promise<void> {
  for (let i = 0; i < seconds; i++) {
    process.busy += busyShare * 1_000;
    await clock.advance(1_000);
  }
}

test('startMemoryKeeper() gives memory back once the process is at rest', async () => {
  using _ = startMemoryKeeper({ clock, log, process });
  await pass(60, 0.05);
  expect(process.cleanings).toBe(0);
  await pass(10, 0.01);
  expect(process.cleanings).toBe(1);
});

test('startMemoryKeeper() does nothing for what little has come since', async () => {
  using _ = startMemoryKeeper({ clock, log, process });
  await pass(10, 0);
  process.heap += 5 * megabyte;
  await pass(600, 0.01);
  expect(process.cleanings).toBe(1);
  process.heap += 5 * megabyte;
  await pass(10, 0.01);
  expect(process.cleanings).toBe(2);
});

test('startMemoryKeeper() leaves a minute between two breaks, however much has come', async () => {
  using _ = startMemoryKeeper({ clock, log, process });
  await pass(5, 0);
  process.heap += 100 * megabyte;
  await pass(55, 0);
  expect(process.cleanings).toBe(1);
  await pass(5, 0);
  expect(process.cleanings).toBe(2);
});

test('startMemoryKeeper() ends when it is disposed of, also while it cleans', async () => {
  const keeper = startMemoryKeeper({ clock, log, process });
  process.clean = async () => keeper[Symbol.dispose]();
  await pass(10, 0);
  expect(clock.pendingTimers).toBe(0);
});

test('startMemoryKeeper() says once that memory cannot be given back, and harms nobody', async () => {
  using _ = startMemoryKeeper({ clock, log, process });
  process.clean = () => Promise.reject(new Error('no inspector'));
  await pass(600, 0);
  expect(said).toEqual([expect.stringContaining('"message":"no inspector"')]);
  expect(clock.pendingTimers).toBe(0);
});

test('ownProcess gives back what is not used any more', async () => {
  const busyMs = ownProcess.busyMs();
  let garbage = Array.from({ length: 200_000 }, (_, i) => ({ name: `garbage-${i}` }));
  const bytes = ownProcess.heapBytes();
  garbage = garbage.slice(0, 1);
  await ownProcess.clean();
  expect(ownProcess.heapBytes()).toBeLessThan(bytes);
  expect(ownProcess.busyMs()).toBeGreaterThan(busyMs);
  expect(garbage).toHaveLength(1);
});
