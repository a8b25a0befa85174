import { expect, test } from 'vitest';
import { OptionsError, parseSimulateOptions } from './simulate-options.ts';

test('parseSimulateOptions() has something sensible for every flag that is not given', () => {
  expect(parseSimulateOptions([])).toEqual({
    seeds: 2000,
    from: 1,
    workers: 1,
    sweep: false,
    whole: false,
  });
  expect(parseSimulateOptions(['--seeds', '5', '--from=7', '--workers', '2'])).toEqual({
    seeds: 5,
    from: 7,
    workers: 2,
    sweep: false,
    whole: false,
  });
});

test.each([
  [['--seeds', '0'], '--seeds must be a whole number of at least 1, not "0"'],
  [['--seeds', 'many'], '--seeds must be a whole number of at least 1, not "many"'],
  [['--from', '1.5'], '--from must be a whole number of at least 0, not "1.5"'],
  [['--workers', '99999999999'], '--workers must be'],
  [['--story', 'x'], '--story must be one of offloading, peering, reflection, not "x"'],
  [['--seed', '1'], "Unknown option '--seed'"],
  [['now'], 'Unexpected argument'],
])('parseSimulateOptions() says in one paragraph what is wrong with %j', (args, fact) => {
  expect(() => parseSimulateOptions(args)).toThrow(OptionsError);
  expect(() => parseSimulateOptions(args)).toThrow(fact);
  expect(() => parseSimulateOptions(args)).toThrow(/^Cannot simulate: [^\n]* Usage: [^\n]*$/);
});
