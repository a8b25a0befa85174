import { expect, test } from 'vitest';
import { compareRecordings, type Scene } from './recording.ts';

const pod = (phase: string) => ({
  name: 'rome Pod shop/web-*',
  content: { status: { phase, conditions: [{ type: 'Ready' }] } },
});
const scene = (...objects: Scene['objects']): Scene => ({ name: 'all is over', objects });

test('compareRecordings() finds nothing in what is the same in another order', () => {
  const [one, other] = [
    scene(pod('Running'), pod('Pending')),
    scene(pod('Pending'), pod('Running')),
  ];
  expect(compareRecordings([one], [other])).toEqual([]);
});

test('compareRecordings() names the moment, the object and the field that differ, and no other', () => {
  expect(compareRecordings([scene(pod('Running'))], [scene(pod('Failed'))])).toEqual([
    'when all is over, missing: rome Pod shop/web-* .status .phase: "Running"',
    'when all is over, unexpected: rome Pod shop/web-* .status .phase: "Failed"',
  ]);
});

test('compareRecordings() counts objects that are the same', () => {
  const twice = scene(pod('Running'), pod('Running'));
  expect(compareRecordings([scene(pod('Running'))], [twice])).toEqual([
    'when all is over, unexpected: rome Pod shop/web-* .status .phase: "Running"',
    'when all is over, unexpected: rome Pod shop/web-* .status .conditions[0] .type: "Ready"',
  ]);
});

test('compareRecordings() notices a story that ended early', () => {
  expect(compareRecordings([scene(), scene()], [scene()])).toEqual([
    'the story has 1 scenes instead of 2',
  ]);
});
