/**
 * `npx tsx bench/liqoctl-start.ts [<bundle>]`: how much longer `liqoctl --help` takes than a bare `node -e 0`, measured in
 * turns so that both see the same machine. `npm run build` makes the bundle.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const runs = 15;
const bundle = process.argv[2] ?? join(import.meta.dirname, '../dist/liqoctl.mjs');

function timeMs(...args: readonly string[]): number {
  const startedMs = performance.now();
  const { status } = spawnSync(process.execPath, args);
  if (status !== 0) throw new Error(`Cannot run "node ${args.join(' ')}": it ended with ${status}`);
  return performance.now() - startedMs;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

const bare: number[] = [];
const ours: number[] = [];
for (let i = 0; i < runs; i++) {
  bare.push(timeMs('-e', '0'));
  ours.push(timeMs(bundle, '--help'));
}
const [bareMs, oursMs] = [median(bare), median(ours)];
const say = (line: string) => process.stdout.write(`${line}\n`);
say(`node -e 0       ${bareMs.toFixed(0)} ms`);
say(`liqoctl --help  ${oursMs.toFixed(0)} ms`);
say(
  `difference      ${(oursMs - bareMs).toFixed(0)} ms, the median of ${runs} each (150 ms at most)`,
);
