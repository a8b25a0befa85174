import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Environment } from '../../packages/testkit/src/real-cluster/assets-folder.ts';
import { GoError, runGo } from './run-go.ts';
import { UserError } from './user-error.ts';

/**
 * The Go that will build this module: `go1.26.8`. Go itself may fetch a newer one when `GOTOOLCHAIN` lets it, so the
 * question is asked inside the module.
 */
export async function requireGo(module: string, env: Environment, signal?: AbortSignal) {
  const wanted = wantedGo(module);
  const version = await goVersion(module, env, signal);
  if (version === undefined || isOlder(version, wanted)) {
    throw new UserError(
      `Cannot build Kubernetes: it needs Go ${wanted} or newer, and the one on the PATH is older` +
        `${version ? ` (${version})` : ''}. Install a newer one, let Go fetch one ` +
        'itself (GOTOOLCHAIN=auto), or set KUBEBUILDER_ASSETS to a folder that holds the programs already.',
    );
  }
  return version;
}

/** Nothing when Go refuses the module for its version alone. */
async function goVersion(module: string, env: Environment, signal?: AbortSignal) {
  try {
    return await runGo({ args: ['env', 'GOVERSION'], module, env }, signal);
  } catch (error) {
    if (error instanceof GoError && /requires go|invalid go version/.test(error.said))
      return undefined;
    throw error;
  }
}

function wantedGo(module: string): string {
  return /^go (\S+)$/m.exec(readFileSync(join(module, 'go.mod'), 'utf8'))?.[1] ?? '1';
}

function isOlder(version: string, wanted: string): boolean {
  const [major = 0, minor = 0, patch = 0] = numbers(version);
  const [wantedMajor = 0, wantedMinor = 0, wantedPatch = 0] = numbers(wanted);
  if (major !== wantedMajor) return major < wantedMajor;
  return minor !== wantedMinor ? minor < wantedMinor : patch < wantedPatch;
}

function numbers(version: string): number[] {
  return (version.match(/\d+/g) ?? []).map(Number);
}
