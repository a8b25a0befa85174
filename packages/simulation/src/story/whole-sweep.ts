import { describeCrash, describeSite } from '@liqo/testkit/faults';
import { drawBlueprint } from '../world/blueprint.ts';
import { disturbances } from './disturbances.ts';
import { playCalmly, playDisturbed, sweepStory } from './sweep-story.ts';

/** Every `of`th death and disturbance, beginning with the one at `index`. */
export interface SweepPart {
  readonly index: number;
  readonly of: number;
}

interface WholeSweepOptions {
  readonly part: SweepPart;
  /** Told of everything that was tried, in words. */
  readonly onTried?: (what: string, isGood: boolean) => void;
}

interface WholeSweepReport {
  /** A paragraph for each that changed how the story ends. */
  readonly failures: readonly string[];
}

/** Every death at every write of every process, and every disturbance, of one part: minutes. */
export async function runWholeSweep({
  part,
  onTried,
}: WholeSweepOptions): Promise<WholeSweepReport> {
  const isMine = (_: unknown, index: number) => index % part.of === part.index;
  const blueprint = await drawBlueprint(['rome', 'milan']);
  const failures: string[] = [];
  const crashes = await sweepStory(blueprint, {
    isTried: isMine,
    onTried: (site, differences) => onTried?.(describeSite(site), differences.length === 0),
  });
  failures.push(...crashes.failures.map(describeCrash));
  const calm = await playCalmly(blueprint);
  for (const disturbance of disturbances.filter(isMine)) {
    const differences = await playDisturbed(blueprint, disturbance, calm);
    const name = `When ${disturbance.name}`;
    onTried?.(name, differences.length === 0);
    if (differences.length > 0) failures.push([`${name}:`, ...differences].join('\n  '));
  }
  return { failures };
}
