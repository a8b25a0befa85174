import { startBenchWorld, type WorldNeeds } from './offloading/bench-world.ts';
import type { Sample, Scenario } from './offloading/scenario.ts';
import { burst } from './offloading/scenarios/burst.ts';
import { growth } from './offloading/scenarios/growth.ts';
import { manyNodes } from './offloading/scenarios/many-nodes.ts';
import { memory } from './offloading/scenarios/memory.ts';
import { neighbours } from './offloading/scenarios/neighbours.ts';
import { requests } from './offloading/scenarios/requests.ts';
import { steady } from './offloading/scenarios/steady.ts';
import type { MeasuredRow } from './results.ts';
import { spreadOf } from './spread.ts';

/** From what people notice first to what the machine pays. */
export const scenarios: readonly Scenario[] = [
  burst(500, 5),
  burst(2000, 3),
  steady(10, 80),
  steady(20, 150),
  neighbours,
  memory,
  growth(100, 1),
  growth(1000, 1),
  growth(5000, 1),
  requests,
  manyNodes,
  growth(1000, 5),
  growth(1000, 20),
];

export interface OffloadingOptions {
  /** Names of scenarios; all when empty. */
  readonly only: readonly string[];
  /** Instead of what each scenario says itself. */
  readonly repeats?: number;
  readonly say: (line: string) => void;
}

/** Runs scenarios that can share a world in the same one, one after the other. */
export async function benchOffloading(options: OffloadingOptions): Promise<readonly MeasuredRow[]> {
  const wanted = scenarios.filter(({ name }) => isWanted(name, options.only));
  const rows: MeasuredRow[] = [];
  for (const group of groupByNeeds(wanted)) rows.push(...(await runGroup(group, options)));
  return rows;
}

function isWanted(name: string, only: readonly string[]): boolean {
  return only.length === 0 || only.some((prefix) => name.startsWith(prefix));
}

function groupByNeeds(all: readonly Scenario[]): readonly (readonly Scenario[])[] {
  const groups = new Map<string, Scenario[]>();
  for (const scenario of all) {
    const key = JSON.stringify(scenario.needs);
    groups.set(key, [...(groups.get(key) ?? []), scenario]);
  }
  return [...groups.values()];
}

async function runGroup(
  group: readonly Scenario[],
  { repeats, say }: OffloadingOptions,
): Promise<readonly MeasuredRow[]> {
  const needs = group[0]?.needs as WorldNeeds;
  say(`starting two control planes and ${needs.virtualNodes} virtual node(s)`);
  await using world = await startBenchWorld(needs);
  const rows: MeasuredRow[] = [];
  for (const scenario of group) {
    const samples: Sample[] = [];
    const times = repeats ?? scenario.repeats;
    for (let i = 1; i <= times; i++) {
      say(`${scenario.name}, ${i} of ${times}`);
      const sample = await scenario.measure(world);
      say(describe(scenario, sample));
      samples.push(sample);
      await world.cleanUp();
    }
    rows.push(...summarise(scenario, samples));
  }
  return rows;
}

/** On the way, for whoever does not want to wait for the table. */
function describe({ rows }: Scenario, sample: Sample): string {
  const words = rows.map(({ id, unit }) => `${id} ${Number(sample[id]?.toPrecision(3))} ${unit}`);
  return words.join(', ');
}

function summarise({ rows }: Scenario, samples: readonly Sample[]): readonly MeasuredRow[] {
  const known = new Set(rows.map(({ id }) => id));
  const further = Object.keys(Object.assign({}, ...samples)).filter((id) => !known.has(id));
  const details = further.map((id) => ({ id, title: id, unit: '', isDetail: true }));
  return [...rows, ...details].map((row) => {
    const values = samples.map((sample) => sample[row.id] ?? 0);
    return { ...row, ...spreadOf(values), values };
  });
}
