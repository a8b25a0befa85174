import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { identifyProcess } from '@liqo/runtime';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { eventually } from '../eventually.ts';
import { Component } from './component.ts';
import type { ComponentError } from './component-error.ts';
import { type Reaper, startReaper } from './reaper.ts';

let outer: string;
let reaper: Reaper;

beforeEach(async () => {
  outer = await mkdtemp(join(tmpdir(), 'component-'));
  reaper = await startReaper(join(outer, 'cluster'));
});

afterEach(async () => {
  await reaper[Symbol.asyncDispose]();
  rmSync(outer, { recursive: true });
});

/** A component whose program is this shell script, ready when its log holds "ready". */
function forgeScript(script: string): Component {
  const program = join(outer, 'etcd');
  writeFileSync(program, `#!/bin/sh\n${script}\n`);
  chmodSync(program, 0o755);
  const component: Component = new Component({
    name: 'etcd',
    command: [program],
    flags: { greeting: 'hello world' },
    folder: reaper.folder,
    checkReady: async () => expect(readFileSync(component.logFile, 'utf8')).toContain('ready'),
  });
  return component;
}

function isAlive(pid: number | undefined): boolean {
  return pid !== undefined && identifyProcess(pid) !== undefined;
}

test('Component starts its program with its flags, in the folder of the cluster', async () => {
  const component = forgeScript('echo "$@"; pwd; echo ready; exec sleep 600');
  await component.start();
  expect(readFileSync(component.logFile, 'utf8')).toBe(
    `--greeting=hello world\n${reaper.folder}\nready\n`,
  );
  expect(readdirSync(join(reaper.folder, 'pids'))).toEqual([`${component.pid}`]);
});

test('Component refuses a second start', async () => {
  const component = forgeScript('echo ready; exec sleep 600');
  await component.start();
  await expect(component.start()).rejects.toThrow('Cannot start etcd: it runs already');
});

test('Component stops, takes itself off the register, and starts again', async () => {
  const component = forgeScript('echo ready; exec sleep 600');
  await component.start();
  const { pid } = component;
  await component.stop('SIGTERM');
  expect(isAlive(pid)).toBe(false);
  expect(component.pid).toBeUndefined();
  expect(readdirSync(join(reaper.folder, 'pids'))).toEqual([]);
  await component.start();
  expect(isAlive(component.pid)).toBe(true);
});

test('Component can be stopped while it is paused', async () => {
  const component = forgeScript('echo ready; exec sleep 600');
  await component.start();
  component.pause();
  await component.stop('SIGTERM');
  expect(component.pid).toBeUndefined();
});

test('Component that ends before it is ready fails with the end of its log, of this start', async () => {
  const component = forgeScript('echo "hello"; exit 3');
  await expect(component.start()).rejects.toThrow();
  await expect(component.start()).rejects.toThrow(
    `Cannot start etcd: it ended with exit code 3. The end of its log "${component.logFile}":\nhello`,
  );
  await expect(component.start()).rejects.toMatchObject({ failure: { tail: 'hello' } });
});

test('ComponentError can move the log to a place that outlives the cluster', async () => {
  const component = forgeScript('echo "hello"; exit 3');
  const error = await component.start().catch((reason: ComponentError) => reason.keepLog());
  await reaper[Symbol.asyncDispose]();
  const kept = join(tmpdir(), 'cluster-etcd.log');
  expect(error).toMatchObject({ message: expect.stringContaining(`its log "${kept}":\nhello`) });
  expect(readFileSync(kept, 'utf8')).toBe('hello\n');
  rmSync(kept);
});

test('Component gives up its start when told to', async () => {
  const component = forgeScript('exec sleep 600');
  await expect(component.start(AbortSignal.timeout(10))).rejects.toThrow('aborted');
});

test('Reaper kills the programs, their children too, and removes the folder', async () => {
  const component = forgeScript('sleep 600 & echo "child $!"; echo ready; wait');
  await component.start();
  const child = Number(/child (\d+)/.exec(readFileSync(component.logFile, 'utf8'))?.[1]);
  expect(isAlive(child)).toBe(true);
  const { pid } = component;
  await reaper[Symbol.asyncDispose]();
  await eventually(() => expect([pid, child].filter(isAlive)).toEqual([]));
  expect(readdirSync(outer)).toEqual(['etcd']);
});

test('Reaper removes what a program makes under the old name of the folder before it dies', async () => {
  const component = forgeScript(
    'echo ready; folder=$PWD; while [ -e "$folder/pids" ]; do :; done; mkdir -p "$folder/late/data"; exec sleep 600',
  );
  await component.start();
  // The reaper looks at them first, which gives the program the time.
  for (let i = 0; i < 300; i++) writeFileSync(join(reaper.folder, 'pids', `0${i}`), '');
  await reaper[Symbol.asyncDispose]();
  expect(readdirSync(outer)).toEqual(['etcd']);
});

test('Component that finds no register, because the reaper came first, does not run', async () => {
  const late = forgeScript(`touch ${outer}/ran; echo ready`);
  rmSync(join(reaper.folder, 'pids'), { recursive: true });
  await expect(late.start()).rejects.toThrow('Cannot start etcd: it ended with exit code');
  expect(existsSync(join(outer, 'ran'))).toBe(false);
});
