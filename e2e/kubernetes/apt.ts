import { execFile } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Environment } from '../../packages/testkit/src/real-cluster/assets-folder.ts';
import { UserError } from './user-error.ts';

const execute = promisify(execFile);

/** A folder that apt may fill, instead of the places of the machine it usually writes to. */
export interface AptRun {
  /** What the packages are for. */
  readonly purpose: string;
  readonly folder: string;
  readonly env: Environment;
}

/**
 * Downloads Debian packages into a folder, as any user, without a trace on the machine. The package lists are the
 * machine's own; when there are none, or they name a version that is no longer served, fresh ones are fetched for this
 * once.
 */
export async function downloadPackages(
  names: readonly string[],
  run: AptRun,
  signal?: AbortSignal,
): Promise<void> {
  mkdirSync(join(run.folder, 'lists/partial'), { recursive: true });
  mkdirSync(join(run.folder, 'cache/archives/partial'), { recursive: true });
  const freshLists = ['-o', `Dir::State::Lists=${join(run.folder, 'lists')}`];
  try {
    await aptGet(['download', ...names], run, signal);
  } catch (error) {
    signal?.throwIfAborted();
    if (isMissing(error)) throw error;
    try {
      await aptGet([...freshLists, 'update'], run, signal);
      await aptGet([...freshLists, 'download', ...names], run, signal);
    } catch (failure) {
      throw explain(failure, run);
    }
  }
}

async function aptGet(args: readonly string[], run: AptRun, signal?: AbortSignal): Promise<void> {
  const settings = ['-q', '-o', `Dir::Cache=${join(run.folder, 'cache')}`];
  // Root's downloads would go through a user that may not enter the folder.
  settings.push('-o', 'APT::Sandbox::User=root');
  // Without it an update that could not reach anything ends well.
  settings.push('-o', 'APT::Update::Error-Mode=any');
  await execute('apt-get', [...settings, ...args], {
    cwd: run.folder,
    env: { ...run.env, LC_ALL: 'C' },
    ...(signal ? { signal } : {}),
  });
}

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT';
}

function explain(error: unknown, { purpose }: AptRun): unknown {
  if ((error as Error).name === 'AbortError') return error;
  const { stderr = '' } = error as { stderr?: string };
  const said = stderr.trim().split('\n').slice(-10).join('\n');
  return new UserError(
    `Cannot prepare ${purpose}: the Debian packages with their programs could not be downloaded. Check the network and ` +
      `the package sources of this machine, then run this again; what apt said last:\n${said}`,
    { cause: error },
  );
}
