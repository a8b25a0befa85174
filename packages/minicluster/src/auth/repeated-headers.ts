/**
 * Headers have one value each inside the server, as in a `TransportRequest`. Impersonation headers can be repeated, and
 * a comma is an ordinary character of a group's name: their values are joined with line breaks, which no header can
 * contain. All others are joined with commas, as HTTP has it.
 */
export function readHeaders(rawHeaders: readonly string[]): Record<string, string> {
  const headers: Record<string, string> = {};
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]?.toLowerCase() ?? '';
    const value = rawHeaders[i + 1] ?? '';
    const before = headers[name];
    headers[name] = before === undefined ? value : `${before}${separatorOf(name)}${value}`;
  }
  return headers;
}

/** The values of an impersonation header, in the order in which they were sent. */
export function splitHeader(value: string | undefined): string[] {
  return value === undefined ? [] : value.split('\n');
}

function separatorOf(name: string): string {
  return name.startsWith('impersonate-') ? '\n' : ', ';
}
