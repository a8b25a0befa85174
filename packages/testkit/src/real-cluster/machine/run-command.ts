import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

export interface CommandOptions {
  /** What the command reads from its standard input. */
  readonly input?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** What the command printed; an error has what it complained of instead. */
export async function runCommand(
  command: readonly string[],
  options: CommandOptions = {},
): Promise<string> {
  const [program = '', ...args] = command;
  const child = spawn(program, args, { cwd: '/', env: options.env ?? process.env });
  // A command that ends without having read its input has the last word all the same.
  child.stdin.on('error', () => undefined).end(options.input ?? '');
  const [printed, complaint, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  if (code === 0) return printed;
  throw new Error(`Cannot run "${command.join(' ')}": ${complaint.trim() || `exit code ${code}`}`);
}
