import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type Access, environmentOf } from './run-kubectl.ts';

/** A `kubectl port-forward` that goes on until it is disposed of. */
export interface PortForward extends AsyncDisposable {
  /** Of this machine. */
  readonly port: number;
  /** What it has complained about so far. */
  complaints(): string;
}

/** The target as on a command line: `-n shop pod/web`. Resolves when it listens; rejects with its complaint when it ends instead. */
export async function startPortForward(
  access: Access,
  target: string,
  port: number,
): Promise<PortForward> {
  const words = ['port-forward', ...target.split(' '), `:${port}`];
  const child = spawn(access.kubectl, words, { env: environmentOf(access) });
  let said = '';
  let complained = '';
  child.stderr.setEncoding('utf8').on('data', (chunk) => (complained += chunk));
  const ended = once(child, 'close');
  const listening = await new Promise<number>((resolve, reject) => {
    child.stdout.setEncoding('utf8').on('data', (chunk) => {
      said += chunk;
      const [, number] = /^Forwarding from 127\.0\.0\.1:(\d+) ->/m.exec(said) ?? [];
      if (number) resolve(Number(number));
    });
    void ended.then(() => reject(new Error(`Cannot forward ${target}: ${complained.trim()}`)));
  });
  return {
    port: listening,
    complaints: () => complained,
    [Symbol.asyncDispose]: async () => {
      child.kill();
      await ended;
    },
  };
}
