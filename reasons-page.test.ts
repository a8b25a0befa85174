import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import {
  explainReason,
  listReasons,
  readSources,
  reasonsPage,
  renderReasonsPage,
} from './reasons-page.ts';

test('the page of reasons is what the code and the other pages say', () => {
  expect(readFileSync(reasonsPage, 'utf8'), 'Stale: run `npm run reasons`').toBe(
    renderReasonsPage(),
  );
});

test('every reason is explained, and in the code', () => {
  const reasons = listReasons();
  expect(reasons.filter((reason) => explainReason(reason) === undefined)).toEqual([]);
  const sources = readSources();
  expect(reasons.filter((reason) => !sources.includes(`'${reason}'`))).toEqual([]);
});
