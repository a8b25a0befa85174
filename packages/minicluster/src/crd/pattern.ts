/**
 * Regular expressions of Go (RE2) in JavaScript. What both have means the same; of what only RE2 has, the parts that
 * schemas use are translated: flags for the whole, named groups, POSIX classes, and the anchors of the whole text.
 */
const posixClasses: ReadonlyMap<string, string> = new Map([
  ['alnum', '0-9A-Za-z'],
  ['alpha', 'A-Za-z'],
  ['digit', '0-9'],
  ['lower', 'a-z'],
  ['space', '\\t\\n\\v\\f\\r '],
  ['upper', 'A-Z'],
  ['word', '0-9A-Za-z_'],
  ['xdigit', '0-9A-Fa-f'],
]);

/** Throws a `SyntaxError` when it is no regular expression. */
export function compilePattern(pattern: string): RegExp {
  const [, flags = '', rest = pattern] = /^\(\?([ims]+)\)(.*)$/s.exec(pattern) ?? [];
  const source = rest
    .replaceAll(/\[:(\w+):\]/g, (whole, name: string) => posixClasses.get(name) ?? whole)
    .replaceAll('(?P<', '(?<')
    .replaceAll(/\\([Az])/g, (_, anchor: string) => (anchor === 'A' ? '^' : '$'));
  try {
    return new RegExp(source, `${flags}u`);
  } catch {
    // Without the flag more escapes are allowed, as in RE2; only characters beyond 16 bits then count twice.
    return new RegExp(source, flags);
  }
}

/** Anywhere in the text; a pattern that is none matches nothing. */
export function matchesPattern(pattern: string, text: string): boolean {
  try {
    return compilePattern(pattern).test(text);
  } catch {
    return false;
  }
}
