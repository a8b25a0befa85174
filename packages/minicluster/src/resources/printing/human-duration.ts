const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

/**
 * A duration in two or three significant figures, as `kubectl get` shows ages: `45s`, `3m20s`, `5h`, `12d`, `3y45d`.
 * Clocks that differ by less than two seconds are forgiven.
 */
export function humanDuration(durationMs: number): string {
  const seconds = Math.trunc(durationMs / second);
  if (seconds < -1) return '<invalid>';
  if (seconds < 0) return '0s';
  if (seconds < 120) return `${seconds}s`;
  const minutes = Math.trunc(durationMs / minute);
  if (minutes < 10) return withRest(minutes, 'm', seconds % 60, 's');
  if (minutes < 180) return `${minutes}m`;
  const hours = Math.trunc(durationMs / hour);
  if (hours < 8) return withRest(hours, 'h', minutes % 60, 'm');
  if (hours < 48) return `${hours}h`;
  return inDays(hours);
}

function inDays(hours: number): string {
  const days = Math.trunc(hours / 24);
  if (hours < 24 * 8) return withRest(days, 'd', hours % 24, 'h');
  if (hours < 24 * 365 * 2) return `${days}d`;
  const years = Math.trunc(days / 365);
  if (hours < 24 * 365 * 8) return withRest(years, 'y', days % 365, 'd');
  return `${years}y`;
}

function withRest(count: number, unit: string, rest: number, restUnit: string): string {
  return rest === 0 ? `${count}${unit}` : `${count}${unit}${rest}${restUnit}`;
}

/** How long ago a time of the API was; `<unknown>` when it is not set. */
export function timeSince(time: string | null | undefined, nowMs: number): string {
  return time ? humanDuration(nowMs - Date.parse(time)) : '<unknown>';
}
