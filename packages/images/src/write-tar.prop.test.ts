import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { arrangeEntries, type Content, type Entry } from './entry.ts';
import { readFolder } from './read-folder.ts';
import { writeTar } from './write-tar.ts';

const segment = fc
  .string({ unit: fc.constantFrom('a', 'B', '-', ' ', 'é', '☃', '.'), minLength: 1, maxLength: 80 })
  .filter((name) => name !== '.' && name !== '..');
const path = fc.array(segment, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'));
// The one who extracts must be able to look at it again without being root.
const mode = fc.constantFrom(0o700, 0o755, 0o1777, 0o644, 0o600);

const entry: fc.Arbitrary<Entry> = fc.oneof(
  fc.record({
    type: fc.constant('file' as const),
    path,
    mode,
    content: fc.array(fc.uint8Array({ maxLength: 1500 }), { maxLength: 2 }),
  }),
  fc.record({
    type: fc.constant('folder' as const),
    path,
    mode: mode.map((bits) => bits | 0o700),
  }),
  fc.record({ type: fc.constant('symlink' as const), path, target: path }),
);

/** Those that go together: no two of the same path, none below a file. */
const entries = fc.array(entry, { maxLength: 8 }).map((all) => {
  const kept: Entry[] = [];
  for (const one of all) if (fits([...kept, one])) kept.push(one);
  return kept;
});

function fits(all: readonly Entry[]): boolean {
  try {
    arrangeEntries(all);
    return true;
  } catch {
    return false;
  }
}

function bytesOf(content: readonly Content[]): Buffer {
  return Buffer.concat(
    content.map((part) => (part instanceof Uint8Array ? part : readFileSync(part.file))),
  );
}

function comparable(all: readonly Entry[]) {
  return all.map((one) => (one.type === 'file' ? { ...one, content: bytesOf(one.content) } : one));
}

test('writeTar() writes what tar takes out again, to the last bit', async () => {
  const check = fc.asyncProperty(entries, async (given) => {
    const folder = mkdtempSync(join(tmpdir(), 'write-tar-'));
    chmodSync(folder, 0o755);
    try {
      const arranged = arrangeEntries(given);
      const input = await buffer(writeTar(arranged));
      execFileSync('tar', ['-xpf', '-', '--no-same-owner', '-C', folder], { input });
      const found = arrangeEntries(await readFolder(folder));
      expect(comparable(found)).toEqual(comparable(arranged));
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
  await fc.assert(check, { numRuns: 15 });
});
