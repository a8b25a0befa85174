/** The object with `defaults` for what is absent. What says null was decoded from nothing, and is absent too. */
export function fillIn<T extends object>(object: T, defaults: Partial<T>): T {
  const filled: T = { ...object };
  for (const key of Object.keys(defaults) as (keyof T)[]) {
    const value = defaults[key];
    if ((filled[key] === undefined || filled[key] === null) && value !== undefined) {
      filled[key] = value as T[keyof T];
    }
  }
  return filled;
}

/** The object with one part replaced by what `change` makes of it; without that part it stays as it is. */
export function changeIn<T extends object, K extends keyof T>(
  object: T,
  key: K,
  change: (part: NonNullable<T[K]>) => NonNullable<T[K]>,
): T {
  const part = object[key];
  return part === undefined || part === null ? object : { ...object, [key]: change(part) };
}

/** As `changeIn`, for every entry of a list. */
export function changeEach<T extends object, K extends keyof T, E>(
  object: T,
  key: K,
  change: (entry: E) => E,
): T {
  const list = object[key] as readonly E[] | null | undefined;
  return list ? { ...object, [key]: list.map(change) } : object;
}
