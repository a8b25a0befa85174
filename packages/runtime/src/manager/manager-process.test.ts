import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';

/** A real process with a real signal handler. */
async function startProcess(behaviour: 'obedient' | 'stubborn', stopMs: number) {
  const program = fileURLToPath(new URL('../testing/manager-process.ts', import.meta.url));
  const child = spawn(process.execPath, ['--import', 'tsx', program, behaviour, String(stopMs)]);
  onTestFinished(() => void child.kill('SIGKILL'));
  const lines: string[] = [];
  child.stderr.on('data', (chunk: Buffer) => lines.push(...chunk.toString().trim().split('\n')));
  const ended = exitOf(child);
  await Promise.race([
    once(child.stdout, 'data'),
    ended.then(() => expect.unreachable(lines.join())),
  ]);
  return { child, lines, ended };
}

async function exitOf(child: ChildProcess) {
  const [code, signal] = await once(child, 'close');
  return { code, signal };
}

test('a managed process ends with 0 on SIGTERM, by itself', async () => {
  const { child, lines, ended } = await startProcess('obedient', 30_000);
  child.kill('SIGTERM');
  expect(await ended).toEqual({ code: 0, signal: null });
  expect(lines.map((line) => JSON.parse(line).msg)).toEqual(['Stopping', 'Stopped']);
});

test('a managed process ends with 1 when it could not stop in time', async () => {
  const { child, lines, ended } = await startProcess('stubborn', 300);
  child.kill('SIGTERM');
  expect(await ended).toEqual({ code: 1, signal: null });
  expect(lines.at(-1)).toBe('DeadlineError: Cannot stop within 0.3 s: "worker" has not ended');
});

test('a managed process ends at once on a second signal', async () => {
  const { child, lines, ended } = await startProcess('stubborn', 60_000);
  child.stderr?.once('data', () => child.kill('SIGINT'));
  child.kill('SIGTERM');
  expect(await ended).toEqual({ code: 1, signal: null });
  expect(lines.at(-1)).toContain('"msg":"Exiting at once"');
});
