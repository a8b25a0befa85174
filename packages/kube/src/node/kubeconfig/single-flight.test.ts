import { expect, test } from 'vitest';
import { SingleFlight } from './single-flight.ts';

/** A run that ends when the test says so. */
function makeRun() {
  const signals: AbortSignal[] = [];
  let land: (value: string) => void = () => {};
  let crash: (error: Error) => void = () => {};
  const start = (signal: AbortSignal) => {
    signals.push(signal);
    return new Promise<string>((resolve, reject) => {
      land = resolve;
      crash = reject;
    });
  };
  return { start, signals, land: (value: string) => land(value), crash: (e: Error) => crash(e) };
}

test('SingleFlight.join() runs once for everybody who asks meanwhile', async () => {
  const run = makeRun();
  const flights = new SingleFlight<string>();
  const both = [flights.join(run.start), flights.join(run.start)];
  expect(flights.isFlying).toBe(true);
  run.land('here');
  expect(await Promise.all(both)).toEqual(['here', 'here']);
  expect(run.signals).toHaveLength(1);
  expect(flights.isFlying).toBe(false);
});

test('SingleFlight.join() runs again for whoever asks later', async () => {
  const run = makeRun();
  const flights = new SingleFlight<string>();
  const first = flights.join(run.start);
  run.land('one');
  await first;
  const second = flights.join(run.start);
  run.land('two');
  expect(await second).toBe('two');
});

test('SingleFlight.join() gives a failure to everybody and does not keep it', async () => {
  const run = makeRun();
  const flights = new SingleFlight<string>();
  const both = [flights.join(run.start), flights.join(run.start)];
  run.crash(new Error('fog'));
  const outcomes = await Promise.allSettled(both);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  const next = flights.join(run.start);
  run.land('sun');
  expect(await next).toBe('sun');
});

test('SingleFlight.join() goes on while one of those who wait is left', async () => {
  const run = makeRun();
  const flights = new SingleFlight<string>();
  const impatient = new AbortController();
  const leaver = flights.join(run.start, impatient.signal);
  const stayer = flights.join(run.start);
  impatient.abort(new Error('bored'));
  await expect(leaver).rejects.toThrow('bored');
  expect(run.signals[0]?.aborted).toBe(false);
  run.land('here');
  expect(await stayer).toBe('here');
});

test('SingleFlight.join() aborts the run when the last one leaves, and the next starts anew', async () => {
  const run = makeRun();
  const flights = new SingleFlight<string>();
  const impatient = new AbortController();
  const leaver = flights.join(run.start, impatient.signal);
  impatient.abort(new Error('bored'));
  await expect(leaver).rejects.toThrow('bored');
  expect(run.signals[0]?.aborted).toBe(true);
  run.crash(new Error('nobody hears this'));
  const next = flights.join(run.start);
  run.land('again');
  expect(await next).toBe('again');
});

test('SingleFlight.join() does not start for a signal that has aborted', async () => {
  const run = makeRun();
  const aborted = AbortSignal.abort(new Error('late'));
  await expect(new SingleFlight<string>().join(run.start, aborted)).rejects.toThrow('late');
  expect(run.signals).toEqual([]);
});
