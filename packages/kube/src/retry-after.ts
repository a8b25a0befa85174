const weekday = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)/;

/** `Retry-After` of a response in milliseconds: seconds, or a date measured against `nowMs`. */
export function parseRetryAfter(header: string | undefined, nowMs: number): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d+$/.test(header)) return Number(header) * 1000;
  // Left to itself, `Date.parse` finds a date in nearly everything.
  const date = weekday.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - nowMs);
}
