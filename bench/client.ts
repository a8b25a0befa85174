import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { bundle } from './bundle.ts';
import type { Measurement, Target } from './client/measure.ts';

/**
 * `npm run bench -- client [rounds]`: our client and cache against the least that could do the same work, each in a process of its own,
 * taking turns against one server. What counts is the ratio of the medians: this machine is never quiet.
 */
const rounds = Number(process.argv[3] ?? 7);
const folder = await mkdtemp(join(tmpdir(), 'liqo-bench-'));
const running = new Set<ChildProcess>();
process.once('SIGINT', () => {
  endAll();
  process.exitCode = 130;
});

try {
  await bundle(
    ['pod-server', 'sketch', 'ours'].map((name) =>
      join(import.meta.dirname, 'client', `${name}.ts`),
    ),
    folder,
  );
  const server = start('pod-server', {});
  const { port, ca } = JSON.parse(await firstLine(server));
  const pods = await compare({ port, ca, mode: 'pods' });
  const gets = await compare({ port, ca, mode: 'gets' });
  print(pods, gets);
} finally {
  endAll();
  await rm(folder, { recursive: true, force: true });
}

function endAll(): void {
  for (const child of running) child.kill();
}

interface Comparison {
  readonly sketch: Measurement[];
  readonly ours: Measurement[];
}

async function compare(target: Target): Promise<Comparison> {
  const comparison: Comparison = { sketch: [], ours: [] };
  for (let round = 1; round <= rounds; round++) {
    process.stderr.write(`${target.mode}, round ${round} of ${rounds}\n`);
    for (const name of ['sketch', 'ours'] as const) {
      const child = start(name, { BENCH_TARGET: JSON.stringify(target) });
      comparison[name].push(JSON.parse(await firstLine(child)));
    }
  }
  return comparison;
}

function start(name: string, env: Record<string, string>): ChildProcess {
  const flags = ['--expose-gc', '--max-semi-space-size=8', join(folder, `${name}.mjs`)];
  const child = spawn(process.execPath, flags, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
}

async function firstLine(child: ChildProcess): Promise<string> {
  if (!child.stdout) throw new Error('Cannot read from a process without output');
  const lines = createInterface(child.stdout);
  const [line] = await Promise.race([
    once(lines, 'line'),
    once(child, 'exit').then(([code]) => {
      throw new Error(`Cannot measure: a process ended with code ${code} before it reported`);
    }),
  ]);
  return line;
}

function print(pods: Comparison, gets: Comparison): void {
  const rows = [
    row('list + watch of 10,000 pods, CPU', 'ms', pods, (m) => m.cpuMs, '≤ 1.4'),
    row('list + watch of 10,000 pods, wall', 'ms', pods, (m) => m.wallMs, ''),
    row('list + watch of 10,000 pods, resident after GC', 'MB', pods, (m) => m.residentMb, '≤ 1.3'),
    row('GETs, 20 at a time', '/s', gets, (m) => (m.count / m.wallMs) * 1000, '≥ 0.7'),
    row('GETs, 20 at a time, CPU', 'ms', gets, (m) => m.cpuMs, ''),
  ];
  const titles = ['median (least – most)', 'unit', 'node:http2 sketch', 'ours', 'ratio', 'budget'];
  for (const cells of [titles, ...rows]) process.stdout.write(`${layOut(cells)}\n`);
}

function row(
  title: string,
  unit: string,
  { sketch, ours }: Comparison,
  of: (measurement: Measurement) => number,
  budget: string,
): string[] {
  const ratio = median(ours.map(of)) / median(sketch.map(of));
  return [title, unit, spread(sketch.map(of)), spread(ours.map(of)), ratio.toFixed(2), budget];
}

function spread(values: number[]): string {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  return `${median(values).toFixed(0)} (${least.toFixed(0)} – ${most.toFixed(0)})`;
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

function layOut(cells: string[]): string {
  const widths = [48, 5, 22, 22, 6, 6];
  return cells.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join(' ');
}
