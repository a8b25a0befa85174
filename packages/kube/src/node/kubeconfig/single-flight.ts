/**
 * Shares one run of something slow among everybody who asks for it while it lasts. Somebody who aborts leaves alone;
 * when the last one has left, the run is aborted too.
 */
export class SingleFlight<T> {
  #flight: Flight<T> | undefined;

  get isFlying(): boolean {
    return this.#flight !== undefined;
  }

  async join(start: (signal: AbortSignal) => Promise<T>, signal?: AbortSignal): Promise<T> {
    signal?.throwIfAborted();
    this.#flight ??= this.#takeOff(start);
    const flight = this.#flight;
    flight.passengers += 1;
    try {
      return await untilAborted(flight.landed, signal);
    } finally {
      flight.passengers -= 1;
      if (flight.passengers === 0) this.#leave(flight);
    }
  }

  #takeOff(start: (signal: AbortSignal) => Promise<T>): Flight<T> {
    const abort = new AbortController();
    const flight: Flight<T> = { landed: start(abort.signal), abort, passengers: 0 };
    const clear = () => this.#clear(flight);
    // Also keeps a failure that nobody waits for any more from being reported as unhandled.
    flight.landed.then(clear, clear);
    return flight;
  }

  #leave(flight: Flight<T>): void {
    this.#clear(flight);
    flight.abort.abort();
  }

  #clear(flight: Flight<T>): void {
    if (this.#flight === flight) this.#flight = undefined;
  }
}

interface Flight<T> {
  readonly landed: Promise<T>;
  readonly abort: AbortController;
  passengers: number;
}

function untilAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return promise;
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
