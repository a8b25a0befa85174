import { annotations, ClusterConfig, fillDefaults, violationsOfKnown } from '@liqo/api';
import { isJsonObject, type Json, oneLine, ownMember, type Stored } from '@liqo/kube';

type Config = ClusterConfig['spec']['advertisementConfig'];

export interface ConfigVerdict {
  /** Undefined if there is none, and none was valid before. */
  readonly inForce: Config | undefined;
  /** What is wrong with the present one, for people. */
  readonly problem: string | undefined;
}

const { spec: schema } = ClusterConfig.definition;

/**
 * Which configuration counts: the present one, or, if that is malformed, the last one that was valid. The schema of the kind
 * refuses malformed ones, unless the schema was replaced.
 */
export function judgeClusterConfig(config: Stored<ClusterConfig> | undefined): ConfigVerdict {
  if (!config) return { inForce: undefined, problem: undefined };
  const spec = fillDefaults(schema, config.spec);
  const problem = findProblem(spec);
  if (problem !== undefined) return { inForce: lastValid(config), problem };
  return { inForce: (spec as ClusterConfig['spec']).advertisementConfig, problem: undefined };
}

/** Annotations take 256 KiB together, and `kubectl apply` may need as much again. */
const longestKept = 100_000;

/** What to note down on a configuration that is valid; undefined if that has been done, or it is too long. */
export function keepValidConfig({
  metadata,
  spec,
}: Stored<ClusterConfig>): Readonly<Record<string, string>> | undefined {
  const { advertisementConfig } = spec;
  const text = JSON.stringify({ advertisementConfig });
  if (text.length > longestKept) return undefined;
  if (ownMember(metadata.annotations, annotations.lastValidConfig) === text) return undefined;
  return { [annotations.lastValidConfig]: text };
}

function lastValid({ metadata }: Stored<ClusterConfig>): Config | undefined {
  const text = ownMember(metadata.annotations, annotations.lastValidConfig);
  const spec = text === undefined ? undefined : fillDefaults(schema, parse(text));
  if (findProblem(spec) !== undefined) return undefined;
  return (spec as ClusterConfig['spec']).advertisementConfig;
}

function findProblem(spec: unknown): string | undefined {
  const [first] = violationsOfKnown(schema, spec);
  if (first !== undefined) {
    const field = first === '' ? 'spec' : `spec.${first}`;
    return oneLine(`${field} is missing, or has a value that the kind does not allow`);
  }
  const { advertisementConfig } = spec as ClusterConfig['spec'];
  const { validitySeconds, refreshPeriodSeconds } = advertisementConfig.outgoingConfig;
  if (validitySeconds >= 2 * refreshPeriodSeconds) return undefined;
  return 'validitySeconds is not at least twice refreshPeriodSeconds';
}

function parse(text: string): Json | undefined {
  try {
    const value: Json = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    // Not written by this controller: it holds no configuration.
    return undefined;
  }
}
