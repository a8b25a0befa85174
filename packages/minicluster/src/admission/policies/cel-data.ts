/**
 * A JSON value as expressions see it: whole numbers are `int`, objects are maps. A map has no members but its own, so
 * that a key such as `constructor` means what the object says.
 */
export function celData(value: unknown): unknown {
  if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value) : value;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(celData);
  const members = new Map<string, unknown>();
  for (const [key, member] of Object.entries(value)) {
    if (member !== undefined) members.set(key, celData(member));
  }
  return members;
}
