import { chmod, mkdir, open, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { arrangeEntries, type Content } from './entry.ts';
import type { Image } from './image.ts';
import { readContent } from './write-tar.ts';

/**
 * Writes the files of all layers into a folder that does not exist yet, for a builder that makes its layers itself. Owners are
 * those of the process: `COPY` of a Dockerfile makes root the owner.
 */
export async function writeFolder(image: Image, folder: string): Promise<void> {
  await mkdir(dirname(folder), { recursive: true });
  await mkdir(folder);
  for (const entry of arrangeEntries(image.layers.flat(), image)) {
    const path = join(folder, entry.path);
    if (entry.type === 'symlink') await symlink(entry.target, path);
    else if (entry.type === 'folder') await mkdir(path);
    else await writeContent(path, entry.content);
    // Not by the mode of creation, from which the umask takes bits away.
    if (entry.type !== 'symlink') await chmod(path, entry.mode);
  }
}

async function writeContent(path: string, content: readonly Content[]): Promise<void> {
  const file = await open(path, 'wx');
  try {
    for (const part of content)
      for await (const chunk of readContent(part)) await file.write(chunk);
  } finally {
    await file.close();
  }
}
