/** Strings as the items of a JSON list, without its brackets. In a chart, the only item stands for all. */
export function jsonItems(items: readonly string[]): string {
  const literals = [...items].map((item) =>
    typeof item === 'string' ? JSON.stringify(item) : `${item}`,
  );
  return literals.join();
}
