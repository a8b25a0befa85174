import { expect, test } from 'vitest';
import { checkFaults, type LinkFaults, printFirewall, printQueue } from './link-faults.ts';

function rulesOf(a: LinkFaults, b: LinkFaults): readonly string[] {
  const lines = printFirewall({ a, b }).split('\n');
  return lines.filter((line) => line.includes('drop')).map((line) => line.trim());
}

test('printFirewall() drops nothing on a good link', () => {
  expect(rulesOf({}, { delayMs: 100, bitsPerSecond: 8_000 })).toEqual([]);
});

test('printFirewall() of a cut drops what comes in at that end, and what is on its way', () => {
  expect(rulesOf({ cut: true, loss: 0.5 }, {})).toEqual(['iifname { "end-a", "wire-a" } drop']);
});

test('printFirewall() loses the given share of one direction', () => {
  expect(rulesOf({}, { loss: 0.25 })).toEqual([
    'iifname "end-b" numgen random mod 1000000 < 250000 drop',
  ]);
});

test('printFirewall() that loses everything leaves nothing to chance', () => {
  expect(rulesOf({ loss: 1 }, {})).toEqual(['iifname "end-a" drop']);
});

test('printFirewall() starts from nothing, whether or not there were rules before', () => {
  expect(printFirewall({ a: {}, b: {} })).toMatch(
    /^table ip link\ndelete table ip link\ntable ip link \{/,
  );
});

test('printQueue() narrows the way out at the other end', () => {
  expect(printQueue('a', { bitsPerSecond: 8_000_000 })).toBe(
    'qdisc replace dev end-b root tbf rate 8000000bit burst 10000 latency 400ms',
  );
  expect(printQueue('b', {})).toBe('qdisc replace dev end-a root pfifo limit 1000');
});

test.each([
  [{ loss: 1.5 }, 'a share is from 0 to 1'],
  [{ loss: Number.NaN }, 'a share is from 0 to 1'],
  [{ delayMs: -1 }, 'it is from 0 to 60000'],
  [{ bitsPerSecond: 0 }, 'it is at least 8000'],
])('checkFaults() refuses %j', (faults, fact) => {
  expect(() => checkFaults(faults)).toThrow(fact);
});
