import { expect, test } from 'vitest';
import { describeStep } from './describe-step.ts';
import { generateStory } from './generate-story.ts';
import type { Step } from './step.ts';

const stories = Array.from({ length: 400 }, (_, seed) => generateStory(seed));

test('generateStory() tells the same story for the same seed, and another one for another', () => {
  expect(generateStory(7)).toEqual(generateStory(7));
  const texts = new Set(stories.map(({ steps }) => steps.map(describeStep).join('\n')));
  expect(texts.size).toBeGreaterThan(395);
});

test('generateStory() ends at rest, always', () => {
  expect(new Set(stories.map(({ steps }) => steps.at(-1)?.type))).toEqual(new Set(['calm']));
});

test('generateStory() leaves out nothing that may happen', () => {
  const types = new Set(stories.flatMap(({ steps }) => steps.map(({ type }) => type)));
  expect([...types].sort()).toEqual([...everything].sort());
});

test('generateStory() never has a provider answer 403 to the control plane of a consumer', () => {
  const denials = stories.flatMap(({ steps }) => steps.filter(({ type }) => type === 'deny'));
  const forbidden = denials.filter((step) => describeStep(step).includes('answers 403'));
  expect(forbidden.length).toBeGreaterThan(0);
  const withdrawn = /^(milan|turin) answers 403 to rome\/controller-manager$/;
  expect(denials.map(describeStep).filter((line) => withdrawn.test(line))).toEqual([]);
});

test('describeStep() says in one line what happens', () => {
  const lines = stories.flatMap(({ steps }) => steps.map(describeStep));
  expect(lines.filter((line) => line.includes('\n') || line.includes('[object'))).toEqual([]);
  expect(describeStep({ type: 'pass', ms: 500 })).toBe('0.5 s pass');
  expect(describeStep({ type: 'drain', node: 'v1' })).toBe('drain v1');
});

const everything: readonly Step['type'][] = [
  'create-virtual-node',
  'delete-virtual-node',
  'label-virtual-node',
  'taint-virtual-node',
  'resize-virtual-node',
  'offload',
  'unoffload',
  'delete-namespace',
  'deploy',
  'scale',
  'update',
  'undeploy',
  'run-pod',
  'run-job',
  'delete-job',
  'delete-remote-pod',
  'delete-shadow-pod',
  'delete-remote-namespace',
  'delete-pod',
  'drain',
  'cordon',
  'put-stranger',
  'set-create-node',
  'set-api-server-support',
  'resize-pod',
  'take-down',
  'kill',
  'restart',
  'cut-link',
  'heal-link',
  'storm',
  'slow-calls',
  'stale-watches',
  'forget-history',
  'lose-machine',
  'spoil-kubeconfig',
  'delete-kubeconfig',
  'deny',
  'end-denials',
  'second-kubelet',
  'pass',
  'calm',
];
