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
import type { Story } from './story.ts';

const seed = 1;

/** A story, with a death before and after every write of every process, and with every write refused once. */
export function sweepStory(
  { play, processes, extraWrites, describeWrite }: Story,
  blueprint: Blueprint,
  options: {
    readonly isTried?: (site: CrashSite, index: number) => boolean;
    readonly onTried?: (site: CrashSite, differences: readonly string[]) => void;
  } = {},
): Promise<CrashSweepReport> {
  return sweepCrashes({
    begin: () => startSimulatedWorld({ seed, blueprint }),
    play,
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
  { play }: Story,
  blueprint: Blueprint,
  { plan }: Disturbance,
  calm: Recording,
): Promise<readonly string[]> {
  await using world = await startSimulatedWorld({ seed, blueprint });
  for (const { faults } of world.clusters.values()) faults.plan = plan();
  try {
    return compareRecordings(calm, await play(world));
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
}

export async function playCalmly({ play }: Story, blueprint: Blueprint): Promise<Recording> {
  await using world = await startSimulatedWorld({ seed, blueprint });
  const recording = await play(world);
  return recording;
}

/** A lease is renewed whether anything happens or not, and nothing depends on an Event. */
function isDeed(call: ApiCall): boolean {
  const { resource, verb } = call;
  if (resource === 'leases.coordination.k8s.io' && verb === 'update') return false;
  return isWrite(call) && resource !== 'events.events.k8s.io';
}
