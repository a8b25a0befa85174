/**
 * The next names of a round, at most `limit`: those that follow `last` in alphabetical order, then those from the beginning.
 * Calls that pass the last name of the previous call reach every name, whatever comes and goes in between.
 */
export function nextInTurn(
  names: Iterable<string>,
  last: string | undefined,
  limit: number,
): readonly string[] {
  const sorted = [...names].sort();
  if (sorted.length <= limit) return sorted;
  const start = last === undefined ? 0 : sorted.findIndex((name) => name > last);
  const from = Math.max(start, 0);
  return [...sorted.slice(from), ...sorted.slice(0, from)].slice(0, limit);
}
