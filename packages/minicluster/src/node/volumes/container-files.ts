import type { Container } from 'kubernetes-types/core/v1.d.ts';
import type { VolumeFiles } from './mount-volumes.ts';

/**
 * The files a container sees, by their path in it. Mounts of a part of a volume stay what they were `atStart` of the
 * container; the others follow their volume.
 */
export function containerFiles(
  container: Container,
  volumes: VolumeFiles,
  atStart: VolumeFiles = volumes,
): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  for (const { name, mountPath, subPath } of container.volumeMounts ?? []) {
    for (const [path, content] of (subPath ? atStart : volumes).get(name) ?? []) {
      const target = targetOf(path, mountPath, subPath);
      if (target !== undefined) files.set(target, content);
    }
  }
  return files;
}

/** With a `subPath`, only that file or folder of the volume is there, under the name of the mount. */
function targetOf(path: string, mountPath: string, subPath: string | undefined) {
  const base = mountPath.replace(/\/$/, '');
  if (!subPath) return `${base}/${path}`;
  if (path === subPath) return base;
  return path.startsWith(`${subPath}/`) ? `${base}/${path.slice(subPath.length + 1)}` : undefined;
}
