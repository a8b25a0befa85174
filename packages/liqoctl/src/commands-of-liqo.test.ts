import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { commands } from './commands.ts';
import { commandsOfLiqo, insteadOf } from './commands-of-liqo.ts';
import { findCommand } from './find-command.ts';
import { runHere } from './testing/run-here.ts';

const root = join(import.meta.dirname, '../../..');
const entries = Object.entries(commandsOfLiqo);

/** The commands of Liqo v1.2 that this version has not got. */
const missing = [
  'network connect',
  'network disconnect',
  'network reset',
  'create configuration milan',
  'create gatewayserver milan',
  'create gatewayclient milan',
  'create publickey milan',
  'delete configuration milan',
  'delete gatewayserver milan',
  'delete gatewayclient milan',
  'delete publickey milan',
  'generate configuration',
  'generate publickey',
  'move volume data',
  'test network',
];

test.each(missing)('liqoctl %s is named as a command of Liqo, with a guide', async (line) => {
  const { code, stdout, stderr } = await runHere([...line.split(' '), '--remote-cluster-id', 'x']);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(
    /^✖ Cannot run "liqoctl [\w -]+": it is a command of Liqo v1\.2 that this version does not have yet\n.*docs\/\S+\.md.*\n$/,
  );
});

test('liqoctl help names a command of Liqo as well', async () => {
  const { code, stderr } = await runHere(['help', 'network']);
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('of Liqo v1.2') });
});

test.each(entries)('insteadOf() of "%s" leads to a page that exists', (_, instead) => {
  const pages = instead.match(/docs\/\S+\.md/g) ?? [];
  expect(pages).not.toEqual([]);
  expect(pages.filter((page) => !existsSync(join(root, page)))).toEqual([]);
});

test.each(entries)('"%s" is not a command that exists', (line) => {
  expect(findCommand(commands, line.split(' ')).type).toBe('unknown');
});

test('README.md names the commands that exist, and no others', () => {
  const readme = readFileSync(join(root, 'README.md'), 'utf8');
  const [, table = ''] = /^## Commands\n\n((?:\|.*\n)+)/m.exec(readme) ?? [];
  const named = Array.from(table.matchAll(/`liqoctl ([^`]+)`/g), ({ 1: line = '' }) => {
    const [verbs = '', ...rest] = line.replaceAll('\\|', '|').split(' ');
    return verbs.split('|').map((verb) => [verb, ...rest].join(' '));
  });
  expect(named.flat().sort()).toEqual(commands.map(({ path }) => path.join(' ')).sort());
});

test('insteadOf() knows nothing of other words', () => {
  expect(insteadOf([], 'frobnicate')).toBeUndefined();
  expect(insteadOf([], 'constructor')).toBeUndefined();
});
