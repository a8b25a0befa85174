import { readFile } from 'node:fs/promises';
import { isJsonObject, type JsonObject } from '@liqo/kube';
import {
  checkValues,
  type GivenValues,
  mergeGiven,
  readSetting,
  SettingError,
} from '@liqo/manifests';
import { load } from 'js-yaml';
import { UserError } from '../user-error.ts';
import { type Provider, podRangesOf } from './detect-provider.ts';
import type { FoundCluster } from './read-cluster.ts';

const longestFile = 1024 * 1024;

/** The values of a file, as of `helm --values`. */
export async function readValuesFile(path: string): Promise<GivenValues> {
  const doing = `read the values in "${path}"`;
  const hint = 'Name a file of YAML with --values; charts/liqo/values.yaml says what can be set';
  try {
    const text = await readFile(path, 'utf8');
    if (text.length > longestFile) throw new Error('it is larger than 1 MiB');
    const document: unknown = load(text) ?? {};
    refuseValues(document, doing);
    return document as JsonObject;
  } catch (error) {
    if (error instanceof UserError) throw error;
    const why = error instanceof Error ? error.message : String(error);
    throw new UserError(`Cannot ${doing}: ${why}`, { hint, cause: error });
  }
}

/** The values of `--set NAME=VALUE`; what is wrong with one is a clause. */
export function readSettings(settings: readonly string[]): readonly GivenValues[] {
  return settings.map((text) => readSetting(text));
}

export function settingFaults(settings: readonly string[]): readonly string[] {
  return settings.flatMap((text) => {
    try {
      return checkValues(readSetting(text)).map((fault) => `"--set ${text}": ${fault}`);
    } catch (error) {
      if (!(error instanceof SettingError)) throw error;
      return [`"--set": ${error.message}`];
    }
  });
}

function refuseValues(document: unknown, doing: string): void {
  const faults = isJsonObject(document) ? checkValues(document) : ['it is not a map'];
  if (faults.length === 0) return;
  const hint = 'Correct it; charts/liqo/values.yaml says what can be set';
  throw new UserError(`Cannot ${doing}: ${faults.join('; ')}`, { hint });
}

/** What the cluster itself tells, and then what it was told: the label of the provider joins those that are given. */
export function allValues(
  given: readonly GivenValues[],
  provider: Provider | undefined,
  nodes: FoundCluster['nodes'],
): readonly GivenValues[] {
  const { slices } = mergeGiven(given);
  const labels = isJsonObject(slices) && Array.isArray(slices.nodeLabels) ? slices.nodeLabels : [];
  const isLabelled = labels.some((label) => String(label).startsWith(`${providerLabel}=`));
  const ranges = podRangesOf(nodes, provider);
  return [
    { ...(ranges.length > 0 && { consumers: { deniedEndpointRanges: [...ranges] } }) },
    ...given,
    {
      ...(provider &&
        !isLabelled && { slices: { nodeLabels: [...labels, `${providerLabel}=${provider}`] } }),
    },
  ];
}

const providerLabel = 'liqo.io/provider';
