import { expect, test } from 'vitest';
import {
  type FileOwner,
  formatOwner,
  judgeOwner,
  type Machine,
  ownerHere,
  parseOwner,
  thisMachine,
} from './file-owner.ts';

const machine: Machine = {
  host: 'laptop',
  boot: 'b1',
  pidNamespace: 'pid:[1]',
  identify: (pid) => (pid === 7 ? '7-1000' : undefined),
};
const owner: FileOwner = ownerHere(machine, 7);

test.each([
  ['runs', {}, 'running'],
  ['has ended', { pid: 8, process: '8-1000' }, 'ended'],
  ['has ended, and another process has its pid', { process: '7-900' }, 'ended'],
  ['ran before the last boot', { boot: 'b0' }, 'ended'],
  ['ran in another container', { pidNamespace: 'pid:[2]' }, 'unknown'],
  ['ran on another machine', { host: 'server' }, 'unknown'],
  ['ran on another machine, which boots by itself', { host: 'server', boot: 'b9' }, 'unknown'],
] as const)('judgeOwner() of a process that %s', (_, change, state) => {
  expect(judgeOwner({ ...owner, ...change }, machine)).toBe(state);
});

test('parseOwner() reads what formatOwner() writes before the text', () => {
  expect(parseOwner(`${formatOwner(owner)}apiVersion: v1\n`)).toEqual(owner);
});

const mark = formatOwner(owner);

test.each([
  ['', 'nothing'],
  ['apiVersion: v1\n', 'another kubeconfig'],
  [`apiVersion: v1\n${mark}`, 'a mark that is not the first line'],
  [mark.replace('"pid":7', '"pid":"7"'), 'a mark with a pid that is no number'],
  [mark.replace(/\{.*\}/, '{}'), 'an empty mark'],
  [mark.replace(/\{.*\}/, 'null'), 'a mark of nothing'],
  [mark.replace('}', ''), 'a broken mark'],
])('parseOwner() of %j finds no owner: %s', (text) => {
  expect(parseOwner(text)).toBeUndefined();
});

test('thisMachine() knows that this process runs', () => {
  const here = thisMachine();
  expect(judgeOwner(ownerHere(here, process.pid), here)).toBe('running');
});
