import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { cgroupHierarchies, emptyCgroup, makeCgroup } from './cgroups.ts';

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'cgroups-'));
});

afterEach(() => rmSync(root, { recursive: true }));

function write(path: string, text = ''): void {
  mkdirSync(join(root, path, '..'), { recursive: true });
  writeFileSync(join(root, path), text);
}

test('cgroupHierarchies() is one per controller, or one for all', () => {
  write('cpu/cgroup.procs');
  write('memory/cgroup.procs');
  write('unrelated/file');
  expect(cgroupHierarchies(root)).toEqual([join(root, 'cpu'), join(root, 'memory')]);
  write('cgroup.controllers', 'cpu memory');
  expect(cgroupHierarchies(root)).toEqual([root]);
});

test('makeCgroup() gives every level of a group the processors of the level above', () => {
  write('cpuset/cgroup.procs');
  write('cpuset/cpuset.cpus', '0-1');
  write('cpuset/cpuset.mems', '0');
  makeCgroup('/run/node', root);
  expect(readFileSync(join(root, 'cpuset/run/cpuset.cpus'), 'utf8')).toBe('0-1');
  expect(readFileSync(join(root, 'cpuset/run/node/cpuset.cpus'), 'utf8')).toBe('0-1');
  expect(readFileSync(join(root, 'cpuset/run/node/cpuset.mems'), 'utf8')).toBe('0');
});

test('emptyCgroup() removes the groups below, and not the group itself', () => {
  write('cpu/cgroup.procs');
  makeCgroup('/run/node/pods/pod', root);
  makeCgroup('/run/other', root);
  emptyCgroup('/run/node', root);
  expect(readdirSync(join(root, 'cpu/run'))).toEqual(['node', 'other']);
  expect(readdirSync(join(root, 'cpu/run/node'))).toEqual([]);
});
