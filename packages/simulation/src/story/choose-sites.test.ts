import type { ApiCall, CrashSite } from '@liqo/testkit/faults';
import { expect, test } from 'vitest';
import { oneOfEachKind } from './choose-sites.ts';

const calls = [
  ['rome', 'create'],
  ['rome', 'create'],
  ['rome', 'delete'],
  ['rome', 'patch'],
  ['milan', 'create'],
];
const sites = (['before', 'after', 'refused'] as const).flatMap((when) =>
  calls.map(([process, verb], index): CrashSite => {
    const call = { verb, resource: 'pods' } as ApiCall;
    return { process: process ?? '', number: index + 1, when, call };
  }),
);

test('oneOfEachKind() chooses a mishap for each process, verb and resource, each of them in turn', () => {
  const chosen = sites.filter(oneOfEachKind());
  expect(chosen.map(({ number, when }) => `${number} ${when}`)).toEqual([
    '1 before',
    '5 before',
    '3 after',
    '4 refused',
  ]);
});
