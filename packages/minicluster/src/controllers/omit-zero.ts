/** Without members that are zero or undefined: how the Go types of Kubernetes write counters. */
export function omitZero<T extends Readonly<Record<string, number | undefined>>>(
  counters: T,
): { [K in keyof T]?: number } {
  return Object.fromEntries(Object.entries(counters).filter(([, count]) => count)) as {
    [K in keyof T]?: number;
  };
}
