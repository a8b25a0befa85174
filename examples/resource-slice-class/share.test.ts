import fc from 'fast-check';
import { expect, test } from 'vitest';
import { divide, type Request, share } from './share.ts';

const free = { cpu: '6', memory: '12Gi', pods: '110' };

function request(consumer: string, name: string, resources: Request['resources'] = {}): Request {
  return { key: `liqo-tenant-${consumer}/${name}`, consumer, resources };
}

function granted(requests: readonly Request[], capacity: Request['resources'] = free) {
  return [...share(capacity, requests).values()].map((decision) =>
    decision.type === 'grant' ? decision.resources : decision.message,
  );
}

test('share() gives one consumer all that it asks for, as far as it is free', () => {
  const one = request('rome', 'mypool', { cpu: '2', memory: '4Gi' });
  expect(granted([one])).toEqual([{ cpu: '2', memory: '4Gi', pods: '110' }]);
  const [large] = granted([request('rome', 'mypool', { cpu: '64' })]);
  expect(large).toEqual({ cpu: '6', memory: '12Gi', pods: '110' });
});

test('share() divides evenly among consumers, not among slices', () => {
  const requests = [request('rome', 'a'), request('rome', 'b'), request('oslo', 'a')];
  expect(granted(requests)).toEqual([
    { cpu: '1500m', memory: '3Gi', pods: '27' },
    { cpu: '1500m', memory: '3Gi', pods: '28' },
    { cpu: '3', memory: '6Gi', pods: '55' },
  ]);
});

test('share() gives what one consumer does not want to the others', () => {
  const requests = [request('rome', 'a', { cpu: '1' }), request('oslo', 'a')];
  expect(granted(requests)).toMatchObject([{ cpu: '1' }, { cpu: '5' }]);
});

test('share() says how the figures came about', () => {
  const requests = [request('rome', 'a', { cpu: '4' }), request('oslo', 'a')];
  expect(share(free, requests).get('liqo-tenant-rome/a')).toMatchObject({
    message:
      'divided among 2 consumers: cpu 3 of 6 free (4 asked for), memory 6Gi of 12Gi free (as much as possible), pods 55 of 110 free (as much as possible)',
  });
});

test('share() denies a slice when nothing is free, and says so', () => {
  expect(granted([request('rome', 'a')], { memory: '1Gi', pods: '3' })).toEqual([
    'there is no cpu for this slice: 0 free, divided among 1 consumer',
  ]);
});

test('share() gives other resources only to those that ask for them', () => {
  const capacity = { ...free, 'nvidia.com/gpu': '3' };
  const requests = [request('rome', 'a', { 'nvidia.com/gpu': '2' }), request('oslo', 'a')];
  const [first, second] = granted(requests, capacity);
  expect(first).toMatchObject({ 'nvidia.com/gpu': '2' });
  expect(second).not.toHaveProperty(['nvidia.com/gpu']);
});

test('divide() never gives more than there is, or than is wanted, and wastes nothing', () => {
  const amounts = fc.array(fc.bigInt({ min: 0n, max: 1000n }), { minLength: 1, maxLength: 20 });
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 5000n }), amounts, (total, wanted) => {
      const parts = divide(total, wanted);
      const sum = (list: readonly bigint[]) => list.reduce((one, other) => one + other, 0n);
      expect(parts.every((part, index) => part <= (wanted[index] ?? 0n))).toBe(true);
      const most = sum(wanted) < total ? sum(wanted) : total;
      expect(sum(parts)).toBe(most);
    }),
  );
});
