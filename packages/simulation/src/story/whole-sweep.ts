import { describeCrash, describeSite } from '@liqo/testkit/faults';
import { drawBlueprint } from '../world/blueprint.ts';
import { disturbances } from './disturbances.ts';
import { playCalmly, playDisturbed, sweepStory } from './sweep-story.ts';

export interface WholeSweepOptions {
  /** Told of everything that was tried, in words. */
  readonly onTried?: (what: string, isGood: boolean) => void;
}

export interface WholeSweepReport {
  /** How many deaths and disturbances were tried. */
  readonly tried: number;
  /** A paragraph for each that changed how the story ends. */
  readonly failures: readonly string[];
}

/** Every death at every write of every process, and every disturbance: minutes. */
export async function runWholeSweep({
  onTried,
}: WholeSweepOptions = {}): Promise<WholeSweepReport> {
  const blueprint = await drawBlueprint(['rome', 'milan']);
  const failures: string[] = [];
  const crashes = await sweepStory(blueprint, {
    onTried: (site, differences) => onTried?.(describeSite(site), differences.length === 0),
  });
  failures.push(...crashes.failures.map(describeCrash));
  const calm = await playCalmly(blueprint);
  for (const disturbance of disturbances) {
    const differences = await playDisturbed(blueprint, disturbance, calm);
    const name = `When ${disturbance.name}`;
    onTried?.(name, differences.length === 0);
    if (differences.length > 0) failures.push([`${name}:`, ...differences].join('\n  '));
  }
  return { tried: crashes.tried + disturbances.length, failures };
}
