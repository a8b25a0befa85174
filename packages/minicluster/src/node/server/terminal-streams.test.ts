import { expect, test } from 'vitest';
import { behindTerminal } from './terminal-streams.ts';

/** What a command reads, and what the screen shows, when these keys are pressed. */
async function press(...chunks: readonly string[]) {
  let screen = '';
  const streams = behindTerminal({
    stdin: (async function* () {
      for (const chunk of chunks) yield Buffer.from(chunk);
    })(),
    resizes: (async function* () {})(),
    stdout: async (chunk) => {
      screen += chunk;
    },
    stderr: async (chunk) => {
      screen += chunk;
    },
    finish: async () => undefined,
    closed: new AbortController().signal,
  });
  const read: string[] = [];
  for await (const line of streams.stdin) read.push(Buffer.from(line).toString());
  await streams.stdout('out\n');
  await streams.stderr(Buffer.from('err\n'));
  return { read, screen };
}

const after = 'out\r\nerr\r\n';

test.each([
  ['shows what is typed, and hands on whole lines', ['ec', 'ho a\r'], ['echo a\n'], 'echo a\r\n'],
  ['takes a letter back', ['lz\u007fs\r'], ['ls\n'], 'lz\b \bs\r\n'],
  ['has nothing to take back from an empty line', ['\u007f\r'], ['\n'], '\r\n'],
  ['forgets a line on Ctrl-C', ['rm x\u0003ls\r'], ['\n', 'ls\n'], 'rm x^C\r\nls\r\n'],
  ['ends on Ctrl-D', ['ls\r\u0004never\r'], ['ls\n'], 'ls\r\n'],
  ['keeps a letter that comes in two parts', ['\u00e9\r'], ['\u00e9\n'], '\u00e9\r\n'],
  ['ends with the input', ['half'], ['half'], 'half'],
])('behindTerminal() %s', async (_, chunks, read, screen) => {
  expect(await press(...chunks)).toEqual({ read, screen: `${screen}${after}` });
});
