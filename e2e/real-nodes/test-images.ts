import { statSync } from 'node:fs';
import { join } from 'node:path';
import { busyboxImage, busyboxImageName, type Image, packImage } from '@liqo/images';
import type { RealCluster } from '@liqo/testkit/real-cluster';

/** A shell, a web server, and what else is found in busybox. */
export const shellImage = busyboxImageName;

/** The same with kubectl, as a program that calls the API server from a pod. */
export const callerImage = 'localhost/caller:1';

/** Puts the images of the workloads below on every node. */
export async function loadTestImages(clusters: readonly RealCluster[]): Promise<void> {
  const [first] = clusters;
  if (!first) return;
  const shell = await busyboxImage(join(first.assets, 'nodes/bin/busybox'));
  const images = [shell, withKubectl(shell, join(first.assets, 'kubectl'))];
  for (const [nth, image] of images.entries()) {
    const archive = join(first.folder, `image-${nth}.tar`);
    await packImage(image, archive);
    await Promise.all(clusters.map((cluster) => cluster.loadImage(archive)));
  }
}

function withKubectl(base: Image, file: string): Image {
  const content = [{ file, start: 0, size: statSync(file).size }];
  const entry = { type: 'file', path: 'bin/kubectl', mode: 0o755, content } as const;
  return { ...base, name: callerImage, layers: [...base.layers, [entry]] };
}
