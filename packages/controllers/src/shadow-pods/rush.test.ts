import { VirtualClock } from '@liqo/testkit';
import { describe, expect, test } from 'vitest';
import { Rush, Rushes } from './rush.ts';

function newRush() {
  const clock = new VirtualClock();
  return { clock, rush: new Rush({ clock, many: 3, windowMs: 1_000 }) };
}

describe('Rush', () => {
  test('is on once many have come within the window', async () => {
    const { clock, rush } = newRush();
    rush.note();
    await clock.advance(998);
    rush.note();
    expect(rush.isOn).toBe(false);
    await clock.advance(1);
    rush.note();
    expect(rush.isOn).toBe(true);
  });

  test('is over when the last so many are older than the window', async () => {
    const { clock, rush } = newRush();
    for (let i = 0; i < 3; i++) rush.note();
    await clock.advance(999);
    expect(rush.isOn).toBe(true);
    await clock.advance(1);
    expect(rush.isOn).toBe(false);
  });

  test('is not on while as many come more slowly', async () => {
    const { clock, rush } = newRush();
    for (let i = 0; i < 10; i++) {
      rush.note();
      await clock.advance(500);
      expect(rush.isOn).toBe(false);
    }
  });
});

test('Rushes tells the rush of one consumer from that of another', () => {
  const rushes = new Rushes({ clock: new VirtualClock(), many: 1, windowMs: 1_000 });
  rushes.of('rome').note();
  expect([rushes.of('rome').isOn, rushes.of('paris').isOn]).toEqual([true, false]);
});
