/** `npm start [-- --once --clusters N --dir FOLDER --kubernetes real]`: clusters that lend each other capacity, to play with. */
import { setMaxListeners } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock, systemRandom } from '@liqo/runtime';
import { embeddedKubernetes } from '../src/embedded-kubernetes.ts';
import type { Output } from '../src/start/narrator.ts';
import { PlaygroundError } from '../src/start/playground-error.ts';
import { type Ground, runStart, type UseKubernetes } from '../src/start/run-start.ts';

/** One Ctrl-C reaches us twice: from the terminal, and from npm, which passes it on. */
const sameKeypressMs = 300;

// Many calls at a time listen to one signal: as many as there is work.
setMaxListeners(0);

const stop = new AbortController();
let stoppedMs = Number.POSITIVE_INFINITY;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    if (performance.now() - stoppedMs > sameKeypressMs) process.exit(130);
    stop.abort();
    // After the abort, which is work of its own: on a busy machine the second half of a keypress waits for it.
    stoppedMs = Math.min(stoppedMs, performance.now());
  });
}

// Whoever reads has had enough, as `head` has: there is nobody left to tell.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => stop.abort());

/** For everything temporary, so that it goes even if the process ends at once. */
function makeScratch(): string {
  const base = tmpdir();
  try {
    const folder = mkdtempSync(join(base, 'liqo-playground-'));
    process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
    return folder;
  } catch (cause) {
    const hint = 'Name a folder where you may write: export TMPDIR=/some/folder';
    throw new PlaygroundError(`Cannot make a folder in "${base}": nothing can be written there`, {
      hint,
      cause,
    });
  }
}

function outputOf(stream: NodeJS.WriteStream): Output {
  return {
    write: (text) => stream.write(text),
    isTerminal: stream.isTTY === true,
    // Changes when the window does.
    get columns() {
      return stream.columns;
    },
  };
}

async function provide({ kind, scratch }: Ground, use: UseKubernetes): Promise<void> {
  if (kind === 'real') return use(await provideReal(scratch));
  process.env.TMPDIR = scratch;
  return use(await embeddedKubernetes({ clock: systemClock, random: systemRandom }));
}

async function provideReal(folder: string) {
  // Only who asks for it needs all that it takes.
  const { realKubernetes } = await import('../src/real/index.ts');
  try {
    return realKubernetes({ clock: systemClock, folder });
  } catch (error) {
    const fact = (error instanceof Error ? error.message : String(error)).replace(/\.$/, '');
    const hint = 'Or play with embedded clusters, which need nothing: leave out --kubernetes real';
    throw new PlaygroundError(fact, { hint, cause: error });
  }
}

process.exitCode = await runStart(process.argv.slice(2), {
  env: process.env,
  clock: systemClock,
  startedMs: 0,
  stdout: outputOf(process.stdout),
  stderr: outputOf(process.stderr),
  signal: stop.signal,
  provide,
  builtKubectl: async () => (await import('../src/real/index.ts')).builtKubectl(process.env),
  makeScratch,
  atExit: (cleanUp) => process.on('exit', cleanUp),
});
