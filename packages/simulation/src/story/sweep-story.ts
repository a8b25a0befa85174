import {
  type ApiCall,
  type CrashSite,
  type CrashSweepReport,
  compareRecordings,
  isWrite,
  type Recording,
  sweepCrashes,
} from '@liqo/testkit/faults';
import type { Blueprint } from '../world/blueprint.ts';
import { startSimulatedWorld } from '../world/simulated-world.ts';
import type { Disturbance } from './disturbances.ts';
import { describeWrite, extraWrites } from './extra-writes.ts';
import { playOffloadingStory } from './offloading-story.ts';

const seed = 1;

/** Whose deaths are tried. */
const processes: readonly string[] = [
  'rome/controller-manager',
  'milan/controller-manager',
  'rome/virtual-kubelet(mynode)',
];

/** The story of offloading, with a death before and after every write of every process, and with every write refused once. */
export function sweepStory(
  blueprint: Blueprint,
  options: {
    readonly isTried?: (site: CrashSite, index: number) => boolean;
    readonly onTried?: (site: CrashSite, differences: readonly string[]) => void;
  } = {},
): Promise<CrashSweepReport> {
  return sweepCrashes({
    begin: () => startSimulatedWorld({ seed, blueprint }),
    play: playOffloadingStory,
    processes,
    counts: isDeed,
    extraWrites,
    describeWrite,
    mishaps: ['before', 'after', 'refused'],
    ...options,
  });
}

/** The same story under a disturbance: what is not as it is without. */
export async function playDisturbed(
  blueprint: Blueprint,
  { plan }: Disturbance,
  calm: Recording,
): Promise<readonly string[]> {
  await using world = await startSimulatedWorld({ seed, blueprint });
  for (const { faults } of world.clusters.values()) faults.plan = plan();
  try {
    return compareRecordings(calm, await playOffloadingStory(world));
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
}

export async function playCalmly(blueprint: Blueprint): Promise<Recording> {
  await using world = await startSimulatedWorld({ seed, blueprint });
  const recording = await playOffloadingStory(world);
  return recording;
}

/** A lease is renewed whether anything happens or not. */
function isDeed(call: ApiCall): boolean {
  return (
    isWrite(call) && !(call.resource === 'leases.coordination.k8s.io' && call.verb === 'update')
  );
}
