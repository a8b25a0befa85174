import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';

const run = promisify(execFile);

/** `npm run release` with these arguments. */
function release(...args: readonly string[]) {
  const root = import.meta.dirname;
  return run('npx', ['--no', '--', 'tsx', 'release.ts', ...args], { cwd: root });
}

test('npm run release gives the same bytes twice, with their checksums', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'release-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [one, two] = [join(folder, 'one'), join(folder, 'two')];
  await Promise.all([release('--folder', one), release('--folder', two)]);
  const sums = readFileSync(join(one, 'SHA256SUMS'), 'utf8');
  expect(readFileSync(join(two, 'SHA256SUMS'), 'utf8')).toBe(sums);
  const files = sums
    .trimEnd()
    .split('\n')
    .map((line) => line.split('  '));
  expect(
    readdirSync(one)
      .filter((file) => file !== 'SHA256SUMS')
      .sort(),
  ).toEqual(files.map(([, file]) => file));
  for (const [sum, file = ''] of files) {
    const content = readFileSync(join(one, file));
    expect(createHash('sha256').update(content).digest('hex')).toBe(sum);
  }
  await expect(release('--folder', one)).rejects.toMatchObject({
    stderr: expect.stringContaining('it is not empty'),
  });
}, 120_000);
