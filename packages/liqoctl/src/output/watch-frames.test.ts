import { TransportError } from '@liqo/kube';
import { systemClock } from '@liqo/runtime';
import { expect, test } from 'vitest';
import { UserError } from '../user-error.ts';
import { type Frame, watchFrames } from './watch-frames.ts';

/** Looks at one frame after the other, without waiting, and is interrupted at the last. */
async function watch(
  frames: readonly (Frame | Error)[],
  { format, isTerminal = false }: { readonly format?: string; readonly isTerminal?: boolean } = {},
) {
  const stop = new AbortController();
  const said = { stdout: '', warnings: [] as string[] };
  const clock = {
    ...systemClock,
    after: (_: number, run: () => void) => systemClock.after(0, run),
  };
  const output = { write: () => undefined, isTerminal };
  const call = {
    around: { clock, stdout: output },
    print: (text: string) => {
      said.stdout += text;
    },
    progress: { warn: (text: string) => said.warnings.push(text) },
    signal: stop.signal,
  } as unknown as Parameters<typeof watchFrames>[0];
  let at = 0;
  const look = async () => {
    const frame = frames[at++];
    if (at === frames.length) stop.abort();
    if (!frame || frame instanceof Error) throw frame;
    return frame;
  };
  await watchFrames(call, { doing: 'look', format, look });
  return said;
}

const one = { state: '1', text: 'one, 1s\n' };
const older = { state: '1', text: 'one, 2s\n' };
const two = { state: '2', text: 'two, 3s\n' };

test('watchFrames() prints again what has changed, and not what has only aged', async () => {
  expect(await watch([one, older, two])).toEqual({ stdout: 'one, 1s\ntwo, 3s\n', warnings: [] });
});

test('watchFrames() redraws a terminal', async () => {
  const { stdout } = await watch([one, one, older], { isTerminal: true });
  expect(stdout).toBe('\u001b[H\u001b[2Jone, 1s\n\u001b[H\u001b[2Jone, 2s\n');
});

test('watchFrames() prints JSON as lines, and YAML as documents', async () => {
  const [first, second] = [
    { state: '1', text: '{\n  "a": 1\n}\n' },
    { state: '2', text: '{\n  "a": 2\n}\n' },
  ];
  expect((await watch([first, second], { format: 'json' })).stdout).toBe('{"a":1}\n{"a":2}\n');
  expect((await watch([one, two], { format: 'yaml' })).stdout).toBe('one, 1s\n---\ntwo, 3s\n');
});

test('watchFrames() goes on while the server is away, and ends with any other failure', async () => {
  const away = new TransportError('Cannot reach it', { sent: false });
  const { stdout, warnings } = await watch([one, away, two]);
  expect(stdout).toBe('one, 1s\ntwo, 3s\n');
  expect(warnings).toEqual(['Cannot look: cannot reach it']);
  const gone = new UserError('Cannot get it: it is gone', { hint: 'Look' });
  await expect(watch([one, gone, two])).rejects.toBe(gone);
});
