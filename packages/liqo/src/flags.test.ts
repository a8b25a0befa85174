import { expect, test } from 'vitest';
import {
  describeFlags,
  type FlagTable,
  listIgnoredFlags,
  parseFlags,
  UsageError,
} from './flags.ts';

const table = {
  'cluster-id': { type: 'string', help: 'who we are' },
  host: { type: 'string', default: '', help: 'where' },
  workers: { type: 'number', default: '3', help: 'how many' },
  verbose: { type: 'boolean', default: 'false', help: 'whether to talk' },
  label: { type: 'map', help: 'key=value, …' },
  peer: { type: 'list', help: 'one of many' },
  only: { type: 'words', default: 'a,b', help: 'which' },
  v: { type: 'number', default: '0', help: 'how much to talk' },
  log_dir: { type: 'string', default: '', ignored: true, help: 'where to talk' },
  slow: { type: 'boolean', default: 'false', ignored: true, help: 'when to talk' },
} as const satisfies FlagTable;

const parse = (...args: string[]) => parseFlags('run', table, ['--cluster-id=rome', ...args]);

test('parseFlags() gives defaults to what is not said', () => {
  expect(parse()).toEqual({
    'cluster-id': 'rome',
    host: '',
    workers: 3,
    verbose: false,
    label: {},
    peer: [],
    only: ['a', 'b'],
    v: 0,
    log_dir: '',
    slow: false,
  });
});

test.each([
  [['--workers=7'], { workers: 7 }],
  [['--only=c, d'], { only: ['c', 'd'] }],
  [['--only="c","d"'], { only: ['c', 'd'] }],
  [['--only='], { only: [] }],
  [['--only="a,\\"b","["'], { only: ['a,"b', '['] }],
  [['--workers', '7'], { workers: 7 }],
  [['--workers=7', '--workers=8'], { workers: 8 }],
  [['--host='], { host: '' }],
  [['--host', '-'], { host: '-' }],
  [['--verbose'], { verbose: true }],
  [['--verbose=1'], { verbose: true }],
  [['--verbose=F'], { verbose: false }],
  [['--verbose', '--workers=7'], { verbose: true, workers: 7 }],
  [['--label=a=1,b=x=y', '--label=c='], { label: { a: '1', b: 'x=y', c: '' } }],
  [['--peer=milan', '--peer', 'turin'], { peer: ['milan', 'turin'] }],
  [['--label', 'a=1', '--label', 'b=2,c=3'], { label: { a: '1', b: '2', c: '3' } }],
  [['-workers=7'], { workers: 7 }],
  [['-workers', '7'], { workers: 7 }],
  [['-verbose', '-workers=7'], { verbose: true, workers: 7 }],
  [['-verbose=false'], { verbose: false }],
  [['-v=4'], { v: 4 }],
  [['-v', '4'], { v: 4 }],
  [['-v4'], { v: 4 }],
  [['--v', '4'], { v: 4 }],
  [['--log_dir=/tmp'], { log_dir: '/tmp' }],
  [['--host=a=b'], { host: 'a=b' }],
  [['--host', '-1'], { host: '-1' }],
] as const)('parseFlags() reads %j', (args, values) => {
  expect(parse(...args)).toMatchObject(values);
});

test.each([
  [['--workers=many'], '"--workers=many" is not a whole number'],
  [['--only="a'], '"--only="a" is not a list of words'],
  [['--only="a",1'], '"--only="a",1" is not a list of words'],
  [['--workers=-1'], '"--workers=-1" is not a whole number'],
  [['--workers=0x10'], '"--workers=0x10" is not a whole number'],
  [['--workers='], '"--workers=" is not a whole number'],
  [['--workers=1234567890123456'], '"--workers=1234567890123456" is not a whole number'],
  [['--verbose=maybe'], '"--verbose=maybe" is neither true nor false'],
  [['--label=a'], '"--label=a" is not of the form key=value'],
  [['--label==1'], '"--label==1" is not of the form key=value'],
  [['--host'], '"--host" needs a value'],
  [['--host', '--verbose'], '"--host" needs a value'],
  [['--cluster-id='], '"--cluster-id" is empty'],
  [['--colour=red'], 'unknown flag "--colour"'],
  [['--no-verbose'], 'unknown flag "--no-verbose"'],
  [['-v'], '"-v" needs a value'],
  [['-w'], 'unknown flag "-w"'],
  [['-w7'], 'unknown flag "-w7"'],
  [['--cluster_id=milan'], 'unknown flag "--cluster_id"'],
  [['-'], '"-" is not a flag'],
  [['--=x'], '"--=x" is not a flag'],
  [['---workers=7'], 'unknown flag "---workers"'],
  [[''], '"" is not a flag'],
  [['--toString=x'], 'unknown flag "--toString"'],
  [['start'], '"start" is not a flag'],
  [['--verbose', 'true'], '"true" is not a flag'],
  [['--', 'rest'], '"rest" is not a flag'],
] as const)('parseFlags() refuses %j', (args, problem) => {
  const message = `Cannot run "liqo run": ${problem}; "liqo run --help" lists the flags`;
  expect(() => parse(...args)).toThrow(new UsageError(message));
});

test('parseFlags() says all that is wrong at once, what is missing too', () => {
  expect(() => parseFlags('run', table, ['--colour', '--workers=x'])).toThrow(
    'Cannot run "liqo run": unknown flag "--colour"; "--cluster-id" is missing; "--workers=x" is not a whole number; ',
  );
});

test('listIgnoredFlags() names each flag that was given and has no effect, once', () => {
  const args = ['--slow', '--workers=7', '-log_dir', '/a', '--log_dir=/b'];
  expect(listIgnoredFlags(table, args)).toEqual(['--slow', '--log_dir']);
  expect(listIgnoredFlags(table, ['--workers=7'])).toEqual([]);
});

test('describeFlags() has a line for each flag, with its default', () => {
  const [first, , third] = describeFlags(table).split('\n');
  expect(first).toMatch(/^ {2}--cluster-id +who we are$/);
  expect(third).toMatch(/^ {2}--workers +how many \(default 3\)$/);
});
