import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, normalize } from 'node:path';

type Files = ReadonlyMap<string, string>;

/**
 * A folder of this machine with the files of a container, from its start until it has ended. Written without letting
 * anybody in between, so that nothing is written any more once it is removed.
 */
export class ContainerRoot implements Disposable {
  readonly path = mkdtempSync(join(tmpdir(), 'minicluster-container-'));
  #isRemoved = false;

  write(files: Files): void {
    if (this.#isRemoved) return;
    for (const [name, content] of files) {
      const target = this.#placeOf(name);
      mkdirSync(dirname(target), { recursive: true });
      // Whoever reads sees the old content or the new one, never a half.
      writeFileSync(`${target}.new`, content, { mode: 0o600 });
      renameSync(`${target}.new`, target);
    }
  }

  replace(before: Files, after: Files): void {
    const changed = [...after].filter(([name, content]) => before.get(name) !== content);
    const gone = [...before.keys()].filter((name) => !after.has(name));
    this.write(new Map(changed));
    for (const name of gone) rmSync(this.#placeOf(name), { force: true });
  }

  [Symbol.dispose](): void {
    this.#isRemoved = true;
    rmSync(this.path, { recursive: true, force: true });
  }

  #placeOf(name: string): string {
    return join(this.path, normalize(join('/', name)));
  }
}
