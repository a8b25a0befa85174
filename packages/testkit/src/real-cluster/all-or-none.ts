/** Runs all of them at once. When one fails the others are told to stop, waited for, and the first failure is thrown. */
export async function allOrNone<T extends readonly unknown[]>(
  tasks: { readonly [K in keyof T]: (signal: AbortSignal) => Promise<T[K]> },
  signal: AbortSignal,
): Promise<T> {
  const failure = new AbortController();
  const either = AbortSignal.any([signal, failure.signal]);
  const running = tasks.map((task) =>
    task(either).catch((error: unknown) => {
      failure.abort(error);
      throw error;
    }),
  );
  await Promise.allSettled(running);
  failure.signal.throwIfAborted();
  return (await Promise.all(running)) as unknown as T;
}
