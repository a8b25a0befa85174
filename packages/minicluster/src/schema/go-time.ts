import { DecodeError } from './decode-error.ts';

/** The two forms in which the API has times. */
export type TimeLayout = '2006-01-02T15:04:05Z07:00' | '2006-01-02T15:04:05.000000Z07:00';

export const secondsLayout: TimeLayout = '2006-01-02T15:04:05Z07:00';
export const microsLayout: TimeLayout = '2006-01-02T15:04:05.000000Z07:00';

const canonicalForms: Readonly<Record<TimeLayout, RegExp>> = {
  [secondsLayout]: canonicalForm(''),
  [microsLayout]: canonicalForm('\\.\\d{6}'),
};

/** Days that only some months have are left for a closer look, and so is the start of year one. */
function canonicalForm(fraction: string): RegExp {
  const date = '(?!0001-01-01)\\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\\d|2[0-8])';
  const time = '(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d';
  return new RegExp(`^${date}T${time}${fraction}Z$`);
}

/**
 * The same moment in UTC and with as many digits as the layout has, or null for the start of year one, which to Go is
 * no time at all. Throws in the words of Go's `time.Parse`.
 */
export function canonicalTime(text: string, layout: TimeLayout): string | null {
  if (canonicalForms[layout].test(text)) return text;
  const { seconds, fraction, offsetMinutes } = readTime(text, layout);
  const moment = new Date(Date.parse(`${seconds}Z`) - offsetMinutes * 60_000);
  const utc = moment.toISOString().slice(0, 19);
  const micros = fraction.padEnd(6, '0').slice(0, 6);
  if (utc === '0001-01-01T00:00:00' && Number(fraction) === 0) return null;
  return layout === secondsLayout ? `${utc}Z` : `${utc}.${micros}Z`;
}

interface ReadTime {
  readonly seconds: string;
  readonly fraction: string;
  readonly offsetMinutes: number;
}

/** One element of a layout: what it looks like, and the name and range of its number. */
interface Element {
  readonly layout: string;
  readonly pattern: RegExp;
  readonly range?: readonly [name: string, least: number, most: number];
}

const dateElements: readonly Element[] = [
  { layout: '2006', pattern: /^\d{4}/ },
  { layout: '-', pattern: /^-/ },
  { layout: '01', pattern: /^\d\d/, range: ['month', 1, 12] },
  { layout: '-', pattern: /^-/ },
  { layout: '02', pattern: /^\d\d/ },
  { layout: 'T', pattern: /^T/ },
  { layout: '15', pattern: /^\d\d?/, range: ['hour', 0, 23] },
  { layout: ':', pattern: /^:/ },
  { layout: '04', pattern: /^\d\d/, range: ['minute', 0, 59] },
  { layout: ':', pattern: /^:/ },
  { layout: '05', pattern: /^\d\d/, range: ['second', 0, 59] },
];

function readTime(text: string, layout: TimeLayout): ReadTime {
  const reader = new TimeReader(text, layout);
  const parts = dateElements.map((element) => reader.take(element));
  const fraction = reader.takeFraction();
  const zone = reader.take({ layout: 'Z07:00', pattern: /^(?:Z|[+-]\d\d:\d\d)/ });
  reader.finish();
  const [year = '', , month = '', , day = '', , hour = ''] = parts;
  reader.checkDay(Number(year), Number(month), Number(day));
  const seconds = `${year}-${month}-${day}T${hour.padStart(2, '0')}${parts.slice(7).join('')}`;
  return { seconds, fraction, offsetMinutes: offsetOf(zone) };
}

function offsetOf(zone: string): number {
  if (zone === 'Z') return 0;
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(4));
  return zone.startsWith('-') ? -minutes : minutes;
}

class TimeReader {
  readonly #text: string;
  readonly #layout: TimeLayout;
  #rest: string;

  constructor(text: string, layout: TimeLayout) {
    this.#text = text;
    this.#layout = layout;
    this.#rest = text;
  }

  take({ layout, pattern, range }: Element): string {
    const [taken] = pattern.exec(this.#rest) ?? [];
    if (taken === undefined) throw this.#mismatch(layout);
    if (range && !(range[1] <= Number(taken) && Number(taken) <= range[2])) {
      throw this.#wrong(`${range[0]} out of range`);
    }
    this.#rest = this.#rest.slice(taken.length);
    return taken;
  }

  /** Digits of a second: exactly six where the layout has them, any number where it has none. */
  takeFraction(): string {
    if (this.#layout === microsLayout) {
      return this.take({ layout: '.000000', pattern: /^[.,]\d{6}/ }).slice(1);
    }
    const [taken = ''] = /^[.,]\d+/.exec(this.#rest) ?? [];
    this.#rest = this.#rest.slice(taken.length);
    return taken.slice(1);
  }

  finish(): void {
    if (this.#rest !== '') throw this.#wrong(`extra text: ${JSON.stringify(this.#rest)}`);
  }

  checkDay(year: number, month: number, day: number): void {
    const days = new Date(Date.UTC(year, month, 0)).getUTCDate();
    if (day < 1 || day > days) throw this.#wrong('day out of range');
  }

  #mismatch(element: string): DecodeError {
    const [text, rest] = [JSON.stringify(this.#text), JSON.stringify(this.#rest)];
    return new DecodeError(
      `parsing time ${text} as "${this.#layout}": cannot parse ${rest} as "${element}"`,
    );
  }

  #wrong(fact: string): DecodeError {
    return new DecodeError(`parsing time ${JSON.stringify(this.#text)}: ${fact}`);
  }
}
