import { seededRandom, VirtualClock } from '@liqo/testkit';
import { expect, test } from 'vitest';
import { pod } from '../../scheduler/testing/forge.ts';
import { ContainerLog } from './container-log.ts';
import { runCommand } from './run-command.ts';

function launch(files: Record<string, string> = {}) {
  const clock = new VirtualClock({ startMs: Math.floor(seededRandom(1)() * 1e12) });
  const log = new ContainerLog(clock);
  const env = { COLOR: 'red' };
  const spec = { pod: pod('p').pod, container: 'main', args: [], env, log };
  const text = () => log.lines().lines.map((line) => `${line.stream}: ${line.text}`);
  return { spec: { ...spec, files: new Map(Object.entries(files)) }, text };
}

test('runCommand() runs a program with its variables and files, and keeps what it writes', async () => {
  const { spec, text } = launch({ '/etc/config/a': 'content' });
  const script = 'echo $COLOR; cat "$MINICLUSTER_ROOT/etc/config/a"; echo; echo oops >&2; exit 4';
  const { exited } = runCommand(['/bin/sh', '-c', script], spec);
  expect(await exited).toEqual({ exitCode: 4 });
  expect(text().toSorted()).toEqual(['stderr: oops', 'stdout: content', 'stdout: red']);
});

test('runCommand() tells a program to stop, which has then ended by a signal', async () => {
  const { spec } = launch();
  const process = runCommand(['/bin/sh', '-c', 'echo up; exec sleep 60'], spec);
  await spec.log.more(new AbortController().signal);
  process.terminate();
  expect(await process.exited).toEqual({ exitCode: 143 });
});

test('runCommand() ends a program that is told to stop before it has said anything', async () => {
  const { spec, text } = launch();
  const process = runCommand(['sleep', '60'], spec);
  process.terminate();
  expect(await process.exited).toEqual({ exitCode: 143 });
  expect(text()).toEqual([]);
});

test('runCommand() cannot run what is not there', async () => {
  const { spec, text } = launch();
  expect(await runCommand(['/no/such/program'], spec).exited).toEqual({ exitCode: 127 });
  expect(text()).toEqual(['stderr: spawn /no/such/program ENOENT']);
});

test('runCommand() runs further commands where the container is, with its variables', async () => {
  const { spec } = launch({ '/etc/a': 'content' });
  const process = runCommand(['/bin/sh', '-c', 'echo up; exec sleep 60'], spec);
  await spec.log.more(new AbortController().signal);
  const { signal } = new AbortController();
  const script = 'echo $COLOR; cat etc/a; exit 3';
  expect(await process.exec?.(['/bin/sh', '-c', script], signal)).toEqual({
    exitCode: 3,
    output: 'red\ncontent',
  });
  await expect(process.exec?.(['/no/such/program'], signal)).rejects.toThrow(
    'exec: "/no/such/program": executable file not found in $PATH',
  );
  process.kill();
  expect(await process.exited).toEqual({ exitCode: 137 });
});

test('runCommand() kills a further command when it is told to', async () => {
  const { spec } = launch();
  const process = runCommand(['/bin/sh', '-c', 'echo up; exec sleep 60'], spec);
  await spec.log.more(new AbortController().signal);
  const stop = new AbortController();
  const result = process.exec?.(['sleep', '60'], stop.signal);
  stop.abort();
  expect(await result).toEqual({ exitCode: 137, output: '' });
  process.kill();
  await process.exited;
});
