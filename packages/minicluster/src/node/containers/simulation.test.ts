import { expect, test } from 'vitest';
import { readSimulation, simulationPrefix } from './simulation.ts';

const read = (annotations: Record<string, string>, container = 'main') => {
  const prefixed = Object.entries(annotations).map(([key, value]) => [
    simulationPrefix + key,
    value,
  ]);
  return readSimulation(Object.fromEntries(prefixed), container);
};

test.each([
  ['runs for ever by default', {}, { runForMs: undefined, exitCode: 0, ready: true, crashes: 0 }],
  ['ends at once with a given exit code', { 'exit-code': '3' }, { runForMs: 0, exitCode: 3 }],
  ['ends when told to', { 'run-for': '1m30s' }, { runForMs: 90_000, exitCode: 0 }],
  ['crashes a number of times', { crash: '2' }, { crashes: 2 }],
  ['crashes always', { crash: 'always' }, { crashes: Number.POSITIVE_INFINITY }],
  ['writes lines', { log: 'a\nb\n' }, { log: ['a', 'b'] }],
  ['lets one container differ', { 'run-for': '1s', 'run-for.main': '2s' }, { runForMs: 2000 }],
  ['leaves other containers alone', { 'run-for.other': '2s' }, { runForMs: undefined }],
])('readSimulation() %s', (_, annotations, simulation) => {
  expect(read(annotations)).toMatchObject(simulation);
});

test.each([
  ['exit-code', '256', '"256" is not a number from 0 to 255'],
  ['crash', 'often', '"often" is neither "always" nor a number of runs'],
  ['run-for', '-1s', '"-1s" is less than nothing'],
  ['log-every', '0s', '"0s" is not longer than nothing'],
  ['ready', 'yes', '"yes" is neither "true" nor "false"'],
  ['image-pull', 'no', '"no" is neither "fail" nor "ok"'],
])('readSimulation() refuses %s: %s', (key, value, fact) => {
  expect(() => read({ [key]: value })).toThrow(
    `Cannot use annotation "${simulationPrefix}${key}": ${fact}`,
  );
});
