const weekday = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)/;

/** No server keeps a client away for longer: a peer could freeze its watches otherwise. */
const maxRetryAfterMs = 60_000;

/** `Retry-After` of a response in milliseconds: seconds, or a date measured against `nowMs`; at most a minute. */
export function parseRetryAfter(header: string | undefined, nowMs: number): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d+$/.test(header)) return Math.min(Number(header) * 1000, maxRetryAfterMs);
  // Left to itself, `Date.parse` finds a date in nearly everything.
  const date = weekday.test(header) ? Date.parse(header) : Number.NaN;
  if (Number.isNaN(date)) return undefined;
  return Math.min(Math.max(0, date - nowMs), maxRetryAfterMs);
}
