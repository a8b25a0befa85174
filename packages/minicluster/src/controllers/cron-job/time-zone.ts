/** What a clock and a calendar on the wall show. */
export interface LocalTime {
  readonly month: number;
  readonly day: number;
  /** Sunday is 0. */
  readonly weekday: number;
  readonly hour: number;
  readonly minute: number;
}

/** A zone by its name in the time zone database, such as `Europe/Rome`. */
export class TimeZone {
  readonly #format: Intl.DateTimeFormat | undefined;

  constructor(name = 'UTC') {
    const options = { timeZone: name, timeZoneName: 'longOffset' } as const;
    this.#format = name === 'UTC' ? undefined : new Intl.DateTimeFormat('en', options);
  }

  localTime(ms: number): LocalTime {
    const wall = new Date(ms + this.#offsetMs(ms));
    return {
      month: wall.getUTCMonth() + 1,
      day: wall.getUTCDate(),
      weekday: wall.getUTCDay(),
      hour: wall.getUTCHours(),
      minute: wall.getUTCMinutes(),
    };
  }

  /** As in `2030-01-01T02:00:00+02:00`. */
  format(ms: number): string {
    const offset = this.#offsetMs(ms);
    const wall = new Date(ms + offset).toISOString().slice(0, 19);
    if (offset === 0) return `${wall}Z`;
    const minutes = Math.abs(offset) / 60_000;
    const pad = (value: number) => String(value).padStart(2, '0');
    const sign = offset < 0 ? '-' : '+';
    return `${wall}${sign}${pad(Math.floor(minutes / 60))}:${pad(minutes % 60)}`;
  }

  /** How far the clocks of the zone are ahead of UTC at that moment. */
  #offsetMs(ms: number): number {
    const parts = this.#format?.formatToParts(ms);
    const name = parts?.find(({ type }) => type === 'timeZoneName')?.value ?? '';
    const [, sign, hours = '0', minutes = '0'] = /GMT([+-])(\d\d):(\d\d)/.exec(name) ?? [];
    const ahead = (Number(hours) * 60 + Number(minutes)) * 60_000;
    return sign === '-' ? -ahead : ahead;
  }
}
