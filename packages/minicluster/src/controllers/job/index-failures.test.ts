import type { Job, Pod } from '@liqo/kube';
import { expect, test } from 'vitest';
import { stored } from '../testing/stored.ts';
import { failureAnnotations, failuresUpTo, findIndexFailures } from './index-failures.ts';
import { trackingFinalizer } from './pod-outcome.ts';

const countKey = 'batch.kubernetes.io/job-index-failure-count';
const ignoredKey = 'batch.kubernetes.io/job-index-ignored-failure-count';
const none: ReadonlySet<number> = new Set();

function pod(name: string, index: number, phase: string, more: Record<string, string> = {}) {
  const annotations = { 'batch.kubernetes.io/job-completion-index': String(index), ...more };
  const metadata = { name, annotations, finalizers: [trackingFinalizer] };
  return stored<Pod>('Pod', { metadata, status: { phase } });
}

const job = (limit: number, status: NonNullable<Job['status']> = {}): Job => ({
  spec: {
    backoffLimitPerIndex: limit,
    completions: 4,
    completionMode: 'Indexed',
    template: { spec: { containers: [] } },
  },
  status,
});

test('findIndexFailures() has nothing to say of a job without such a limit', () => {
  expect(findIndexFailures({ spec: { template: {} } }, [], none)).toBeUndefined();
});

test('findIndexFailures() gives up an index whose pod failed once too often', () => {
  const pods = [pod('a', 0, 'Failed', { [countKey]: '1' }), pod('b', 1, 'Failed')];
  const found = findIndexFailures(job(1, { failedIndexes: '3' }), pods, none);
  expect([...(found?.failed ?? [])]).toEqual([3, 0]);
  expect([...(found?.kept.keys() ?? [])]).toEqual([1]);
});

test('findIndexFailures() keeps the last failed pod of an index', () => {
  const pods = [pod('a', 0, 'Failed', { [countKey]: '2' }), pod('b', 0, 'Failed')];
  const found = findIndexFailures(job(9), pods, none);
  expect(found?.kept.get(0)?.metadata.name).toBe('a');
});

test('findIndexFailures() keeps nothing of an index that runs again, is complete, or is beyond the last', () => {
  const pods = [
    pod('a', 0, 'Failed'),
    pod('b', 0, 'Running', { [countKey]: '1' }),
    pod('c', 1, 'Failed'),
    pod('d', 7, 'Failed'),
  ];
  expect(findIndexFailures(job(9), pods, new Set([1]))?.kept.size).toBe(0);
});

test('findIndexFailures() neither keeps nor gives up anything for a job whose end is certain', () => {
  const conditions = [{ type: 'FailureTarget', status: 'True' }];
  const pods = [pod('a', 0, 'Failed'), pod('b', 1, 'Failed', { [countKey]: '9' })];
  const found = findIndexFailures(job(9, { conditions, failedIndexes: '3' }), pods, none);
  expect(found).toEqual({ failed: new Set([3]), kept: new Map() });
});

test('failureAnnotations() count up, and begin again when they were tampered with', () => {
  const next = (count: string) =>
    failureAnnotations(job(9), pod('a', 0, 'Failed', { [countKey]: count }));
  expect(failureAnnotations(job(9), undefined)).toEqual({ [countKey]: '0' });
  expect(next('4')).toEqual({ [countKey]: '5' });
  expect(next('-4')).toEqual({ [countKey]: '1' });
  expect(next('99999999999')).toEqual({ [countKey]: '1' });
});

test('failuresUpTo() counts also what was overlooked', () => {
  expect(failuresUpTo(pod('a', 0, 'Failed', { [countKey]: '2', [ignoredKey]: '3' }))).toBe(6);
});
