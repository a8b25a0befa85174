/** Shorter names for what is asked for most. */
const shortcuts: ReadonlyMap<string, string> = new Map([['clusterid', 'local.clusterID']]);

/** The field at a path of keys with dots between them, whatever their case; nothing if it is absent or empty. */
export function pickField(document: unknown, path: string): unknown {
  const full = shortcuts.get(path.toLowerCase()) ?? path;
  const found = full.split('.').reduce<unknown>((value, key) => pickKey(value, key), document);
  return isEmpty(found) ? undefined : found;
}

function pickKey(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  const entry = Object.entries(value).find(([name]) => name.toLowerCase() === key.toLowerCase());
  return entry?.[1];
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}
