/** What a promise was rejected with; fulfilled is a failure. */
export async function rejection(promise: Promise<unknown>): Promise<unknown> {
  const outcome = await promise.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
  if ('error' in outcome) return outcome.error;
  throw new Error(`Expected a rejection, but got ${JSON.stringify(outcome.value)}`);
}
