/** How the API server words what is wrong with a reference or a call. */

export function undeclared(name: string): string {
  return `undeclared reference to '${name}' (in container '')`;
}

/** `receiver` is undefined for what is no method. The types are in the notation of the API server. */
export function noOverload(
  name: string,
  receiver: string | undefined,
  types: readonly string[],
): string {
  const list = `(${types.join(', ')})`;
  const applied = receiver === undefined ? list : `${receiver}.${list}`;
  return `found no matching overload for '${name}' applied to '${applied}'`;
}
