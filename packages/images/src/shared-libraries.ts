import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const execute = promisify(execFile);

/** The files that a program is loaded with on this machine, by the paths its loader finds them at: the loader as well. */
export async function sharedLibraries(
  program: string,
  signal?: AbortSignal,
): Promise<readonly string[]> {
  try {
    const { stdout } = await execute('ldd', [program], signal ? { signal } : {});
    return parseLibraries(stdout);
  } catch (error) {
    signal?.throwIfAborted();
    const { stderr = '', message } = error as Error & { stderr?: string };
    // A program without any is an answer, though ldd sees a failure in it.
    if (/not a dynamic executable/.test(stderr)) return [];
    throw new Error(`Cannot find the libraries of "${program}": ${stderr.trim() || message}`, {
      cause: error,
    });
  }
}

/** `name => path (address)`, or `path (address)` for the loader; what the kernel itself provides has no path. */
export function parseLibraries(output: string): readonly string[] {
  const missing = /^\s*(\S+) => not found$/m.exec(output);
  if (missing) throw new Error(`Cannot find library "${missing[1]}": it is not installed here`);
  const lines = output.split('\n').map((line) => /(\/\S+) \(0x[0-9a-f]+\)$/.exec(line)?.[1]);
  return [...new Set(lines.filter((path) => path !== undefined))];
}
