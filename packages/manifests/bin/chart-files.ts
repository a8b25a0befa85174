import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import manifest from '../package.json' with { type: 'json' };
import { renderChart } from '../src/chart/render-chart.ts';
import { renderValuesPage } from '../src/chart/render-values-page.ts';

export const chartFolder = fileURLToPath(new URL('../../../charts/liqo', import.meta.url));

/** Generated from the kinds, by `npm run crds`. */
const isCrd = (path: string) => path.startsWith('crds/');

/** The content of every file that belongs into the folder of the chart but the CRDs, by its path there. */
export function renderChartFiles(): ReadonlyMap<string, string> {
  return renderChart(manifest.version);
}

/** The paths of the files that are missing, outdated, or of something that is no more. */
export function findStaleChartFiles(folder: string): string[] {
  const wanted = renderChartFiles();
  const present = new Map(
    listFiles(folder).map((path) => [path, readFileSync(join(folder, path), 'utf8')]),
  );
  const paths = new Set([...wanted.keys(), ...present.keys()]);
  return [...paths].filter((path) => wanted.get(path) !== present.get(path)).sort();
}

function listFiles(folder: string): readonly string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1));
  return paths.filter((path) => !isCrd(path));
}

export const valuesPage = fileURLToPath(new URL('../../../docs/values.md', import.meta.url));

export function isValuesPageStale(): boolean {
  return !existsSync(valuesPage) || readFileSync(valuesPage, 'utf8') !== renderValuesPage();
}
