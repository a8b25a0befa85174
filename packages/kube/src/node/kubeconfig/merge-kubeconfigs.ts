import type { Kubeconfig } from './kubeconfig.ts';

/**
 * Several kubeconfigs as one, the way kubectl reads a `KUBECONFIG` list: the first to set a value or to use a name has
 * the last word. Entries of the same name are not mixed: the whole entry is the first one's.
 */
export function mergeKubeconfigs(configs: readonly Kubeconfig[]): Kubeconfig {
  const currentContext = first(configs.map((config) => config['current-context']));
  const colors = first(configs.map((config) => config.preferences?.colors));
  const preferenceExtensions = byName(configs.map((config) => config.preferences?.extensions));
  const extensions = byName(configs.map((config) => config.extensions));
  const preferences = {
    ...(colors && { colors }),
    ...(preferenceExtensions.length > 0 && { extensions: preferenceExtensions }),
  };
  return {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: byName(configs.map((config) => config.clusters)),
    users: byName(configs.map((config) => config.users)),
    contexts: byName(configs.map((config) => config.contexts)),
    ...(currentContext && { 'current-context': currentContext }),
    ...(Object.keys(preferences).length > 0 && { preferences }),
    ...(extensions.length > 0 && { extensions }),
  };
}

/** The first value that is set; to kubectl an empty string and `false` are not. */
function first<T>(values: readonly T[]): T | undefined {
  return values.find(Boolean);
}

function byName<T extends { readonly name: string }>(lists: readonly (readonly T[] | undefined)[]) {
  const merged = new Map<string, T>();
  for (const entry of lists.flatMap((list) => list ?? [])) {
    if (!merged.has(entry.name)) merged.set(entry.name, entry);
  }
  return [...merged.values()];
}
