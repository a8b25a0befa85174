import { expect, test } from 'vitest';
import { crdFolder, findStaleCrdFiles } from '../bin/crd-files.ts';

test('the CRDs of the chart are those of the kinds', () => {
  expect(findStaleCrdFiles(crdFolder), 'Stale CRDs: run `npm run crds`').toEqual([]);
});
