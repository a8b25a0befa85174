import type { Pod } from '@liqo/kube';
import { expect, test } from 'vitest';
import { stored } from '../testing/stored.ts';
import { countPods } from './job-counts.ts';
import { trackingFinalizer } from './pod-outcome.ts';

function pod(name: string, phase: string, finalizers = [trackingFinalizer]) {
  return stored<Pod>('Pod', { metadata: { name, finalizers }, status: { phase } });
}

test('countPods() notes a finished pod before it lets it go', () => {
  const counts = countPods({}, [pod('a', 'Succeeded'), pod('b', 'Running')]);
  expect(counts).toMatchObject({
    succeeded: 0,
    uncounted: { succeeded: ['uid-of-a'], failed: [] },
  });
  expect(counts.release.map(({ metadata }) => metadata.name)).toEqual(['a']);
});

test('countPods() counts a noted pod when it has been let go, also if it is gone', () => {
  const uncountedTerminatedPods = { succeeded: ['uid-of-a'], failed: ['uid-of-gone'] };
  const status = { succeeded: 1, uncountedTerminatedPods };
  expect(countPods({ status }, [pod('a', 'Succeeded', [])])).toMatchObject({
    succeeded: 2,
    failed: 1,
    uncounted: { succeeded: [], failed: [] },
  });
});

test('countPods() does not note a pod twice', () => {
  const status = { uncountedTerminatedPods: { succeeded: ['uid-of-a'] } };
  const counts = countPods({ status }, [pod('a', 'Succeeded')]);
  expect(counts).toMatchObject({ succeeded: 0, uncounted: { succeeded: ['uid-of-a'] } });
});
