const exitSignals = ['SIGTERM', 'SIGINT'] as const;
type ExitSignal = (typeof exitSignals)[number];

/** Where the signals of the operating system arrive: `process`, or whatever a test raises them with. */
export interface SignalSource {
  on(signal: ExitSignal, listener: () => void): unknown;
  off(signal: ExitSignal, listener: () => void): unknown;
}

export interface ExitHandlers {
  /** The first signal: end in an orderly way. */
  onFirst(signal: ExitSignal): void;
  /** Any further one: somebody is out of patience. */
  onAgain(signal: ExitSignal): void;
}

/** Listens until disposed of. */
export function onExitSignals(source: SignalSource, handlers: ExitHandlers): Disposable {
  let signals = 0;
  const listeners = exitSignals.map((signal) => ({
    signal,
    listener: () => (signals++ === 0 ? handlers.onFirst(signal) : handlers.onAgain(signal)),
  }));
  for (const { signal, listener } of listeners) source.on(signal, listener);
  return {
    [Symbol.dispose]: () => {
      for (const { signal, listener } of listeners) source.off(signal, listener);
    },
  };
}
