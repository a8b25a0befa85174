import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { identifyProcess } from './identify-process.ts';

test('identifyProcess() gives the same name for as long as a process runs, and none afterwards', async () => {
  const child = spawn('sleep', ['600']);
  const pid = child.pid ?? 0;
  const name = identifyProcess(pid);
  expect(name).toMatch(new RegExp(`^${pid}\\b`));
  expect(identifyProcess(pid)).toBe(name);
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(identifyProcess(pid)).toBeUndefined();
});

test('identifyProcess() names this process', () => {
  expect(identifyProcess(process.pid)).toMatch(new RegExp(`^${process.pid}\\b`));
});
