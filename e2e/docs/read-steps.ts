import type { Block } from './read-blocks.ts';

/** Something to type, and what is said then. */
export interface Step {
  readonly command: string;
  /** What the page shows; undefined where it shows nothing. */
  readonly shown: string | undefined;
  /** It goes on until somebody presses Ctrl-C, which the page shows as `^C`. */
  readonly isInterrupted: boolean;
  readonly line: number;
}

/** What a block asks for: its commands, or the objects in it. A block that is neither asks for nothing. */
export function readSteps(block: Block): readonly Step[] {
  const { language, text, line } = block;
  switch (language) {
    case 'console':
      return readSession(block);
    case 'sh':
      return [{ command: text, shown: undefined, isInterrupted: false, line }];
    case 'yaml':
      return [{ command: applyOf(text), shown: undefined, isInterrupted: false, line }];
    default:
      return [];
  }
}

/** Lines after `$ ` are typed, the others are answers. */
function readSession({ text, line }: Block): readonly Step[] {
  const [before = '', ...parts] = `\n${text}`.split(/\n\$ /);
  if (before.trim() !== '') {
    throw new Error(`Cannot read the session at line ${line}: it does not begin with a command`);
  }
  return parts.map((part) => {
    const [command = '', ...answer] = part.trimEnd().split('\n');
    const isInterrupted = answer.at(-1) === '^C';
    const shown = (isInterrupted ? answer.slice(0, -1) : answer).join('\n');
    return { command, shown: shown === '' ? undefined : shown, isInterrupted, line };
  });
}

function applyOf(manifest: string): string {
  return `kubectl apply -f - <<'EOF'\n${manifest}EOF\n`;
}
