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

/** `list<string>` is `list(string)`, and a list of anything is `list(dyn)`. */
export function goType(type: string): string {
  switch (type) {
    case 'null':
      return 'null_type';
    case 'list':
      return 'list(dyn)';
    case 'map':
      return 'map(dyn, dyn)';
    default:
      return type
        .replace(/^optional</, 'optional_type<')
        .replaceAll('<', '(')
        .replaceAll('>', ')')
        .replaceAll(/\b[A-Z]\b/g, 'dyn');
  }
}
