import { type Client, Event, isAlreadyExists, mergePatch } from '@liqo/kube';

/** The same thing happening again and again: one Event, whose count grows. */
export class EventSeries {
  readonly event: Event;
  #count = 1;
  /** How many the server knows of. */
  #written = 0;
  #lastObservedTime: string;
  #failures = 0;

  constructor(event: Event) {
    this.event = event;
    this.#lastObservedTime = event.eventTime;
  }

  get unwritten(): boolean {
    return this.#written < this.#count;
  }

  /** How often in a row it could not be written. */
  get failures(): number {
    return this.#failures;
  }

  happenedAgain(at: string): void {
    this.#count += 1;
    this.#lastObservedTime = at;
  }

  async write(client: Client, call: { timeoutMs: number; signal: AbortSignal }): Promise<void> {
    const count = this.#count;
    try {
      await (this.#written === 0 ? this.#create(client, call) : this.#patch(client, call));
      this.#written = count;
      this.#failures = 0;
    } catch (error) {
      this.#failures += 1;
      throw error;
    }
  }

  /** The name was chosen by us: if it exists, an earlier attempt took effect and only its answer was lost. */
  async #create(client: Client, call: { signal: AbortSignal }): Promise<void> {
    const series = this.#series();
    try {
      await client.create(Event, series.count > 1 ? { ...this.event, series } : this.event, call);
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
      if (series.count > 1) await this.#patch(client, call);
    }
  }

  /** Fails where the event is gone, be it forgotten, removed or with its namespace: it is not made again for a mere count. */
  async #patch(client: Client, call: { signal: AbortSignal }): Promise<void> {
    const { namespace, name = '' } = this.event.metadata ?? {};
    await client.patch(Event, { namespace, name }, mergePatch({ series: this.#series() }), call);
  }

  #series() {
    return { count: this.#count, lastObservedTime: this.#lastObservedTime };
  }
}
