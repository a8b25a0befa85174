import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { renderValuesPage } from '../src/chart/render-values-page.ts';
import {
  chartFolder,
  findStaleChartFiles,
  isValuesPageStale,
  renderChartFiles,
  valuesPage,
} from './chart-files.ts';

/** Brings the chart and the page about its values up to date, or with `--check` only says what is not. */
function main(): void {
  const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } });
  mkdirSync(chartFolder, { recursive: true });
  const stale = findStaleChartFiles(chartFolder);
  if (values.check) report([...stale, ...(isValuesPageStale() ? ['docs/values.md'] : [])]);
  else update(stale);
}

function update(stale: readonly string[]): void {
  const files = renderChartFiles();
  for (const path of stale) write(path, files.get(path));
  writeFileSync(valuesPage, renderValuesPage());
  process.stdout.write(`Updated ${stale.length} of ${files.size} files of the chart\n`);
}

function write(path: string, content: string | undefined): void {
  const file = join(chartFolder, path);
  mkdirSync(dirname(file), { recursive: true });
  if (content === undefined) rmSync(file);
  else writeFileSync(file, content);
}

function report(stale: readonly string[]): void {
  if (stale.length === 0) return;
  process.stderr.write(
    `Stale files of the chart, run \`npm run chart\`:\n  ${stale.join('\n  ')}\n`,
  );
  process.exitCode = 1;
}

main();
