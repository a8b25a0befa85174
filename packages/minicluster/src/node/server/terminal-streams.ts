import type { CommandStreams } from '../../streams/command-streams.ts';

/**
 * The terminal between a person and a command, as a kernel keeps one: what is typed is shown, a line is handed on when it
 * is whole, and every line that comes out begins at the left edge.
 */
export function behindTerminal(streams: CommandStreams): CommandStreams {
  const show = (chunk: Uint8Array | string) => streams.stdout(atLeftEdge(chunk));
  return {
    stdin: typedLines(streams.stdin, show),
    resizes: streams.resizes,
    stdout: show,
    stderr: (chunk) => streams.stderr(atLeftEdge(chunk)),
    finish: (status) => streams.finish(status),
    get closed() {
      return streams.closed;
    },
  };
}

function atLeftEdge(chunk: Uint8Array | string): string {
  const text = typeof chunk === 'string' ? chunk : new TextDecoder().decode(chunk);
  return text.replaceAll('\n', '\r\n');
}

const keys = { enter: ['\r', '\n'], erase: ['\u007f', '\b'], interrupt: '\u0003', end: '\u0004' };

/** Ends with the input, or with Ctrl-D at the beginning of a line. */
async function* typedLines(
  typed: AsyncIterable<Uint8Array>,
  show: (text: string) => Promise<void>,
): AsyncGenerator<Uint8Array> {
  const [decoder, encoder] = [new TextDecoder(), new TextEncoder()];
  let line = '';
  for await (const chunk of typed) {
    for (const key of decoder.decode(chunk, { stream: true })) {
      if (key === keys.end && line === '') return;
      if (key === keys.interrupt) line = '';
      await show(echoOf(key, line));
      if (keys.enter.includes(key) || key === keys.interrupt) {
        yield encoder.encode(`${line}\n`);
        line = '';
      } else line = edit(line, key);
    }
  }
  if (line !== '') yield encoder.encode(line);
}

function echoOf(key: string, line: string): string {
  if (keys.enter.includes(key)) return '\n';
  if (keys.erase.includes(key)) return line === '' ? '' : '\b \b';
  if (key === keys.interrupt) return '^C\n';
  return isPrinted(key) ? key : '';
}

function edit(line: string, key: string): string {
  if (keys.erase.includes(key)) return [...line].slice(0, -1).join('');
  return isPrinted(key) ? line + key : line;
}

function isPrinted(key: string): boolean {
  return key >= ' ' || key === '\t';
}
