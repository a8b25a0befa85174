import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { arrangeEntries, type Entry, sizeOf } from './entry.ts';
import { liqoImage } from './liqo-image.ts';
import { readFolder } from './read-folder.ts';
import { writeFolder } from './write-folder.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'liqo-image-'));
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

/** It asks the linker which libraries Node needs. */
const timeoutMs = 30_000;

test(
  'liqoImage() has the bundle and a command that loads it, above a layer that stays as it is',
  async () => {
    const bundle = join(folder, 'liqo.mjs');
    writeFileSync(bundle, 'hello', { mode: 0o600 });
    const { layers, config } = await liqoImage({ bundle });
    expect(config).toMatchObject({ entrypoint: ['/usr/bin/liqo'], user: '65532:65532' });
    const [runtime = [], own] = layers;
    expect(runtime.map(({ path }) => path)).toContain('usr/bin/node');
    expect(own).toEqual([
      {
        type: 'file',
        path: 'app/liqo.mjs',
        mode: 0o644,
        content: [{ file: bundle, start: 0, size: 5 }],
      },
      {
        type: 'file',
        path: 'usr/bin/liqo',
        mode: 0o755,
        content: [Buffer.from("#!/usr/bin/node\nimport('/app/liqo.mjs');\n")],
      },
    ]);
  },
  timeoutMs,
);

test(
  'liqoImage() has no shell and no package manager, and its folder holds what its layers hold',
  async () => {
    const bundle = join(folder, 'liqo.mjs');
    const bill = join(folder, 'bill.json');
    writeFileSync(bundle, 'hello');
    writeFileSync(bill, '{}');
    const image = await liqoImage({ bundle, bill });
    const root = join(folder, 'root');
    await writeFolder(image, root);
    const programs = readdirSync(join(root, 'usr/bin'));
    expect(programs.sort()).toEqual(['liqo', 'node']);
    expect(existsSync(join(root, 'bin'))).toBe(false);
    expect(readFileSync(join(root, 'usr/share/liqo/sbom.spdx.json'), 'utf8')).toBe('{}');
    const [written, packed] = [await readFolder(root), arrangeEntries(image.layers.flat())];
    expect(written.map(summarize).sort()).toEqual(packed.map(summarize).sort());
    await expect(writeFolder(image, root)).rejects.toThrow('EEXIST');
  },
  timeoutMs,
);

function summarize(entry: Entry): string {
  const { path, type } = entry;
  if (entry.type === 'symlink') return `${path} ${type} ${entry.target}`;
  const size = entry.type === 'file' ? sizeOf(entry.content) : 0;
  return `${path} ${type} ${entry.mode.toString(8)} ${size}`;
}

test('liqoImage() refuses a bundle that is not there', async () => {
  await expect(liqoImage({ bundle: join(folder, 'liqo.mjs') })).rejects.toThrow('ENOENT');
});
