/** A value that can change while the program runs. As long as it is the same, it is the same object. */
export interface LiveValue<T> {
  current(signal?: AbortSignal): Promise<T>;
  /** Looks for a new value right away, because the current one was refused. */
  refresh(signal?: AbortSignal): Promise<T>;
}

export function fixedValue<T>(value: T): LiveValue<T> {
  const current = async () => value;
  return { current, refresh: current };
}
