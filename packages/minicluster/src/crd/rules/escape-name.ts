const reserved: ReadonlySet<string> = new Set([
  'true',
  'false',
  'null',
  'in',
  'as',
  'break',
  'const',
  'continue',
  'else',
  'for',
  'function',
  'if',
  'import',
  'let',
  'loop',
  'package',
  'namespace',
  'return',
]);

const escapes: Readonly<Record<string, string>> = {
  __: '__underscores__',
  '.': '__dot__',
  '-': '__dash__',
  '/': '__slash__',
};

/** How a property is named in a rule; undefined when it cannot be. */
export function escapeName(name: string): string | undefined {
  if (reserved.has(name)) return `__${name}__`;
  if (!/^[A-Za-z_][A-Za-z0-9_./-]*$/.test(name)) return undefined;
  return name.replaceAll(/__|[./-]/g, (part) => escapes[part] ?? part);
}
