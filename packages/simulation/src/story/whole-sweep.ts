import { type CrashSite, describeCrash, describeSite } from '@liqo/testkit/faults';
import { type Blueprint, drawBlueprint } from '../world/blueprint.ts';
import { everySite, oneOfEachKind } from './choose-sites.ts';
import { type Disturbance, disturbances } from './disturbances.ts';
import type { Story } from './story.ts';
import { playCalmly, playDisturbed, sweepStory } from './sweep-story.ts';

/** Every `of`th death and disturbance, beginning with the one at `index`. */
export interface SweepPart {
  readonly index: number;
  readonly of: number;
  /** Every write of every story, and not only what is enough for every commit. */
  readonly isWhole: boolean;
}

interface WholeSweepOptions {
  readonly story: Story;
  readonly part: SweepPart;
  /** Told of everything that was tried, in words. */
  readonly onTried?: (what: string, isGood: boolean) => void;
}

interface WholeSweepReport {
  /** A paragraph for each that changed how the story ends. */
  readonly failures: readonly string[];
}

/** The deaths at the writes of every process, and every disturbance, of one part: minutes. */
export async function runWholeSweep({
  story,
  part,
  onTried,
}: WholeSweepOptions): Promise<WholeSweepReport> {
  const blueprint = await prepareStory(story);
  const failures: string[] = [];
  const crashes = await sweepStory(story, blueprint, {
    isTried: inPart<CrashSite>(part, part.isWhole || !story.isLong ? everySite : oneOfEachKind()),
    onTried: (site, differences) =>
      onTried?.(`${story.name}: ${describeSite(site)}`, differences.length === 0),
  });
  failures.push(...crashes.failures.map((crash) => `${story.name}: ${describeCrash(crash)}`));
  const calm = await playCalmly(story, blueprint);
  for (const disturbance of disturbances.filter(inPart<Disturbance>(part, () => true))) {
    const differences = await playDisturbed(story, blueprint, disturbance, calm);
    const name = `${story.name}: when ${disturbance.name}`;
    onTried?.(name, differences.length === 0);
    if (differences.length > 0) failures.push([`${name}:`, ...differences].join('\n  '));
  }
  return { failures };
}

/**
 * The blueprint of the clusters of a story. It is played once for nothing: the product loads some of its files when it first needs them,
 * and the time that takes is real, not that of the story.
 */
export async function prepareStory(story: Story): Promise<Blueprint> {
  const blueprint = await drawBlueprint(['rome', 'milan'], story.acquaintance);
  await playCalmly(story, blueprint);
  return blueprint;
}

/** Those of the chosen ones that fall to the part. */
function inPart<T>({ index, of }: SweepPart, isChosen: (one: T) => boolean) {
  let chosen = 0;
  return (one: T) => isChosen(one) && chosen++ % of === index;
}
