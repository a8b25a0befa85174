import { expect, test } from 'vitest';
import { CallReader, isWatch, isWrite } from './api-call.ts';
import { refusal } from './fault.ts';
import { FaultScript } from './fault-script.ts';

const read = (method: string, path: string) => new CallReader().read('somebody', { method, path });
const watch = read('GET', '/api/v1/pods?watch=true&resourceVersion=1');
const list = read('GET', '/api/v1/pods?limit=500');
const write = read('POST', '/api/v1/namespaces/shop/pods');

test('FaultScript gives each call that matches the next fault, in order, once', () => {
  const script = new FaultScript();
  const [first, second] = [refusal(429), refusal(503)];
  script.next(isWatch, first, undefined, second);
  expect(script.left).toBe(3);
  expect(script.plan(list)).toBeUndefined();
  expect([watch, watch, watch, watch].map((call) => script.plan(call))).toEqual([
    first,
    undefined,
    second,
    undefined,
  ]);
  expect(script.left).toBe(0);
});

test('FaultScript asks its rules in the order they were made', () => {
  const script = new FaultScript();
  script.next(isWrite, refusal(409));
  script.next(() => true, refusal(500));
  expect(script.plan(write)).toEqual(refusal(409));
  expect(script.plan(write)).toEqual(refusal(500));
});
