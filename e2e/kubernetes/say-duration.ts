/** Seconds below a minute, minutes and seconds above: `4 min 24 s`. */
export function sayDuration(ms: number): string {
  const seconds = Math.round(ms / 1000);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
