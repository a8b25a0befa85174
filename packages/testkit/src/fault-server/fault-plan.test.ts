import { expect, test } from 'vitest';
import { refusal } from './fault.ts';
import { FaultPlan, isList, isWatch, isWrite } from './fault-plan.ts';

const watch = { method: 'GET', path: '/api/v1/pods?watch=true&resourceVersion=1' };
const list = { method: 'GET', path: '/api/v1/pods?limit=500' };
const get = { method: 'GET', path: '/api/v1/namespaces/shop/pods/web' };
const write = { method: 'POST', path: '/api/v1/namespaces/shop/pods' };

test('FaultPlan gives each request that matches the next fault, in order, once', () => {
  const plan = new FaultPlan();
  const [first, second] = [refusal(429), refusal(503)];
  plan.next(isWatch, first, undefined, second);
  expect(plan.left).toBe(3);
  expect(plan.take(list)).toBeUndefined();
  expect([watch, watch, watch, watch].map((request) => plan.take(request))).toEqual([
    first,
    undefined,
    second,
    undefined,
  ]);
  expect(plan.left).toBe(0);
});

test('FaultPlan asks its rules in the order they were made', () => {
  const plan = new FaultPlan();
  plan.next(isWrite, refusal(409));
  plan.next(() => true, refusal(500));
  expect(plan.take(write)).toEqual(refusal(409));
  expect(plan.take(write)).toEqual(refusal(500));
});

test.each([
  ['a watch', watch, [true, false, false]],
  ['a list', list, [false, true, false]],
  ['a get', get, [false, false, false]],
  ['a write', write, [false, false, true]],
])('isWatch(), isList() and isWrite() know %s', (_, request, known) => {
  expect([isWatch(request), isList(request), isWrite(request)]).toEqual(known);
});
