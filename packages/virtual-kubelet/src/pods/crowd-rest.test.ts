import { VirtualClock } from '@liqo/testkit';
import { beforeEach, describe, expect, test } from 'vitest';
import { CrowdRest } from './crowd-rest.ts';

let clock: VirtualClock;
let rest: CrowdRest;
let overs: number;
beforeEach(() => {
  clock = new VirtualClock();
  overs = 0;
  const onOver = () => {
    overs += 1;
  };
  rest = new CrowdRest({ clock, factor: 8, onOver });
});

/** Somebody comes every tenth of a second. */
async function growFor(ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 100) {
    rest.grew();
    await clock.advance(100);
  }
}

describe('CrowdRest', () => {
  test('is not on while nobody comes, however late the news are', () => {
    rest.late(500);
    expect(rest.isOn).toBe(false);
  });

  test('is not on while news are in time, however many come', () => {
    rest.grew();
    expect(rest.isOn).toBe(false);
  });

  test('is as long as the news were late, so many times, while the crowd grows', async () => {
    rest.grew();
    rest.late(200);
    await growFor(1_500);
    expect([rest.isOn, overs]).toEqual([true, 0]);
    await growFor(100);
    expect([rest.isOn, overs]).toEqual([false, 1]);
  });

  test('is not shortened by news that are less late', async () => {
    rest.grew();
    rest.late(200);
    rest.late(101);
    await growFor(1_500);
    expect(rest.isOn).toBe(true);
  });

  test('is over when nobody has come for a quarter of a second', async () => {
    rest.grew();
    rest.late(1_000);
    await clock.advance(249);
    expect([rest.isOn, overs]).toEqual([true, 0]);
    await clock.advance(1);
    expect([rest.isOn, overs]).toEqual([false, 1]);
  });

  test('is for crowds that come to an end: not for one that has grown for a quarter of a minute', async () => {
    await growFor(14_900);
    rest.grew();
    rest.late(200);
    expect(rest.isOn).toBe(true);
    await growFor(100);
    rest.late(200);
    expect(rest.isOn).toBe(false);
  });

  test('is there for the next crowd when one was endless', async () => {
    await growFor(16_000);
    await clock.advance(300);
    rest.grew();
    rest.late(200);
    expect(rest.isOn).toBe(true);
  });

  test('leaves nothing behind when it is disposed of', () => {
    rest.grew();
    rest.late(200);
    rest[Symbol.dispose]();
    expect(clock.pendingTimers).toBe(0);
  });
});
