import type { ResourceRequirements } from 'kubernetes-types/core/v1.d.ts';
import { expect, test } from 'vitest';
import { qosClassOf } from './qos-class.ts';

function classOf(...resources: readonly ResourceRequirements[]): string {
  const containers = resources.map((one, i) => ({ name: `c${i}`, image: 'x', resources: one }));
  return qosClassOf({ containers });
}

const both = { cpu: '1', memory: '1Gi' };

test('qosClassOf() guarantees what has equal requests and limits of CPU and memory', () => {
  expect(classOf({ requests: both, limits: both })).toBe('Guaranteed');
  expect(classOf({ requests: { cpu: '1000m', memory: '1024Mi' }, limits: both })).toBe(
    'Guaranteed',
  );
});

test('qosClassOf() lets everything else that asks for something burst', () => {
  expect(classOf({ requests: both })).toBe('Burstable');
  expect(classOf({ requests: both, limits: both }, {})).toBe('Burstable');
  expect(classOf({ requests: { cpu: '1' }, limits: { cpu: '1' } })).toBe('Burstable');
});

test('qosClassOf() promises nothing to what asks for nothing', () => {
  expect(classOf({}, {})).toBe('BestEffort');
  expect(classOf({ requests: { cpu: '0' } })).toBe('BestEffort');
  expect(classOf({ requests: { 'example.com/gpu': '1' } })).toBe('BestEffort');
});
