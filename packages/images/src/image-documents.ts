import type { Image, ImageConfig } from './image.ts';
import { checkName } from './image.ts';

/** The JSON documents of an image, as the OCI image specification and Docker's archive have them. */

export interface Blob {
  readonly digest: string;
  readonly size: number;
}

export interface Layer extends Blob {
  /** The digest of the layer before it was compressed. */
  readonly diffId: string;
  readonly gzip: boolean;
}

const epoch = '1970-01-01T00:00:00Z';
const manifestType = 'application/vnd.oci.image.manifest.v1+json';
const configType = 'application/vnd.oci.image.config.v1+json';
const layerType = 'application/vnd.oci.image.layer.v1.tar';

export function forgeConfig(image: Image, layers: readonly Layer[]): Buffer {
  return json({
    created: epoch,
    architecture: image.architecture,
    os: 'linux',
    config: forgeStart(image.config),
    rootfs: { type: 'layers', diff_ids: layers.map((layer) => layer.diffId) },
    history: layers.map(() => ({ created: epoch })),
  });
}

export function forgeManifest(config: Blob, layers: readonly Layer[]): Buffer {
  return json({
    schemaVersion: 2,
    mediaType: manifestType,
    config: { mediaType: configType, digest: config.digest, size: config.size },
    layers: layers.map(({ digest, size, gzip }) => ({
      mediaType: gzip ? `${layerType}+gzip` : layerType,
      digest,
      size,
    })),
  });
}

/** Names the image twice: the tag alone is for tools that follow the specification, the whole name for containerd. */
export function forgeIndex({ name, architecture }: Image, manifest: Blob): Buffer {
  return json({
    schemaVersion: 2,
    mediaType: 'application/vnd.oci.image.index.v1+json',
    manifests: [
      {
        mediaType: manifestType,
        digest: manifest.digest,
        size: manifest.size,
        annotations: {
          'io.containerd.image.name': name,
          'org.opencontainers.image.ref.name': checkName(name),
        },
        platform: { architecture, os: 'linux' },
      },
    ],
  });
}

export function forgeLayoutMark(): Buffer {
  return json({ imageLayoutVersion: '1.0.0' });
}

/** The `manifest.json` of Docker's own format. */
export function forgeDockerManifest(
  { name }: Image,
  config: Blob,
  layers: readonly Layer[],
): Buffer {
  return json([
    { Config: blobPath(config), RepoTags: [name], Layers: layers.map((layer) => blobPath(layer)) },
  ]);
}

export function blobPath({ digest }: Pick<Blob, 'digest'>): string {
  return `blobs/${digest.replace(':', '/')}`;
}

function forgeStart(config: ImageConfig): Record<string, unknown> {
  const { entrypoint, cmd, env, user, workdir, labels, exposedPorts } = config;
  return {
    ...(user === undefined ? {} : { User: user }),
    ...(exposedPorts ? { ExposedPorts: keysOf(exposedPorts) } : {}),
    ...(env ? { Env: sorted(env).map(([key, value]) => `${key}=${value}`) } : {}),
    ...(entrypoint ? { Entrypoint: entrypoint } : {}),
    ...(cmd ? { Cmd: cmd } : {}),
    ...(workdir === undefined ? {} : { WorkingDir: workdir }),
    ...(labels ? { Labels: Object.fromEntries(sorted(labels)) } : {}),
  };
}

function keysOf(names: readonly string[]): Record<string, object> {
  return Object.fromEntries([...names].sort().map((name) => [name, {}]));
}

/** By key, so that the order in which somebody wrote them down does not make another image. */
function sorted(record: Readonly<Record<string, string>>): [string, string][] {
  return Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1));
}

function json(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value));
}
