import fc from 'fast-check';
import { expect, test } from 'vitest';
import { commands } from './commands.ts';
import { runHere } from './testing/run-here.ts';

const vocabulary = [
  ...commands.flatMap(({ path, flags }) => [
    ...path,
    ...Object.keys(flags).map((name) => `--${name}`),
  ]),
  ...[
    '-n',
    '-o',
    '-l',
    '-h',
    '--',
    '-',
    '=',
    'vn',
    'help',
    'yaml',
    'mynode',
    'a=b',
    '--__proto__=x',
  ],
];

const argument = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...vocabulary) },
  { weight: 1, arbitrary: fc.string() },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom(...vocabulary), fc.string())
      .map(([name, value]) => `${name}=${value}`),
  },
);

test('liqoctl answers any arguments with a fact and a remedy, or with data, and a code', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(argument, { maxLength: 8 }), async (args) => {
      const { code, stdout, stderr } = await runHere(args);
      expect([0, 1, 2]).toContain(code);
      if (code === 0) {
        expect(stderr).toBe('');
        return;
      }
      expect(stderr).toMatch(/^✖ [^\n]+\n {2}[^\n]+\n$/);
      expect(stderr).not.toMatch(/report it|undefined|\[object/);
      if (!stdout.startsWith('Client version')) expect(stdout).toBe('');
    }),
    { numRuns: 500 },
  );
});

test('__complete offers something or nothing for whatever is typed, and never fails', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(argument, { maxLength: 6 }), async (words) => {
      expect(await runHere(['__complete', ...words])).toMatchObject({ code: 0, stderr: '' });
    }),
    { numRuns: 500 },
  );
});
