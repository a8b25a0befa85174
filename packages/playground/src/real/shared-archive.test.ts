import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { SharedArchive } from './shared-archive.ts';

let parent = '';

beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'shared-archive-'));
});

afterEach(() => rmSync(parent, { recursive: true, force: true }));

async function pack(folder: string): Promise<string> {
  const archive = join(folder, 'image.tar');
  writeFileSync(archive, 'packed');
  return archive;
}

describe('SharedArchive', () => {
  test('is packed once for those who need it at the same time, and gone after the last', async () => {
    const shared = new SharedArchive({ parent, pack });
    const look = async (archive: Promise<string>) => {
      const path = await archive;
      return { path, isThere: existsSync(path) };
    };
    const [one, other] = await Promise.all([shared.lend(look), shared.lend(look)]);
    expect(one).toEqual({ path: other.path, isThere: true });
    expect(other.isThere).toBe(true);
    expect(readdirSync(parent)).toEqual([]);
  });

  test('is packed again for whoever comes later', async () => {
    const shared = new SharedArchive({ parent, pack });
    const first = await shared.lend((archive) => archive);
    const second = await shared.lend((archive) => archive);
    expect(second).not.toBe(first);
  });

  test('leaves nothing when its user fails, or packing does', async () => {
    const fine = new SharedArchive({ parent, pack });
    await expect(fine.lend(() => Promise.reject(new Error('No cluster')))).rejects.toThrow(
      'No cluster',
    );
    const broken = new SharedArchive({ parent, pack: () => Promise.reject(new Error('No disk')) });
    await expect(broken.lend((archive) => archive)).rejects.toThrow('No disk');
    expect(readdirSync(parent)).toEqual([]);
  });
});
