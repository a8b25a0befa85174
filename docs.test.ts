import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  Advertisement,
  ClusterConfig,
  ForeignCluster,
  Identity,
  NamespaceMap,
  NamespaceOffloading,
  Quota,
  Renew,
  type Resource,
  ResourceSlice,
  ShadowEndpointSlice,
  ShadowPod,
  Tenant,
  VirtualNode,
  VkOptionsTemplate,
} from '@liqo/api';
import { describe, expect, test } from 'vitest';
import { elsewhere, followedOnRealClusters } from './e2e/docs/elsewhere.ts';
import { listPages, readBlocks, readPage } from './e2e/docs/read-blocks.ts';
import { readSteps } from './e2e/docs/read-steps.ts';
import { hasShape } from './e2e/docs/shape.ts';

/** What `e2e/docs*.e2e.ts` follows: commands with their answers, commands, objects to be applied. */
const followed = ['console', 'sh', 'yaml'];
/** What is to be read only: code, and pictures of text. */
const readOnly = ['ts', ''];

test.each(listPages())('%s has blocks that are followed, or to be read only', (page) => {
  const languages = readBlocks(readPage(page)).map(({ language }) => language);
  expect([...followed, ...readOnly]).toEqual(expect.arrayContaining(languages));
});

test('no page has commands that nobody follows', () => {
  const folders = [
    '.',
    'docs',
    ...readdirSync(join(import.meta.dirname, 'packages')).map((name) => `packages/${name}`),
  ];
  const pages = folders.flatMap((folder) =>
    readdirSync(join(import.meta.dirname, folder), {
      recursive: folder === 'docs',
      encoding: 'utf8',
    })
      .filter((path) => path.endsWith('.md'))
      .map((path) => join(folder, path)),
  );
  const withCommands = pages.filter((page) =>
    readBlocks(readPage(page)).some(({ language }) => /^(console|bash|sh|shell)$/.test(language)),
  );
  expect(listPages()).toEqual(expect.arrayContaining(withCommands));
});

test('what is followed elsewhere is on a page', () => {
  const typed = listPages().flatMap((page) =>
    readBlocks(readPage(page)).flatMap((block) =>
      readSteps(block).map(({ command }) => command.trim()),
    ),
  );
  expect(typed).toEqual(expect.arrayContaining(Object.keys(elsewhere)));
  expect(listPages()).toEqual(expect.arrayContaining([...followedOnRealClusters]));
});

test('every link of a page leads to a file', () => {
  const missing = listPages().flatMap((page) => {
    const links = readPage(page).matchAll(/\]\((?!https?:|#)([^)#]+)(#[^)]*)?\)/g);
    const targets = Array.from(links, ({ 1: target = '' }) => join(page, '..', target));
    return targets.filter((target) => !exists(target)).map((target) => `${page}: ${target}`);
  });
  expect(missing).toEqual([]);
});

const kinds: readonly (readonly [string, Resource])[] = [
  ['virtual-node', VirtualNode],
  ['vk-options-template', VkOptionsTemplate],
  ['namespace-offloading', NamespaceOffloading],
  ['namespace-map', NamespaceMap],
  ['shadow-pod', ShadowPod],
  ['shadow-endpoint-slice', ShadowEndpointSlice],
  ['quota', Quota],
  ['resource-slice', ResourceSlice],
  ['foreign-cluster', ForeignCluster],
  ['tenant', Tenant],
  ['identity', Identity],
  ['renew', Renew],
  ['advertisement', Advertisement],
  ['cluster-config', ClusterConfig],
];

/** The code that conditions come from. */
const code = ['model', 'controllers', 'virtual-kubelet', 'api']
  .map((name) => join(import.meta.dirname, 'packages', name, 'src'))
  .flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
      .map((file) => readFileSync(join(folder, file), 'utf8')),
  )
  .join('\n');

describe.each(kinds)('docs/kinds/%s.md', (name, { kind, definition }) => {
  const text = readPage(`docs/kinds/${name}.md`);

  test('names every field of spec and status', () => {
    const { spec, status } = definition;
    const fields = Object.keys({ ...spec.properties, ...status?.properties });
    expect(fields.filter((field) => !text.includes(`\`${field}\``))).toEqual([]);
    expect(text).toMatch(new RegExp(`^# ${kind}\n`));
  });

  test('names only reasons that there are', () => {
    const [, tables = ''] = text.split(/^## (?:Conditions|Reasons|Phases|The condition \w+)$/m);
    const cells = tables.matchAll(/^\| (`[A-Z]\w+`(?:, `[A-Z]\w+`)*) \|/gm);
    const reasons = Array.from(cells, ({ 1: cell = '' }) => cell.replaceAll('`', '').split(', '));
    expect(reasons.flat().filter((reason) => !code.includes(`'${reason}'`))).toEqual([]);
  });
});

function exists(path: string): boolean {
  const folder = join(import.meta.dirname, path, '..');
  return readdirSync(folder).includes(path.split('/').at(-1) || path.split('/').at(-2) || '');
}

describe('hasShape()', () => {
  const shown = 'NAME   AGE\nweb-6d9f7c4b6-4xkzj   9s';

  test.each([
    ['other names, ages and columns', 'NAME                    AGE\nweb-7c6b9d4f8d-xzkjm   2m3s\n'],
    ['itself', shown],
  ])('takes %s for the same', (_, output) => expect(hasShape(output, shown)).toBe(true));

  test.each([
    ['another word', 'NAME   AGE\nweb-6d9f7c4b6-4xkzj   never'],
    ['a line too many', `${shown}\nmore`],
    ['a line too few', 'NAME   AGE'],
    ['nothing', ''],
  ])('does not take %s for the same', (_, output) => expect(hasShape(output, shown)).toBe(false));

  test('takes "..." for any lines, and for none', () => {
    expect(hasShape('a\nb\nc\nd', 'a\n...\nd')).toBe(true);
    expect(hasShape('a\nd', 'a\n...\nd')).toBe(true);
    expect(hasShape('a\nb', 'a\n...\nd')).toBe(false);
  });
});

test('readSteps() reads a session: what is typed, what is answered, what is interrupted', () => {
  const text = '$ one\n$ two\nanswer\n\n$ three -f\nline\n^C\n';
  expect(readSteps({ language: 'console', text, line: 7 })).toEqual([
    { command: 'one', shown: undefined, isInterrupted: false, line: 7 },
    { command: 'two', shown: 'answer', isInterrupted: false, line: 7 },
    { command: 'three -f', shown: 'line', isInterrupted: true, line: 7 },
  ]);
});
