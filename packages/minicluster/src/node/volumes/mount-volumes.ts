import type { Pod, Stored } from '@liqo/kube';
import type {
  DownwardAPIVolumeFile,
  KeyToPath,
  ServiceAccountTokenProjection,
  Volume,
  VolumeProjection,
} from 'kubernetes-types/core/v1.d.ts';
import { fieldOf, type PodPlace, resourceFieldOf } from './downward-api.ts';
import type { PodSources, Texts } from './pod-sources.ts';

/** A volume that is not to be had, or not yet. */
class MountError extends Error {
  override readonly name = 'MountError';
}

/** The content of volumes: files by volume, then by path in it. Volumes that start empty have none. */
export type VolumeFiles = ReadonlyMap<string, Texts>;

export interface MountInput {
  readonly pod: Stored<Pod>;
  readonly place: PodPlace;
  readonly sources: PodSources;
}

/** Fetches what the pod's volumes hold. Throws a `MountError` in the kubelet's words when an object is missing. */
export async function mountVolumes(input: MountInput): Promise<VolumeFiles> {
  const volumes = input.pod.spec?.volumes ?? [];
  const mounted = volumes.map(async (volume) => [volume.name, await mount(input, volume)] as const);
  return new Map(await Promise.all(mounted));
}

async function mount(input: MountInput, volume: Volume): Promise<Texts> {
  try {
    return await filesOf(input, volume);
  } catch (error) {
    if (error instanceof MountError) {
      const message = `MountVolume.SetUp failed for volume "${volume.name}" : ${error.message}`;
      throw new MountError(message, { cause: error });
    }
    throw error;
  }
}

async function filesOf(input: MountInput, volume: Volume): Promise<Texts> {
  const { configMap, secret, projected, downwardAPI } = volume;
  if (configMap) return configMapFiles(input, configMap);
  if (secret) return secretFiles(input, { ...secret, name: secret.secretName });
  if (downwardAPI) return downwardFiles(input, downwardAPI.items ?? []);
  const parts = (projected?.sources ?? []).map((source) => projectedFiles(input, source));
  return new Map((await Promise.all(parts)).flatMap((files) => [...files]));
}

async function projectedFiles(input: MountInput, source: VolumeProjection): Promise<Texts> {
  if (source.configMap) return configMapFiles(input, source.configMap);
  if (source.secret) return secretFiles(input, source.secret);
  if (source.downwardAPI) return downwardFiles(input, source.downwardAPI.items ?? []);
  return source.serviceAccountToken ? tokenFile(input, source.serviceAccountToken) : new Map();
}

interface SourceRef {
  readonly name?: string | undefined;
  readonly optional?: boolean | undefined;
  readonly items?: readonly KeyToPath[] | undefined;
}

async function configMapFiles({ sources }: MountInput, ref: SourceRef): Promise<Texts> {
  return pick('configmap', await sources.configMap(ref.name ?? ''), ref);
}

async function secretFiles({ sources }: MountInput, ref: SourceRef): Promise<Texts> {
  return pick('secret', await sources.secret(ref.name ?? ''), ref);
}

function pick(kind: string, texts: Texts | undefined, ref: SourceRef): Texts {
  if (!texts) {
    if (ref.optional) return new Map();
    throw new MountError(`${kind} "${ref.name}" not found`);
  }
  if (!ref.items?.length) return texts;
  const picked = ref.items.flatMap(({ key, path }) => {
    const text = texts.get(key);
    if (text !== undefined) return [[path, text] as const];
    if (ref.optional) return [];
    throw new MountError(`references non-existent ${kind} key: ${key}`);
  });
  return new Map(picked);
}

function downwardFiles({ pod, place }: MountInput, items: readonly DownwardAPIVolumeFile[]): Texts {
  const containers = [...(pod.spec?.containers ?? []), ...(pod.spec?.initContainers ?? [])];
  const files = items.map(({ path, fieldRef, resourceFieldRef }) => {
    if (fieldRef) return [path, fieldOf(pod, fieldRef.fieldPath, place)] as const;
    const container = containers.find(({ name }) => name === resourceFieldRef?.containerName);
    const text = container && resourceFieldRef ? resourceFieldOf(container, resourceFieldRef) : '';
    return [path, text] as const;
  });
  return new Map(files);
}

/** Bound to the pod, so that it ends with it. */
async function tokenFile(
  { pod, sources }: MountInput,
  projection: ServiceAccountTokenProjection,
): Promise<Texts> {
  const { name, uid } = pod.metadata;
  const token = await sources.token(pod.spec?.serviceAccountName ?? 'default', {
    audiences: projection.audience ? [projection.audience] : [],
    expirationSeconds: projection.expirationSeconds ?? 3600,
    boundObjectRef: { apiVersion: 'v1', kind: 'Pod', name, uid },
  });
  return new Map([[projection.path, token]]);
}
