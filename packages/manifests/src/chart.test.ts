import { expect, test } from 'vitest';
import { chartFolder, findStaleChartFiles } from '../bin/chart-files.ts';

test('the chart is that of the manifests', () => {
  expect(findStaleChartFiles(chartFolder), 'Stale chart: run `npm run chart`').toEqual([]);
});
