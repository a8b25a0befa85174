const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;
const year = 365 * day;

/** How long ago something was, as kubectl writes it: coarser the longer it is, `45s`, `5m30s`, `3h`, `12d`. */
export function formatAge(ms: number): string {
  const age = Math.max(0, ms);
  if (age < 2 * minute) return `${Math.floor(age / second)}s`;
  if (age < 10 * minute) return inTwo(age, [minute, 'm'], [second, 's']);
  if (age < 3 * hour) return `${Math.floor(age / minute)}m`;
  if (age < 8 * hour) return inTwo(age, [hour, 'h'], [minute, 'm']);
  if (age < 2 * day) return `${Math.floor(age / hour)}h`;
  if (age < 8 * day) return inTwo(age, [day, 'd'], [hour, 'h']);
  if (age < 2 * year) return `${Math.floor(age / day)}d`;
  if (age < 8 * year) return inTwo(age, [year, 'y'], [day, 'd']);
  return `${Math.floor(age / year)}y`;
}

type Unit = readonly [ms: number, letter: string];

function inTwo(age: number, [large, first]: Unit, [small, second]: Unit): string {
  const rest = Math.floor((age % large) / small);
  return `${Math.floor(age / large)}${first}${rest > 0 ? `${rest}${second}` : ''}`;
}
