import { type Client, Namespace, type Stored } from '@liqo/kube';
import { attempt } from '../explain.ts';
import { UserError } from '../user-error.ts';

interface NamespaceChoice {
  readonly names: readonly string[];
  /** In place of names. */
  readonly selector: string | undefined;
}

/** The namespaces that are named, or that have the labels. All of them exist, or nothing is done at all. */
export async function chooseNamespaces(
  client: Client,
  { names, selector }: NamespaceChoice,
  signal: AbortSignal,
): Promise<readonly Stored<Namespace>[]> {
  if (selector !== undefined) {
    const listing = client.list(Namespace, { labelSelector: selector, signal });
    return (await attempt('list namespaces', listing)).items;
  }
  const found: Stored<Namespace>[] = [];
  for (const name of new Set(names)) {
    const doing = `find the namespace "${name}"`;
    const namespace = await attempt(doing, client.get(Namespace, { name }, signal));
    if (!namespace) throw noNamespace(doing, name);
    found.push(namespace);
  }
  return found;
}

function noNamespace(doing: string, name: string): UserError {
  const hint = `Check the name, or create it: kubectl create namespace ${name}`;
  return new UserError(`Cannot ${doing}: there is none of that name`, { hint });
}

/** What is wrong with how namespaces are chosen, as clauses. */
export function checkNamespaceChoice(
  names: readonly string[],
  selector: string | undefined,
): readonly string[] {
  if (names.length > 0 && selector !== undefined) {
    return ['it takes names or "--ns-selector", not both'];
  }
  return names.length > 0 || selector !== undefined ? [] : ['it needs a NAME or "--ns-selector"'];
}
