/** A JSON log line as one line for a person: time, level, message, then the fields as `key=value`. */
export function prettyLine(line: string): string {
  const { ts, level, msg, logger: _, ...fields } = JSON.parse(line);
  const time = String(ts).slice(11, 23);
  const pairs = Object.entries(fields).map(([key, value]) => ` ${key}=${prettyValue(value)}`);
  return `${time} ${String(level).toUpperCase().padEnd(5)} ${msg}${pairs.join('')}\n`;
}

/** Bare when that is unambiguous, otherwise as JSON. */
function prettyValue(value: unknown): string {
  return typeof value === 'string' && /^[^\s"=]+$/.test(value) ? value : JSON.stringify(value);
}
