import { expect, test } from 'vitest';
import { chartFolder, findStaleChartFiles, isValuesPageStale } from '../bin/chart-files.ts';

test('the chart is that of the manifests', () => {
  expect(findStaleChartFiles(chartFolder), 'Stale chart: run `npm run chart`').toEqual([]);
});

test('docs/values.md has the values of the chart', () => {
  expect(isValuesPageStale(), 'Stale page: run `npm run chart`').toBe(false);
});
