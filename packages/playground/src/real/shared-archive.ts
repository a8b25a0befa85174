import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';

export interface ArchiveOptions {
  /** The folder in which there is to be a folder for it. */
  readonly parent: string;
  /** Packs it into the folder, and resolves with its path. */
  readonly pack: (folder: string) => Promise<string>;
}

/** An archive that is made once for all that need it at the same time, and gone when the last of them is done. */
export class SharedArchive {
  readonly #options: ArchiveOptions;
  #packing: Packing | undefined;
  #users = 0;

  constructor(options: ArchiveOptions) {
    this.#options = options;
  }

  /** It is packed while `use` does other things; the path that it is given resolves when it is there. */
  async lend<T>(use: (archive: Promise<string>) => Promise<T>): Promise<T> {
    const packing = this.#packing ?? startPacking(this.#options);
    this.#packing = packing;
    this.#users += 1;
    try {
      return await use(packing.archive);
    } finally {
      this.#users -= 1;
      if (this.#users === 0) await this.#discard(packing);
    }
  }

  async #discard({ folder, archive }: Packing): Promise<void> {
    this.#packing = undefined;
    await archive.catch(() => undefined);
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Packing {
  readonly folder: string;
  readonly archive: Promise<string>;
}

function startPacking({ parent, pack }: ArchiveOptions): Packing {
  const folder = mkdtempSync(join(parent, 'liqo-image-'));
  const archive = pack(folder);
  // Whoever needs it learns of its failure; whoever fails before that has no use for it.
  archive.catch(() => undefined);
  return { folder, archive };
}
