import { mkdtempSync, rmSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, normalize } from 'node:path';

type Files = ReadonlyMap<string, string>;

/** A folder of this machine with the files of a container, from its start until it has ended. */
export class ContainerRoot implements Disposable {
  readonly path = mkdtempSync(join(tmpdir(), 'minicluster-container-'));

  async write(files: Files): Promise<void> {
    for (const [name, content] of files) {
      const target = this.#placeOf(name);
      await mkdir(dirname(target), { recursive: true });
      // Whoever reads sees the old content or the new one, never a half.
      await writeFile(`${target}.new`, content, { mode: 0o600 });
      await rename(`${target}.new`, target);
    }
  }

  async replace(before: Files, after: Files): Promise<void> {
    const changed = [...after].filter(([name, content]) => before.get(name) !== content);
    const gone = [...before.keys()].filter((name) => !after.has(name));
    await this.write(new Map(changed));
    await Promise.all(gone.map((name) => rm(this.#placeOf(name), { force: true })));
  }

  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true, force: true });
  }

  #placeOf(name: string): string {
    return join(this.path, normalize(join('/', name)));
  }
}
