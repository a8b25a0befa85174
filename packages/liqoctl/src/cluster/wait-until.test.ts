import { TransportError } from '@liqo/kube';
import { VirtualClock } from '@liqo/testkit';
import { expect, test } from 'vitest';
import { type Look, NotInTimeError, RefusedError, waitUntil } from './wait-until.ts';

function startWait(look: () => Promise<Look<string>>, timeoutMs = 1_000) {
  const clock = new VirtualClock();
  const stop = new AbortController();
  const told: string[] = [];
  const options = { clock, timeoutMs, tell: (why: string) => told.push(why), signal: stop.signal };
  const waiting = waitUntil(look, options);
  waiting.catch(() => undefined);
  return { clock, stop, told, waiting };
}

test('waitUntil() looks until it is so, and tells why it is not', async () => {
  let looks = 0;
  const look = async () => (++looks === 8 ? { done: 'yes' } : { notYet: `${looks}` });
  const { clock, told, waiting } = startWait(look, 2_000);
  await clock.advance(1_500);
  expect(await waiting).toBe('yes');
  expect(told).toEqual(['6', '7']);
});

test('waitUntil() gives no reason for a wait that is over in a moment', async () => {
  let looks = 0;
  const { clock, told, waiting } = startWait(async () =>
    ++looks === 4 ? { done: 'yes' } : { notYet: `${looks}` },
  );
  await clock.advance(140);
  expect(await waiting).toBe('yes');
  expect(told).toEqual([]);
});

test('waitUntil() says what was missing when the time is up', async () => {
  const { clock, waiting } = startWait(async () => ({ notYet: 'no Node' }));
  await clock.advance(1_000);
  await expect(waiting).rejects.toThrow('no Node');
});

test('waitUntil() bears with a server that is away', async () => {
  let isAway = true;
  const { clock, told, waiting } = startWait(async () => {
    if (isAway) throw new TransportError('Cannot reach it', { sent: false });
    return { done: 'yes' };
  });
  await clock.advance(700);
  isAway = false;
  await clock.advance(300);
  expect(await waiting).toBe('yes');
  expect(told).toEqual(['Cannot reach it']);
});

test('waitUntil() gives up at once on what time does not heal', async () => {
  const { waiting } = startWait(async () => {
    throw new Error('Gone');
  });
  await expect(waiting).rejects.toThrow('Gone');
});

test('waitUntil() gives up on a refusal that stands', async () => {
  const { clock, waiting } = startWait(
    async () => ({ notYet: 'Bad signature', isRefusal: true }),
    60_000,
  );
  await clock.advance(6_000);
  await expect(waiting).rejects.toThrow(new RefusedError('Bad signature'));
});

test('waitUntil() bears with a refusal that is reconsidered', async () => {
  const isRefusal = () => clock.now() % 4_000 < 2_000;
  const look = async () => ({ notYet: 'x', isRefusal: isRefusal() });
  const clock = new VirtualClock();
  const options = {
    clock,
    timeoutMs: 30_000,
    tell: () => undefined,
    signal: new AbortController().signal,
  };
  const waiting = waitUntil(look, options);
  waiting.catch(() => undefined);
  await clock.advance(31_000);
  await expect(waiting).rejects.toThrow(NotInTimeError);
});

test('waitUntil() ends when it is told to', async () => {
  const { clock, stop, waiting } = startWait(async () => ({ notYet: 'x' }));
  await clock.advance(100);
  stop.abort(new Error('Ctrl-C'));
  await expect(waiting).rejects.toThrow('Ctrl-C');
});
