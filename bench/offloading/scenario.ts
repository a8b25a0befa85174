import type { BenchWorld, WorldNeeds } from './bench-world.ts';

/** One line of the table. */
interface Row {
  readonly id: string;
  readonly title: string;
  readonly unit: string;
  /** What it may be at most. */
  readonly budget?: number;
}

/** Measured values by the ids of rows. */
export type Sample = Readonly<Record<string, number>>;

export interface Scenario {
  readonly name: string;
  readonly needs: WorldNeeds;
  readonly rows: readonly Row[];
  /** How often by default: what takes long or hardly varies is done less often. */
  readonly repeats: number;
  measure(world: BenchWorld): Promise<Sample>;
}

export const onePair: WorldNeeds = {
  virtualNodes: 1,
  kubeletProcesses: 'one each',
  audited: false,
};

/** A process with nothing to do has given back by then what it does not need. */
export const idleSeconds = 45;

/** By then the last word about a pod has been said: where many are made at once, its ShadowPod waits for a minute and a half. */
export const lastWordSeconds = 100;
