import { VirtualClock } from '@liqo/testkit';
import { expect, test } from 'vitest';
import { formatSeconds, Narrator } from './narrator.ts';

const words = { name: 'start it', done: 'It runs' };

test.each([
  [0, '0.0 s'],
  [449, '0.4 s'],
  [12_000, '12.0 s'],
  [-1, '0.0 s'],
])('formatSeconds(%d) is "%s"', (ms, text) => expect(formatSeconds(ms)).toBe(text));

test('Narrator tells of a step once it is done, without colours where nobody looks', async () => {
  const { narrator, written, clock } = tellTo({ isTerminal: false });
  const work = narrator.step(words, async () => clock.advance(1500));
  await work;
  expect(written()).toMatch(/^ {2}✔ It runs {2,}1\.5 s\n$/);
});

test('Narrator shows on a terminal what goes on, and takes it away', async () => {
  const { narrator, written } = tellTo({ isTerminal: true });
  await narrator.step(words, async () => expect(written()).toContain('… start it'));
  expect(written()).toContain('\u001b[2K\u001b[2m\u001b[0m  \u001b[32m✔\u001b[0m It runs');
});

test('Narrator breaks the text of a step between words, and keeps the duration on its line, in a narrow terminal', async () => {
  const { narrator, written } = tellTo({ isTerminal: false, columns: 40 });
  const done = 'milan is the node "mynode" of rome, by a VirtualNode';
  await narrator.step({ name: 'x', done }, async () => undefined);
  expect(written().split('\n')).toEqual([
    '  ✔ milan is the node "mynode"',
    '    of rome, by a VirtualNode    0.0 s',
    '',
  ]);
});

test('Narrator cuts a line that it will erase to the width of the terminal', async () => {
  const { narrator, written } = tellTo({ isTerminal: true, columns: 20, env: { NO_COLOR: '1' } });
  const long = { name: 'start a cluster that has a long name', done: 'It runs' };
  await narrator.step(long, async () => expect(written()).toBe('\r\u001b[2K  … start a cluste…'));
});

test('Narrator says nothing of a step that fails, and passes the error on', async () => {
  const { narrator, written } = tellTo({ isTerminal: false });
  const failing = narrator.step(words, () => Promise.reject(new Error('No')));
  await expect(failing).rejects.toThrow('No');
  expect(written()).toBe('');
});

test.each([{ NO_COLOR: '1' }, { TERM: 'dumb' }])('Narrator heeds %j', (env) => {
  const { narrator } = tellTo({ isTerminal: true, env });
  expect(narrator.paint('green', 'x')).toBe('x');
});

function tellTo(options: {
  isTerminal: boolean;
  columns?: number;
  env?: Readonly<Record<string, string>>;
}) {
  let text = '';
  const write = (chunk: string) => {
    text += chunk;
  };
  const clock = new VirtualClock();
  const output = { write, isTerminal: options.isTerminal, columns: options.columns };
  const narrator = new Narrator(output, clock, options.env ?? {});
  return { narrator, clock, written: () => text };
}
