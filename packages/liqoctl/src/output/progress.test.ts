import { VirtualClock } from '@liqo/testkit';
import { expect, test } from 'vitest';
import { Progress } from './progress.ts';

function startProgress(isTerminal: boolean) {
  const clock = new VirtualClock();
  const written: string[] = [];
  const stderr = { write: (text: string) => written.push(text), isTerminal, columns: 40 };
  const progress = new Progress({ stderr, clock, paint: (_, text) => text });
  return { clock, written, progress };
}

const step = { doing: 'Waiting for it', done: 'It is there' };

test('Progress tells each step with its duration', async () => {
  const { clock, written, progress } = startProgress(false);
  await progress.step(step, async () => clock.advance(2_500));
  expect(written).toEqual(['✔ It is there (2.5 s)\n']);
});

test('Progress tells in which of two clusters a step is done', async () => {
  const { clock, written, progress } = startProgress(false);
  await progress.step({ ...step, where: 'remote' }, async () => clock.advance(300));
  expect(written).toEqual(['✔ (remote) It is there (0.3 s)\n']);
});

test('Progress words the end of a step by its result, or leaves it out', async () => {
  const { written, progress } = startProgress(false);
  const done = (count: number) => (count > 0 ? `There are ${count}` : undefined);
  await progress.step({ doing: 'Counting', done }, async () => 3);
  await progress.step({ doing: 'Counting', done }, async () => 0);
  expect(written).toEqual(['✔ There are 3 (0.0 s)\n']);
  expect(progress.doing).toBeUndefined();
});

test('Progress gives a detail a line of its own, once, where nothing can be overdrawn', async () => {
  const { written, progress } = startProgress(false);
  await progress.step(step, async (tell) => {
    for (const detail of ['a', 'a', 'b']) tell(detail);
  });
  expect(written).toEqual(['  a\n', '  b\n', '✔ It is there (0.0 s)\n']);
});

test('Progress overdraws one line on a terminal, which fits it, and erases it', async () => {
  const { clock, written, progress } = startProgress(true);
  await progress.step(step, async (tell) => {
    tell(`because ${'x'.repeat(100)}`);
    await clock.advance(250);
  });
  const lines = written.join('').split('\r\u001b[2K');
  expect(lines.at(-1)).toBe('✔ It is there (0.3 s)\n');
  expect(lines.at(-2)).toMatch(/^. Waiting for it \(0\.2 s\): because x+$/);
  expect(Math.max(...lines.slice(0, -1).map((line) => line.length))).toBeLessThanOrEqual(40);
});

test('Progress says nothing of a step that fails, and draws no more', async () => {
  const { clock, written, progress } = startProgress(true);
  const failing = progress.step(step, () => Promise.reject(new Error('no')));
  await expect(failing).rejects.toThrow('no');
  await clock.advance(1_000);
  expect(written.join('')).toBe('\r\u001b[2K');
  expect(progress.doing).toBe('Waiting for it');
});
