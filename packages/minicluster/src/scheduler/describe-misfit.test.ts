import { expect, test } from 'vitest';
import { describeMisfit } from './describe-misfit.ts';
import { pod } from './testing/forge.ts';

const cpu = { reasons: ['Insufficient cpu'], resolvable: false };
const full = { reasons: ['Insufficient cpu', 'Insufficient memory'], resolvable: true };
const taint = { reasons: ['node(s) had untolerated taint(s)'], resolvable: false };

/** The first two were seen from kube-scheduler 1.35.4; the third puts together what its conformance cases show in parts. */
test.each([
  [[], 'no nodes available to schedule pods'],
  [
    [cpu, cpu],
    '0/2 nodes are available: 2 Insufficient cpu. no new claims to deallocate, preemption: 0/2 nodes are available: 2 Preemption is not helpful for scheduling.',
  ],
  [
    [taint, full, full],
    '0/3 nodes are available: 1 node(s) had untolerated taint(s), 2 Insufficient cpu, 2 Insufficient memory. no new claims to deallocate, preemption: 0/3 nodes are available: 1 Preemption is not helpful for scheduling, 2 No preemption victims found for incoming pod.',
  ],
])('describeMisfit(%j) says what kube-scheduler says', (rejections, message) => {
  expect(describeMisfit(pod('p').pod, rejections)).toBe(message);
});

test('describeMisfit() says that a pod may not preempt', () => {
  const modest = pod('p', { preemptionPolicy: 'Never' }).pod;
  expect(describeMisfit(modest, [cpu])).toMatch(
    / no new claims to deallocate, preemption: not eligible due to preemptionPolicy=Never\.$/,
  );
});
