import { join } from 'node:path';
import { packImage, pauseImage, pauseImageName } from '@liqo/images';
import { allOrNone } from '../all-or-none.ts';
import type { NodePlan } from './node-plan.ts';
import { RealNode } from './real-node.ts';

export function forgeNodes(
  names: readonly string[],
  cluster: Omit<NodePlan, 'name' | 'nth' | 'sandboxImage'>,
): readonly RealNode[] {
  return names.map(
    (name, nth) => new RealNode({ ...cluster, name, nth, sandboxImage: pauseImageName }),
  );
}

/** Turns the computers on, and gives them the image that every pod needs. */
export async function bootNodes(
  nodes: readonly RealNode[],
  folder: string,
  signal: AbortSignal,
): Promise<void> {
  const sandbox = join(folder, 'pause.tar');
  if (nodes.length > 0) await packImage(pauseImage(), sandbox);
  const boot = async (node: RealNode, either: AbortSignal) => {
    await node.boot(either);
    await node.loadImage(sandbox);
  };
  await allOrNone(
    nodes.map((node) => (either: AbortSignal) => boot(node, either)),
    signal,
  );
}
