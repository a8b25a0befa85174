import { rootCaConfigMapName, serviceAccountTokenSecretName } from '@liqo/api';
import { sha256 } from '../sha256.ts';
import type { ApiServerAccess } from './api-server-access.ts';
import type { Volume, VolumeProjection } from './pod-spec.ts';

export interface VolumeContext {
  readonly podName: string;
  readonly consumerClusterID: string;
  readonly access: ApiServerAccess;
}

/** The volumes of a pod as they are at the provider. */
export function translateVolumes(volumes: readonly Volume[], context: VolumeContext): Volume[] {
  if (context.access.type === 'provider') return [...volumes];
  return volumes.map((volume) => {
    const { projected } = volume;
    if (!projected?.sources) return volume;
    const sources = projected.sources.flatMap((source) =>
      translateSource(source, volume.name, context),
    );
    return { ...volume, projected: { ...projected, sources } };
  });
}

/** The key of the Secret `<pod>-token` under which the token for this path of this volume is found. */
export function serviceAccountTokenKey(volumeName: string, path: string): string {
  return `${volumeName}-${sha256(path).slice(0, 6)}`;
}

function translateSource(
  source: VolumeProjection,
  volumeName: string,
  { podName, consumerClusterID, access }: VolumeContext,
): VolumeProjection[] {
  const { configMap, serviceAccountToken } = source;
  if (configMap?.name === 'kube-root-ca.crt') {
    return [
      { ...source, configMap: { ...configMap, name: rootCaConfigMapName(consumerClusterID) } },
    ];
  }
  if (!serviceAccountToken) return [source];
  if (access.type === 'none') return [];
  const { path } = serviceAccountToken;
  const items = [{ key: serviceAccountTokenKey(volumeName, path), path }];
  return [{ secret: { name: serviceAccountTokenSecretName(podName), items } }];
}
