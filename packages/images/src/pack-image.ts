import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import { ArchiveFile } from './archive-file.ts';
import { arrangeEntries } from './entry.ts';
import { checkName, type Image } from './image.ts';
import {
  forgeConfig,
  forgeDockerManifest,
  forgeIndex,
  forgeLayoutMark,
  forgeManifest,
  type Layer,
} from './image-documents.ts';
import { writeTar } from './write-tar.ts';

export interface PackOptions {
  /** Smaller, and ten times slower; the bytes are then those of this version of zlib. */
  readonly gzip?: boolean;
  readonly signal?: AbortSignal;
}

export interface PackedImage {
  /** The digest of the config, which Docker and CRI call the image's id. */
  readonly id: string;
  /** The digest of the manifest, which registries know the image by. */
  readonly digest: string;
  /** The length of the archive. */
  readonly size: number;
}

/**
 * Writes an image into one archive that is a layout of the OCI specification and an archive of Docker at the same time:
 * containerd, `docker load` and the tools of registries take it. The same image gives the same bytes, anywhere and at any
 * time. Files are read as they are written, never a whole one at once. On failure there is no archive.
 */
export async function packImage(
  image: Image,
  path: string,
  { gzip = false, signal }: PackOptions = {},
): Promise<PackedImage> {
  checkName(image.name);
  const tars = image.layers.map((entries) => writeTar(arrangeEntries(entries, image), signal));
  const archive = await ArchiveFile.create(path);
  try {
    await archive.addFolder('blobs');
    await archive.addFolder('blobs/sha256');
    const layers: Layer[] = [];
    for (const tar of tars) layers.push(await (gzip ? addGzip : addPlain)(archive, tar));
    const { id, digest } = await addDocuments(archive, image, layers);
    return { id, digest, size: await archive.finish() };
  } catch (error) {
    await archive.discard();
    throw error;
  }
}

async function addDocuments(archive: ArchiveFile, image: Image, layers: readonly Layer[]) {
  const config = await archive.addBlob([forgeConfig(image, layers)]);
  const manifest = await archive.addBlob([forgeManifest(config, layers)]);
  await archive.addFile('index.json', forgeIndex(image, manifest));
  await archive.addFile('manifest.json', forgeDockerManifest(image, config, layers));
  await archive.addFile('oci-layout', forgeLayoutMark());
  return { id: config.digest, digest: manifest.digest };
}

async function addPlain(archive: ArchiveFile, tar: AsyncIterable<Uint8Array>): Promise<Layer> {
  const blob = await archive.addBlob(tar);
  return { ...blob, diffId: blob.digest, gzip: false };
}

async function addGzip(archive: ArchiveFile, tar: AsyncIterable<Uint8Array>): Promise<Layer> {
  const plain = createHash('sha256');
  const blob = await archive.addBlob(compress(observe(tar, (chunk) => plain.update(chunk))));
  return { ...blob, diffId: `sha256:${plain.digest('hex')}`, gzip: true };
}

async function* observe(chunks: AsyncIterable<Uint8Array>, see: (chunk: Uint8Array) => void) {
  for await (const chunk of chunks) {
    see(chunk);
    yield chunk;
  }
}

/** A pipe does not hand on an error of what feeds it: without this, a failure would be waited for without end. */
function compress(chunks: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  const source = Readable.from(chunks);
  const gzip = createGzip({ level: 9 });
  source.on('error', (error) => gzip.destroy(error));
  return source.pipe(gzip);
}
