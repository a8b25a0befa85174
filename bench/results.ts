import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, release, totalmem } from 'node:os';
import { join } from 'node:path';
import type { Spread } from './spread.ts';

/** One line of the table, with everything that was measured for it. */
export interface MeasuredRow extends Spread {
  readonly id: string;
  readonly title: string;
  readonly unit: string;
  readonly budget?: number;
  readonly values: readonly number[];
  /** For machines only: too many for a table. */
  readonly isDetail?: boolean;
}

export interface Results {
  readonly suite: string;
  readonly when: string;
  readonly machine: Machine;
  readonly rows: readonly MeasuredRow[];
}

interface Machine {
  readonly cpu: string;
  readonly cores: number;
  readonly memoryGb: number;
  readonly kernel: string;
  readonly node: string;
  /** Over the last minute, before anything of this began: others may have been at work. */
  readonly loadBefore: number;
}

export function describeMachine(): Machine {
  return {
    cpu: cpus()[0]?.model ?? 'unknown',
    cores: cpus().length,
    memoryGb: Math.round(totalmem() / 1024 ** 3),
    kernel: release(),
    node: process.version,
    loadBefore: loadavg()[0] ?? 0,
  };
}

const folder = join(import.meta.dirname, 'results');

/** Keeps them in `bench/results/`; gives back where. */
export function keepResults(results: Results, name: string): string {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${results.when.slice(0, 10)}-${name}.json`);
  writeFileSync(path, `${JSON.stringify(results, undefined, 2)}\n`);
  return path;
}
