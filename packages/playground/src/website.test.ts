import type { Pod, Stored } from '@liqo/kube';
import type { Program } from '@liqo/minicluster';
import { eventually, VirtualClock } from '@liqo/testkit';
import { expect, test } from 'vitest';
import { chooseFreePort } from './free-port.ts';
import { websiteProgram } from './website.ts';

test('websiteProgram() serves a page as long as one of its pods runs', async () => {
  const program = websiteProgram(new VirtualClock());
  const port = await chooseFreePort();
  const page = () => fetch(`http://127.0.0.1:${port}/`).then((answer) => answer.text());
  const first = start(program, 'first', port);
  await eventually(async () => expect(await page()).toBe('Hello from first\n'));
  const second = start(program, 'second', port);
  await eventually(() => expect(second.log()).toContain('second is open'));
  expect(await first.stop()).toBe(0);
  expect(await page()).toBe('Hello from second\n');
  expect(await second.stop()).toBe(0);
  await expect(page()).rejects.toThrow('fetch failed');
});

test('websiteProgram() writes a line now and then', async () => {
  const clock = new VirtualClock();
  const pod = start(websiteProgram(clock), 'one', await chooseFreePort());
  await eventually(() => expect(pod.log()).toMatch(/^\S+ one is open\n$/));
  await clock.advance(5_000);
  await eventually(() => expect(pod.log().split('\n')).toHaveLength(3));
  await pod.stop();
});

test('websiteProgram() fails on a port that is taken, and opens once it is free', async () => {
  const port = await chooseFreePort();
  const other = start(websiteProgram(new VirtualClock()), 'other', port);
  await eventually(() => expect(other.log()).toContain('is open'));
  const program = websiteProgram(new VirtualClock());
  await expect(start(program, 'late', port).exited).rejects.toThrow('EADDRINUSE');
  await other.stop();
  const again = start(program, 'late', port);
  await eventually(() => expect(again.log()).toContain('late is open'));
  await again.stop();
});

/** The program as the container of a pod. */
function start(program: Program, name: string, port: number) {
  if (typeof program !== 'function') throw new Error('It is no function');
  const stopping = new AbortController();
  let log = '';
  const stdout = {
    write: (chunk: string | Uint8Array) => {
      log += chunk;
    },
  };
  const exited = program({
    args: [String(port)],
    env: {},
    files: new Map(),
    stdout,
    stderr: stdout,
    signal: stopping.signal,
    pod: { metadata: { name } } as Stored<Pod>,
  });
  const stop = () => {
    stopping.abort();
    return exited;
  };
  return { exited, stop, log: () => log };
}
