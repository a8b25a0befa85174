export interface Target {
  readonly port: number;
  readonly ca: string;
  readonly mode: 'gets' | 'pods';
}

export interface Measurement {
  readonly count: number;
  readonly wallMs: number;
  readonly cpuMs: number;
  readonly residentMb: number;
}

export function target(): Target {
  return JSON.parse(process.env.BENCH_TARGET ?? '{}');
}

/** Short work is warmed up before it is measured: what counts for it is how a process runs, not how it starts. */
const warmUps = { gets: 6, pods: 0 };

/** Runs the work, and prints what it took. */
export async function report(work: () => Promise<number>): Promise<void> {
  for (let i = 0; i < warmUps[target().mode]; i++) await work();
  const startedMs = performance.now();
  const cpuBefore = process.cpuUsage();
  const count = await work();
  const cpu = process.cpuUsage(cpuBefore);
  const wallMs = performance.now() - startedMs;
  await settle();
  const measurement: Measurement = {
    count,
    wallMs,
    cpuMs: (cpu.user + cpu.system) / 1000,
    residentMb: process.memoryUsage.rss() / 2 ** 20,
  };
  process.stdout.write(`${JSON.stringify(measurement)}\n`);
}

/** Two full collections, a turn of the event loop apart: what is left is held. */
async function settle(): Promise<void> {
  for (let i = 0; i < 2; i++) {
    globalThis.gc?.();
    await new Promise((resolve) => setImmediate(resolve));
  }
}
