import { checkDnsLabel, checkLabelValue } from '@liqo/kube';
import { expect, test } from 'vitest';
import type { FlagTable } from './flag.ts';
import { givenFlags, parseFlags } from './parse-flags.ts';

const table: FlagTable = {
  'remote-cluster-id': { type: 'text', required: true, check: checkDnsLabel, help: '' },
  output: { type: 'choice', short: 'o', choices: ['json', 'yaml'], help: '' },
  cpu: { type: 'quantity', default: '2', help: '' },
  pods: { type: 'quantity', help: '' },
  resource: { type: 'quantities', help: '' },
  timeout: { type: 'duration', default: '2m', help: '' },
  labels: { type: 'map', check: checkLabelValue, help: '' },
  classes: { type: 'list', help: '' },
  selector: { type: 'repeated', short: 'l', help: '' },
  wait: { type: 'boolean', default: 'true', help: '' },
};

test('parseFlags() gives every flag its value, said or not', () => {
  const { values, words, problems } = parseFlags(['mynode', '--remote-cluster-id=milan'], table);
  expect(problems).toEqual([]);
  expect(words).toEqual(['mynode']);
  expect(values).toEqual({
    'remote-cluster-id': 'milan',
    output: undefined,
    cpu: '2',
    resource: {},
    timeout: 120_000,
    labels: {},
    classes: [],
    selector: [],
    wait: true,
  });
});

test.each([
  ['cpu', ['--cpu=500m'], '500m'],
  ['cpu', ['--cpu=1', '--cpu=3'], '3'],
  ['output', ['-o', 'YAML'], 'yaml'],
  ['timeout', ['--timeout', '1m30s'], 90_000],
  ['wait', ['--wait=false'], false],
  ['labels', ['--labels', 'a=1,b.io/c=', '--labels', 'd=x.y'], { a: '1', 'b.io/c': '', d: 'x.y' }],
  ['resource', ['--resource=nvidia.com/gpu=2'], { 'nvidia.com/gpu': '2' }],
  ['classes', ['--classes=a,b', '--classes', 'c'], ['a', 'b', 'c']],
  ['selector', ['-l', 'a=1,b=2', '-l=c'], ['a=1,b=2', 'c']],
])('parseFlags() reads "%s" of %j', (name, args, value) => {
  const { values, problems } = parseFlags(['--remote-cluster-id=x', ...args], table);
  expect({ value: values[name], problems }).toEqual({ value, problems: [] });
});

test.each([
  [['--remote-cluster-id=Milan'], '"--remote-cluster-id=Milan" has characters other than'],
  [['--remote-cluster-id='], '"--remote-cluster-id" is empty'],
  [['--remote-cluster-id'], '"--remote-cluster-id" needs a value'],
  [['--output=xml'], '"--output=xml" is not one of json, yaml'],
  [['--cpu=two'], '"--cpu": cannot parse quantity "two": it does not start with a number'],
  [['--cpu=-1'], '"--cpu=-1" is negative'],
  [['--timeout=5'], '"--timeout": cannot parse duration "5": "5" has no unit'],
  [['--timeout=0'], '"--timeout=0" is not between 0 and 24 hours'],
  [['--timeout=-3s'], 'is not between 0 and 24 hours'],
  [['--timeout=25h'], 'is not between 0 and 24 hours'],
  [['--labels=a'], '"--labels=a" is not of the form key=value'],
  [['--labels=a=b_'], 'the value "b_" of "--labels" does not start and end with'],
  [['--labels=-=1'], 'the key "-" of "--labels"'],
  [['--pods=1.5'], '"--pods=1.5" is not a whole number'],
  [['--resource=nvidia.com/gpu=500m'], '"--resource=nvidia.com/gpu=500m" is not a whole number'],
  [['--resource=gpu=many'], 'cannot parse quantity "many"'],
  [['--wait=perhaps'], '"--wait=perhaps" is neither true nor false'],
  [['--classes=a,,b'], '"--classes" is empty'],
  [['--colour=red'], 'there is no flag "--colour"'],
  [['--timeuot=3s'], 'there is no flag "--timeuot" (did you mean "--timeout"?)'],
  [['-z'], 'there is no flag "-z"'],
])('parseFlags() refuses %j', (args, problem) => {
  const needed = args[0]?.startsWith('--remote') ? [] : ['--remote-cluster-id=x'];
  const { problems } = parseFlags([...needed, ...args], table);
  expect(problems).toEqual([expect.stringContaining(problem)]);
});

test('parseFlags() says everything that is wrong', () => {
  expect(parseFlags(['--cpu=x', '--nope'], table).problems).toHaveLength(3);
});

test('givenFlags() names what was said, also if it is the default', () => {
  expect([...givenFlags(['--cpu=2', '-o', 'json', 'x'], table)]).toEqual(['cpu', 'output']);
});
