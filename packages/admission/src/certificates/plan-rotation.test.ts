import { expect, test } from 'vitest';
import { chooseGeneration } from './choose-generation.ts';
import type { Generation } from './generation.ts';
import { planRotation } from './plan-rotation.ts';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
const nowMs = Date.UTC(2030, 0, 1);

/** Issued so long ago, for ninety days. */
const issued = (agoMs: number) => ({
  issuedAtMs: nowMs - agoMs,
  expiresAtMs: nowMs - agoMs + 90 * dayMs,
});
const fresh = issued(minuteMs);
const settled = issued(2 * 60 * minuteMs);
const ageing = issued(60 * dayMs);
const expired = issued(90 * dayMs);

test.each([
  ['issues the first one', [], { do: 'issue', kept: [] }],
  [
    'keeps a young one until it ages',
    [fresh],
    { do: 'keep', untilMs: fresh.issuedAtMs + 60 * dayMs },
  ],
  [
    'replaces one in its last third, and keeps it besides',
    [ageing],
    { do: 'issue', kept: [ageing] },
  ],
  ['replaces one that has expired', [expired], { do: 'issue', kept: [] }],
  ['replaces two that have expired', [expired, expired], { do: 'issue', kept: [] }],
  [
    'trusts the one before for an hour',
    [fresh, ageing],
    { do: 'keep', untilMs: fresh.issuedAtMs + 60 * minuteMs },
  ],
  ['forgets the one before after an hour', [settled, ageing], { do: 'forget', kept: [settled] }],
  ['forgets the one before once it has expired', [fresh, expired], { do: 'forget', kept: [fresh] }],
  ['forgets the one before for a third one', [ageing, ageing], { do: 'issue', kept: [ageing] }],
])('planRotation() %s', (_, generations, plan) => {
  expect(planRotation(generations, nowMs)).toEqual(plan);
});

const texts = { authority: '', certificate: '', privateKey: '' };
const generation = (times: ReturnType<typeof issued>): Generation => ({ ...texts, ...times });
const never = Number.POSITIVE_INFINITY;

test.each([
  ['the only one there is', fresh, undefined, fresh, never],
  ['the one before while API servers learn the new authority', fresh, ageing, ageing, 4 * minuteMs],
  ['the newest once they know it', settled, ageing, settled, never],
  ['the newest when the one before has expired', fresh, expired, fresh, never],
  [
    'the one before for no longer than it lasts',
    fresh,
    issued(90 * dayMs - minuteMs),
    issued(90 * dayMs - minuteMs),
    minuteMs,
  ],
])('chooseGeneration() serves %s', (_, newest, previous, expected, forMs) => {
  const before = previous && generation(previous);
  const choice = chooseGeneration(generation(newest), before, nowMs);
  expect(choice).toEqual({ generation: generation(expected), untilMs: nowMs + forMs });
});
