/** A list of strings as a CEL literal: strings of JSON are strings of CEL. In a chart, the only item stands for all. */
export function celList(items: readonly string[]): string {
  const literals = [...items].map((item) =>
    typeof item === 'string' ? JSON.stringify(item) : `${item}`,
  );
  return `[${literals.join()}]`;
}
