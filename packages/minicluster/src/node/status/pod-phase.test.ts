import { expect, test } from 'vitest';
import type { ContainerRole, ContainerView } from './container-view.ts';
import { podPhase } from './pod-phase.ts';

function view(role: ContainerRole, now: 'back-off' | 'new' | 'runs' | number): ContainerView {
  const ended = (exitCode: number) => ({ terminated: { exitCode } });
  const hasRun = now !== 'new';
  const states = {
    new: [{ waiting: { reason: 'ContainerCreating' } }, {}],
    runs: [{ running: { startedAt: '2030-01-01T00:00:00Z' } }, {}],
    'back-off': [{ waiting: { reason: 'CrashLoopBackOff' } }, ended(1)],
  } as const;
  const [state, lastState] = typeof now === 'number' ? [ended(now), {}] : states[now];
  return {
    spec: { name: role },
    role,
    state,
    lastState,
    restartCount: 0,
    ready: now === 'runs' || (role === 'init' && now === 0),
    started: now === 'runs',
    containerID: hasRun ? 'containerd://x' : undefined,
  };
}

test.each([
  ['Pending', 'Always', [view('main', 'new')]],
  ['Pending', 'Always', [view('init', 'runs'), view('main', 'new')]],
  ['Pending', 'Always', [view('init', 0), view('main', 'new')]],
  ['Pending', 'Always', [view('sidecar', 'new'), view('main', 'new')]],
  ['Running', 'Always', [view('main', 'runs'), view('main', 0)]],
  ['Running', 'Always', [view('main', 'back-off')]],
  ['Running', 'OnFailure', [view('main', 1)]],
  ['Running', 'Never', [view('sidecar', 'runs'), view('main', 0)]],
  ['Succeeded', 'Never', [view('main', 0), view('main', 0)]],
  ['Succeeded', 'OnFailure', [view('main', 0)]],
  ['Failed', 'Never', [view('main', 0), view('main', 1)]],
  ['Failed', 'Never', [view('init', 1), view('main', 'new')]],
  ['Running', 'Always', [view('sidecar', 'back-off'), view('main', 'runs')]],
] as const)('podPhase() is %s (%s, row %#)', (phase, policy, containers) => {
  expect(podPhase(containers, policy, false)).toBe(phase);
});

test('podPhase() of a pod that is ending is how its containers ended', () => {
  expect(podPhase([view('main', 0)], 'Always', true)).toBe('Succeeded');
  expect(podPhase([view('main', 137)], 'Always', true)).toBe('Failed');
});
