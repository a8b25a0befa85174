import { maskOutput } from '../kubectl/mask-output.ts';

/** What differs from run to run and is no matter of kubectl. */
const masks: readonly (readonly [pattern: RegExp, mask: string])[] = [
  // A shell tells of what goes on behind whenever it likes.
  [/^\[\d+\].*\n/gm, ''],
  [/\d+\.\d s\b/g, '<seconds>'],
  [/\/\S*\/(?=\w+\.kubeconfig)/g, '<folder>/'],
  [/\b(localhost|127\.0\.0\.1|\[::1\]):\d+/g, '<address>'],
  [/-> \d+/g, '-> <port>'],
];

/** A line that stands for any number of others. */
const gap = '...';

/** Whether an output is what a page shows, but for what is other every time: names made up, ages, addresses, folders. */
export function hasShape(output: string, shown: string): boolean {
  const pattern = linesOf(shown).map((line) => (line === gap ? anyLines : `${literally(line)}\n`));
  return new RegExp(`^${pattern.join('')}$`).test(`${linesOf(output).join('\n')}\n`);
}

const anyLines = '(?:.*\\n)*';

function linesOf(text: string): readonly string[] {
  const masked = masks.reduce((masked, [pattern, mask]) => masked.replaceAll(pattern, mask), text);
  return maskOutput(masked)
    .trimEnd()
    .split('\n')
    .map((line) => line.replace(/ +/g, ' ').trim());
}

function literally(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
