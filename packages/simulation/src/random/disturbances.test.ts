import { expect, test } from 'vitest';
import { drawnOnce } from '../world/blueprint.ts';
import { runStory } from './run-story.ts';
import type { Step } from './step.ts';

const patient = { timeout: 300_000 };
const blueprintOf = drawnOnce();
const kubelet = 'rome/virtual-kubelet(v1)';
const node = 'v1';
const pod = { namespace: 'shop', name: 'one' } as const;

const begin: readonly Step[] = [
  { type: 'create-virtual-node', node },
  { type: 'offload', namespace: 'shop', naming: 'DefaultName', pods: 'Remote' },
  { type: 'run-pod', ...pod, work: 'forever', sidecar: true },
  { type: 'pass', ms: 5_000 },
];

async function play(...steps: readonly Step[]): Promise<readonly string[]> {
  const clusters = ['rome', 'milan'];
  const story = { seed: 1, clusters, steps: [...begin, ...steps, { type: 'calm' } as const] };
  const { wrongs, calls } = await runStory(story, blueprintOf);
  expect(wrongs).toEqual([]);
  return calls;
}

test('a resize in a story reaches the pod at the provider', patient, async () => {
  const resize = { type: 'resize-pod', pick: 0, container: 'main', cpu: '20m' } as const;
  const calls = await play(resize);
  expect(calls).toContain('milan milan/controller-manager patch pods/resize shop-rome/one');
});

test('API server support in a story issues tokens for pods', patient, async () => {
  const calls = await play(
    { type: 'set-api-server-support', on: true },
    { type: 'pass', ms: 60_000 },
    { type: 'delete-pod', pick: 0, how: 'graceful' },
    { type: 'pass', ms: 30_000 },
    { type: 'run-pod', ...pod, work: 'forever' },
  );
  const issued = calls.filter((call) => call.endsWith('create serviceaccounts/token shop/default'));
  expect(issued.length).toBeGreaterThan(0);
});

test.each([401, 403] as const)(
  'a provider that answers %i in a story is used again',
  patient,
  async (status) => {
    await play(
      { type: 'deny', process: kubelet, cluster: 'milan', status },
      { type: 'pass', ms: 120_000 },
    );
  },
);

test('a kubeconfig that is deleted in a story is created again', patient, async () => {
  await play({ type: 'delete-kubeconfig', node }, { type: 'pass', ms: 120_000 });
});

test(
  'createNode that is switched off and on in a story removes and creates the Node',
  patient,
  async () => {
    const calls = await play(
      { type: 'set-create-node', node, on: false },
      { type: 'calm' },
      { type: 'set-create-node', node, on: true },
    );
    expect(calls).toContain('rome rome/controller-manager delete nodes v1');
    expect(calls.filter((call) => call.startsWith(`rome ${kubelet} create nodes`))).toHaveLength(2);
  },
);
