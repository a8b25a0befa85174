interface CronField {
  readonly low: number;
  readonly high: number;
  /** Names that stand for numbers, from `low` up. */
  readonly names?: readonly string[];
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const days = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

const fields: readonly CronField[] = [
  { low: 0, high: 59 },
  { low: 0, high: 23 },
  { low: 1, high: 31 },
  { low: 1, high: 12, names: months },
  { low: 0, high: 6, names: days },
];

const descriptors: readonly string[] = [
  '@yearly',
  '@annually',
  '@monthly',
  '@weekly',
  '@daily',
  '@midnight',
  '@hourly',
];

/** What is wrong with a schedule in the five fields of cron, as the server's parser puts it. */
export function cronFault(schedule: string): string | undefined {
  const text = schedule.replace(/^(CRON_)?TZ=\S*\s*/, '').trim();
  if (text.startsWith('@')) return descriptorFault(text);
  const parts = text.split(/\s+/).filter(Boolean);
  if (parts.length !== fields.length) {
    return `expected exactly ${fields.length} fields, found ${parts.length}: [${parts.join(' ')}]`;
  }
  for (const [i, part] of parts.entries()) {
    const field = fields[i];
    const fault =
      field &&
      part
        .split(',')
        .map((one) => rangeFault(one, field))
        .find(Boolean);
    if (fault) return fault;
  }
  return undefined;
}

function descriptorFault(text: string): string | undefined {
  if (descriptors.includes(text) || /^@every [0-9]/.test(text)) return undefined;
  return `unrecognized descriptor: ${text}`;
}

function rangeFault(text: string, field: CronField): string | undefined {
  const [range = '', step, ...moreSteps] = text.split('/');
  if (moreSteps.length > 0) return `too many slashes: ${text}`;
  const [first = '', last, ...moreBounds] = range.split('-');
  if (moreBounds.length > 0) return `too many hyphens: ${text}`;
  const start = range === '*' || range === '?' ? field.low : numberOf(first, field);
  const end = last === undefined ? start : numberOf(last, field);
  if (start === undefined) return numberFault(first);
  if (end === undefined) return numberFault(last ?? '');
  if (start < field.low)
    return `beginning of range (${start}) below minimum (${field.low}): ${text}`;
  if (end > field.high) return `end of range (${end}) above maximum (${field.high}): ${text}`;
  if (start > end) return `beginning of range (${start}) beyond end of range (${end}): ${text}`;
  if (step === undefined) return undefined;
  if (!/^[0-9]+$/.test(step)) return numberFault(step);
  return Number(step) === 0 ? `step of range should be a positive number: ${text}` : undefined;
}

function numberOf(text: string, { low, names = [] }: CronField): number | undefined {
  const named = names.indexOf(text.toLowerCase());
  if (named >= 0) return low + named;
  return /^[0-9]+$/.test(text) ? Number(text) : undefined;
}

function numberFault(text: string): string {
  return `failed to parse int from ${text}: strconv.Atoi: parsing "${text}": invalid syntax`;
}
