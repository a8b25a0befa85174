import { type NamespaceMapping, refusal, type WantedNamespace } from './plan-remote-namespace.ts';

/** As Liqo: what is reserved, taken or granted is refused all the same. */
export const anyNamespaceName: readonly string[] = ['*'];

/** Stands for the cluster ID of the consumer in a pattern. */
const consumer = '<consumer>';

/** Why a consumer may not have a namespace of this name; undefined if a pattern allows it. `*` stands for any text. */
export function refuseUnlistedName(
  { remote, consumerClusterID }: WantedNamespace,
  patterns: readonly string[],
): NamespaceMapping | undefined {
  const own = patterns.map((pattern) => pattern.replaceAll(consumer, consumerClusterID));
  if (own.some((pattern) => matches(remote, pattern))) return undefined;
  const message =
    `The provider makes no namespace called "${remote}" for this consumer: choose a name like ` +
    own.map((pattern) => `"${pattern}"`).join(' or ');
  return refusal(remote, 'NameNotAllowed', message);
}

/** In time that grows with the name and the pattern only: a regular expression would try all ways to divide the name. */
function matches(name: string, pattern: string): boolean {
  const [first = '', ...others] = pattern.split('*');
  const last = others.pop();
  if (last === undefined) return name === pattern;
  if (!name.startsWith(first)) return false;
  let from = first.length;
  for (const part of others) {
    const at = name.indexOf(part, from);
    if (at < 0) return false;
    from = at + part.length;
  }
  return name.length - last.length >= from && name.endsWith(last);
}
