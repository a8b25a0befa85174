import type { NamespaceMap } from '@liqo/api';

/** One entry of `spec.desiredMapping`. */
interface DesiredName {
  /** The name at the consumer. */
  readonly local: string;
  /** The name at the provider. */
  readonly remote: string;
}

interface SharedName extends DesiredName {
  /** The name at the consumer of the namespace that has the name at the provider. */
  readonly owner: string;
}

export interface DesiredNames {
  /** In alphabetical order, each name at the provider once. */
  readonly distinct: readonly DesiredName[];
  /** Further names at the consumer for a name at the provider that is in `distinct`. */
  readonly shared: readonly SharedName[];
}

/** What a NamespaceMap asks for. Of several names at the consumer for one at the provider, the first in the alphabet has it. */
export function desiredNames(map: NamespaceMap): DesiredNames {
  const owners = new Map<string, string>();
  const distinct: DesiredName[] = [];
  const shared: SharedName[] = [];
  const entries = Object.entries(map.spec?.desiredMapping ?? {});
  for (const [local, remote] of entries.sort(([a], [b]) => (a < b ? -1 : 1))) {
    const owner = owners.get(remote);
    if (owner !== undefined) shared.push({ local, remote, owner });
    else distinct.push({ local, remote });
    if (owner === undefined) owners.set(remote, local);
  }
  return { distinct, shared };
}
