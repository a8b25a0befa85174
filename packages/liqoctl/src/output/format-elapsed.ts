/** How long a step took, for people: `0.3 s`, `12 s`, `2 m 5 s`. */
export function formatElapsed(ms: number): string {
  if (ms < 9_950) return `${(Math.max(0, ms) / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  const rest = seconds % 60;
  return `${Math.floor(seconds / 60)} m${rest > 0 ? ` ${rest} s` : ''}`;
}
