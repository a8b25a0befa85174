import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { isMissingFile, whyUnreadable } from './file-problem.ts';
import { type InClusterOptions, inClusterKubeconfig } from './in-cluster-kubeconfig.ts';
import type { Kubeconfig } from './kubeconfig.ts';
import { KubeconfigError } from './kubeconfig-error.ts';
import { mergeKubeconfigs } from './merge-kubeconfigs.ts';
import { parseKubeconfig } from './parse-kubeconfig.ts';
import { resolvePaths } from './resolve-paths.ts';

export interface LoadKubeconfigOptions extends InClusterOptions {
  /** This file and nothing else. */
  readonly path?: string | undefined;
  readonly homeDir?: string | undefined;
}

/**
 * Finds the kubeconfig where kubectl would: the file asked for; else the files of `KUBECONFIG`, merged; else
 * `~/.kube/config`; else, when those are empty or missing, the service account of the pod this process runs in.
 */
export async function loadKubeconfig(options: LoadKubeconfigOptions = {}): Promise<Kubeconfig> {
  if (options.path) return readKubeconfigFile(options.path);
  const files = candidates(options);
  const found = (await Promise.all(files.map(readIfThere))).filter(
    (config) => config !== undefined,
  );
  const merged = mergeKubeconfigs(found);
  if (!isEmpty(merged)) return merged;
  const inCluster = await inClusterKubeconfig(options);
  if (inCluster) return inCluster;
  if (found.length > 0) return merged;
  throw nothingFound(files);
}

/** Reads one file; the file names inside it come out absolute. */
async function readKubeconfigFile(path: string): Promise<Kubeconfig> {
  try {
    return parseFile(path, await readFile(path, 'utf8'));
  } catch (error) {
    throw unreadable(path, error);
  }
}

async function readIfThere(path: string): Promise<Kubeconfig | undefined> {
  try {
    return parseFile(path, await readFile(path, 'utf8'));
  } catch (error) {
    if (isMissingFile(error)) return undefined;
    throw unreadable(path, error);
  }
}

function parseFile(path: string, text: string): Kubeconfig {
  return resolvePaths(parseKubeconfig(text, path), dirname(resolve(path)));
}

function unreadable(path: string, error: unknown): unknown {
  if (error instanceof KubeconfigError) return error;
  return new KubeconfigError({ source: path, reason: whyUnreadable(error), cause: error });
}

function candidates({ env = process.env, homeDir }: LoadKubeconfigOptions): readonly string[] {
  if (!env.KUBECONFIG) return [join(homeDir ?? homedir(), '.kube', 'config')];
  return [...new Set(env.KUBECONFIG.split(delimiter))].filter((path) => path !== '');
}

function isEmpty(config: Kubeconfig): boolean {
  const { clusters, users, contexts } = config;
  return clusters.length + users.length + contexts.length === 0 && !config['current-context'];
}

function nothingFound(files: readonly string[]): KubeconfigError {
  const looked = files.map((file) => `"${file}"`).join(', ') || 'no file';
  return new KubeconfigError({
    reason:
      `there is none: looked for ${looked}, and this process is not in a pod; ` +
      'give the path of a kubeconfig or set KUBECONFIG',
  });
}
