import { expect, test } from 'vitest';
import { parseOptions, usage } from './parse-options.ts';

const stock = { help: false, nodes: 1, images: [], dir: undefined };
const words = (line: string) => line.split(' ').filter((word) => word !== '');

test.each([
  ['', {}],
  ['2', { nodes: 2 }],
  ['8', { nodes: 8 }],
  ['--help', { help: true }],
  ['-h', { help: true }],
  ['--image a.tar', { images: ['a.tar'] }],
  ['--image=a.tar 3 --image b.tar', { nodes: 3, images: ['a.tar', 'b.tar'] }],
  ['--dir /tmp/liqo', { dir: '/tmp/liqo' }],
])('parseOptions() reads "%s"', (line, options) => {
  expect(parseOptions(words(line))).toEqual({ ...stock, ...options });
});

test.each([
  ['foo', '"foo" is not a number of nodes from 1 to 8'],
  ['0', '"0" is not a number of nodes from 1 to 8'],
  ['9', '"9" is not a number of nodes from 1 to 8'],
  ['99', '"99" is not a number of nodes from 1 to 8'],
  ['1.5', '"1.5" is not a number of nodes from 1 to 8'],
  ['0x2', '"0x2" is not a number of nodes from 1 to 8'],
  ['1 2', 'there is more than one number of nodes'],
  ['-1', 'unknown flag "-1"'],
  ['--nodes 2', 'unknown flag "--nodes"'],
  ['--toString', 'unknown flag "--toString"'],
  ['--help=me', '"--help" takes no value'],
  ['--image', '"--image" needs a value'],
  ['--image --dir x', '"--image" needs a value'],
  ['--image=', '"--image" needs a value'],
  ['--dir=', '"--dir" needs a value'],
  ['--dir a --dir b', '"--dir" is given twice'],
])('parseOptions() refuses "%s"', (line, problem) => {
  let refusal: unknown;
  try {
    parseOptions(words(line));
  } catch (error) {
    refusal = error;
  }
  expect(refusal).toMatchObject({
    message: expect.stringContaining(`Cannot start the clusters: ${problem}`),
    hint: 'See the arguments there are: npm run clusters -- --help',
    exitCode: 2,
  });
});

test('the usage names every flag', () => {
  for (const flag of ['--image', '--dir', '--help']) expect(usage).toContain(flag);
});
