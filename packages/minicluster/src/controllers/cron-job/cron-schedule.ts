import { type LocalTime, TimeZone } from './time-zone.ts';

/** When something is due, again and again. */
export interface CronSchedule {
  /** The first time after this one; undefined if there is none within five years. */
  next(afterMs: number): number | undefined;
}

const minuteMs = 60_000;
const hourMs = 3_600_000;
const horizonMs = 5 * 366 * 24 * hourMs;

const descriptors: Readonly<Record<string, string>> = {
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
  '@monthly': '0 0 1 * *',
  '@weekly': '0 0 * * 0',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@hourly': '0 * * * *',
};

/** A schedule that the API server has accepted. */
export function parseSchedule(schedule: string, zone = new TimeZone()): CronSchedule {
  const text = schedule.trim();
  const [, interval] = /^@every\s+(.*)$/.exec(text) ?? [];
  if (interval !== undefined) return every(Math.max(1000, durationMs(interval)));
  const parts = (descriptors[text] ?? text).split(/\s+/);
  const [minutes, hours, days, months, weekdays] = bounds.map((bound, index) =>
    parseField(parts[index] ?? '*', bound),
  );
  if (!minutes || !hours || !days || !months || !weekdays) return { next: () => undefined };
  const fields = { minutes, hours, days, months, weekdays };
  return { next: (afterMs) => findNext(fields, zone, afterMs) };
}

interface Bound {
  readonly low: number;
  readonly high: number;
  readonly names?: readonly string[];
}

const monthNames = [
  'jan',
  'feb',
  'mar',
  'apr',
  'may',
  'jun',
  'jul',
  'aug',
  'sep',
  'oct',
  'nov',
  'dec',
];
const dayNames = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const bounds: readonly Bound[] = [
  { low: 0, high: 59 },
  { low: 0, high: 23 },
  { low: 1, high: 31 },
  { low: 1, high: 12, names: monthNames },
  { low: 0, high: 6, names: dayNames },
];

interface Field {
  readonly values: ReadonlySet<number>;
  /** Says nothing: matters where days of the month and of the week are combined. */
  readonly isAny: boolean;
}

type Fields = Readonly<Record<'minutes' | 'hours' | 'days' | 'months' | 'weekdays', Field>>;

function parseField(text: string, bound: Bound): Field {
  const parts = text.split(',');
  const values = new Set(parts.flatMap((part) => parseRange(part, bound)));
  return { values, isAny: parts.some((part) => /^[*?](\/1)?$/.test(part)) };
}

/** `N/step` goes on to the end. */
function parseRange(text: string, bound: Bound): readonly number[] {
  const [range = '', step] = text.split('/');
  const [first = '', last] = range.split('-');
  const isAny = first === '*' || first === '?';
  const start = isAny ? bound.low : numberOf(first, bound);
  const single = isAny || step !== undefined ? bound.high : start;
  const end = last === undefined ? single : numberOf(last, bound);
  const stride = Number(step ?? 1);
  const count = Math.floor((end - start) / stride) + 1;
  return Array.from({ length: Math.max(0, count) }, (_, index) => start + index * stride);
}

function numberOf(text: string, { low, names = [] }: Bound): number {
  const named = names.indexOf(text.toLowerCase());
  return named < 0 ? Number(text) : low + named;
}

function findNext(fields: Fields, zone: TimeZone, afterMs: number): number | undefined {
  let ms = (Math.floor(afterMs / minuteMs) + 1) * minuteMs;
  while (ms <= afterMs + horizonMs) {
    const stepMs = msToSkip(fields, zone.localTime(ms));
    if (stepMs === 0) return ms;
    ms += stepMs;
  }
  return undefined;
}

/** Never beyond an hour that might match, even if a day is an hour shorter than others. */
function msToSkip(fields: Fields, { month, day, weekday, hour, minute }: LocalTime): number {
  const toNextHourMs = hourMs - minute * minuteMs;
  if (!fields.months.values.has(month) || !isDay(fields, day, weekday)) {
    return toNextHourMs + Math.max(0, 21 - hour) * hourMs;
  }
  if (!fields.hours.values.has(hour)) return toNextHourMs;
  return fields.minutes.values.has(minute) ? 0 : minuteMs;
}

/** When both say something, one of them is enough. */
function isDay({ days, weekdays }: Fields, day: number, weekday: number): boolean {
  const [byDay, byWeekday] = [days.values.has(day), weekdays.values.has(weekday)];
  return days.isAny || weekdays.isAny ? byDay && byWeekday : byDay || byWeekday;
}

function every(intervalMs: number): CronSchedule {
  const wholeMs = Math.floor(intervalMs / 1000) * 1000;
  return { next: (afterMs) => Math.floor(afterMs / 1000) * 1000 + wholeMs };
}

const unitsMs: Readonly<Record<string, number>> = { h: hourMs, m: minuteMs, s: 1000, ms: 1 };

/** Such as `1h30m`. */
function durationMs(text: string): number {
  const parts = [...text.matchAll(/([\d.]+)(ms|h|m|s)/g)];
  return parts.reduce(
    (sum, [, count, unit]) => sum + Number(count) * (unitsMs[unit ?? ''] ?? 0),
    0,
  );
}
