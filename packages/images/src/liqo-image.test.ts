import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { liqoImage } from './liqo-image.ts';

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
    const { layers, config } = await liqoImage(bundle);
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

test('liqoImage() refuses a bundle that is not there', async () => {
  await expect(liqoImage(join(folder, 'liqo.mjs'))).rejects.toThrow('ENOENT');
});
