import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findAssets } from '@liqo/testkit/real-cluster';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { followedOnRealClusters } from './docs/elsewhere.ts';
import { listPages } from './docs/read-blocks.ts';
import { Reader } from './docs/reader.ts';

/** Every command of every page, typed as it stands there. */
const programs = findAssets(['kubectl'], process.env);
const timeoutMs = 900_000;
const isAboutKind = (page: string) => page.startsWith('docs/kinds/');
const isEmbedded = (page: string) => !followedOnRealClusters.includes(page);

let folder = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'docs-'));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function newReader(): Reader {
  return new Reader({ folder: mkdtempSync(join(folder, 'reader-')), programs, timeoutMs: 300_000 });
}

test.each(listPages().filter((page) => !isAboutKind(page) && isEmbedded(page)))(
  '%s can be followed to the letter, and Ctrl-C leaves nothing',
  async (page) => {
    await using reader = newReader();
    await reader.follow(page);
    await reader.finish();
  },
  timeoutMs,
);

describe('the pages about kinds', () => {
  let reader: Reader;

  beforeAll(async () => {
    reader = newReader();
    await reader.start('npm start -- --dir /tmp/liqo');
    await reader.type('export KUBECONFIG=/tmp/liqo/rome.kubeconfig');
  }, timeoutMs);

  afterAll(() => reader[Symbol.asyncDispose]());

  test.each(listPages().filter(isAboutKind))(
    '%s can be followed in a playground',
    (page) => reader.follow(page),
    timeoutMs,
  );
});
