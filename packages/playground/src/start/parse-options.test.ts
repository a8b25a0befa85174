import { describe, expect, test } from 'vitest';
import { parseOptions } from './parse-options.ts';

const stock = {
  help: false,
  once: false,
  clusters: ['rome', 'milan'],
  dir: undefined,
  kubernetes: 'embedded',
  byHand: false,
  unpeered: false,
  offers: false,
};

test.each([
  ['', {}],
  ['--once', { once: true }],
  ['--clusters 3', { clusters: ['rome', 'milan', 'turin'] }],
  ['--clusters=2', {}],
  ['--dir here/there', { dir: 'here/there' }],
  ['--dir=--odd', { dir: '--odd' }],
  ['--kubernetes real --once', { kubernetes: 'real', once: true }],
  ['--kubernetes=embedded', {}],
  ['--by-hand', { byHand: true }],
  ['--unpeered', { unpeered: true }],
  ['--offers', { offers: true, clusters: ['rome', 'milan', 'turin', 'naples'] }],
  ['--help', { help: true }],
  ['-h', { help: true }],
])('parseOptions() reads "%s"', (line, said) => {
  expect(parseOptions(words(line))).toEqual({ ...stock, ...said });
});

describe('parseOptions() refuses, with the next step,', () => {
  test.each([
    ['--onec', 'unknown flag "--onec"'],
    ['-x', 'unknown flag "-x"'],
    ['--toString', 'unknown flag "--toString"'],
    ['start', '"start" is not a flag'],
    ['--once yes', '"yes" is not a flag'],
    ['--once=yes', '"--once" takes no value'],
    ['--once --once', '"--once" is given twice'],
    ['--clusters', '"--clusters" needs a value'],
    ['--clusters --once', '"--clusters" needs a value'],
    ['--clusters 1', '"--clusters 1" is not a number from 2 to 8'],
    ['--clusters 9', '"--clusters 9" is not a number from 2 to 8'],
    ['--clusters 02', '"--clusters 02" is not a number from 2 to 8'],
    ['--clusters 2.5', '"--clusters 2.5" is not a number from 2 to 8'],
    ['--clusters=-3', '"--clusters -3" is not a number from 2 to 8'],
    ['--clusters two', '"--clusters two" is not a number from 2 to 8'],
    ['--clusters 2 --clusters 3', '"--clusters" is given twice'],
    ['--unpeered --by-hand', '"--unpeered" and "--by-hand" exclude each other'],
    ['--offers --by-hand', '"--offers" and "--by-hand" exclude each other'],
    ['--offers --unpeered', '"--offers" and "--unpeered" exclude each other'],
    ['--offers --clusters 3', '"--offers" and "--clusters" exclude each other'],
    ['--dir', '"--dir" needs a value'],
    ['--dir=', '"--dir" is empty'],
    ['--kubernetes', '"--kubernetes" needs a value'],
    ['--kubernetes kind', '"--kubernetes kind" is neither "embedded" nor "real"'],
    ['--kubernetes Real', '"--kubernetes Real" is neither "embedded" nor "real"'],
  ])('"%s"', (line, fact) => {
    const hint = 'See the flags there are: npm start -- --help';
    const message = `Cannot start the playground: ${fact}`;
    expect(refusal(words(line))).toMatchObject({ message, hint, exitCode: 2 });
  });

  test('all that is wrong at once', () => {
    expect(refusal(words('--onec --clusters 99 now'))).toMatchObject({
      message:
        'Cannot start the playground: unknown flag "--onec"; "now" is not a flag; "--clusters 99" is not a number from 2 to 8',
    });
  });

  test('flags that npm kept to itself', () => {
    expect(refusal([], { npm_config_once: 'true', npm_config_dir: 'd' })).toMatchObject({
      message: 'Cannot start the playground: npm kept --once and --dir to itself',
      hint: 'Put two dashes before the flags: npm start -- --once --dir',
      exitCode: 2,
    });
  });
});

function words(line: string): readonly string[] {
  return line.split(' ').filter((word) => word !== '');
}

function refusal(args: readonly string[], env: Readonly<Record<string, string>> = {}): unknown {
  try {
    return parseOptions(args, env);
  } catch (error) {
    return error;
  }
}
