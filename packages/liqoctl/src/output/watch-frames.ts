import { isTransient, sleep } from '@liqo/kube';
import type { Invocation } from '../command.ts';
import { explain } from '../explain.ts';
import type { FlagTable } from '../flags/flag.ts';

/** What is seen at one moment. */
export interface Frame {
  /** Of what is shown, without ages: where lines stay, only a change of it is worth new ones. */
  readonly state: string;
  readonly text: string;
}

type Call = Pick<Invocation<FlagTable>, 'around' | 'print' | 'progress' | 'signal'>;

interface WatchOptions {
  /** `get VirtualNodes`. */
  readonly doing: string;
  readonly format: string | undefined;
  readonly look: () => Promise<Frame>;
}

const lookEveryMs = 1_000;
const clearScreen = '\u001b[H\u001b[2J';

/**
 * Shows frames until the command is interrupted, which is its proper end. A terminal is redrawn; elsewhere a frame follows
 * when its state has changed: JSON as one line each, YAML as documents.
 */
export async function watchFrames(call: Call, options: WatchOptions): Promise<void> {
  const { around, print, signal } = call;
  const { isTerminal } = around.stdout;
  let shown: Frame | undefined;
  for (;;) {
    const frame = await lookOnce(call, options);
    const isNew = isTerminal ? frame?.text !== shown?.text : frame?.state !== shown?.state;
    if (frame && isNew) {
      print(isTerminal ? `${clearScreen}${frame.text}` : spell(frame, options.format, !shown));
      shown = frame;
    }
    if (signal.aborted) return;
    await sleep(around.clock, lookEveryMs, signal).catch(() => undefined);
    if (signal.aborted) return;
  }
}

/** A server that is away for a moment is no reason to end. */
async function lookOnce(
  { progress, signal }: Call,
  { doing, look }: WatchOptions,
): Promise<Frame | undefined> {
  try {
    return await look();
  } catch (error) {
    if (signal.aborted) return undefined;
    const cause = error instanceof Error ? (error.cause ?? error) : error;
    if (!isTransient(cause)) throw error;
    progress.warn(explain(doing, error).message);
    return undefined;
  }
}

function spell({ text }: Frame, format: string | undefined, isFirst: boolean): string {
  if (format === 'json') return `${JSON.stringify(JSON.parse(text))}\n`;
  return format === 'yaml' && !isFirst ? `---\n${text}` : text;
}
