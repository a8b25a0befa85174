import type { Pod } from '@liqo/kube';
import { expect, test } from 'vitest';
import { stored } from '../testing/stored.ts';
import { backoffInMs, noteEnds } from './job-times.ts';

const startMs = Date.UTC(2030, 0, 1);

function ended(second: number) {
  const finishedAt = new Date(startMs + second * 1000).toISOString();
  const state = { terminated: { exitCode: 0, finishedAt } };
  const main = { name: 'main', ready: false, restartCount: 0, image: '', imageID: '', state };
  return stored<Pod>('Pod', { status: { containerStatuses: [main] } });
}

test('noteEnds() counts failures since the last success', () => {
  const first = noteEnds(undefined, { succeeded: [], failed: [ended(1), ended(2)] });
  expect(first).toEqual({ failures: 2, lastMs: startMs + 2000 });
  const second = noteEnds(first, { succeeded: [], failed: [ended(9)] });
  expect(second).toEqual({ failures: 3, lastMs: startMs + 9000 });
  const mixed = { succeeded: [ended(20)], failed: [ended(19), ended(21)] };
  expect(noteEnds(second, mixed)).toEqual({ failures: 1, lastMs: startMs + 21_000 });
  expect(noteEnds(second, { succeeded: [ended(20)], failed: [] })).toBeUndefined();
  expect(noteEnds(second, { succeeded: [], failed: [] })).toBe(second);
});

test('noteEnds() takes the moment at which a pod was told to end if it says nothing itself', () => {
  const metadata = {
    deletionTimestamp: '2030-01-01T00:00:40Z',
    deletionGracePeriodSeconds: 30,
  };
  const deleted = stored<Pod>('Pod', { metadata });
  const { lastMs } = noteEnds(undefined, { succeeded: [], failed: [deleted] }) ?? {};
  expect(lastMs).toBe(startMs + 10_000);
});

test.each([
  [1, 10],
  [2, 20],
  [4, 80],
  [9, 600],
])('backoffInMs() makes new pods wait after %i failures for %i seconds', (failures, seconds) => {
  const backoff = { failures, lastMs: startMs };
  expect(backoffInMs(backoff, startMs)).toBe(seconds * 1000);
  expect(backoffInMs(backoff, startMs + seconds * 1000 - 1)).toBe(1);
  expect(backoffInMs(backoff, startMs + seconds * 2000)).toBe(0);
});
