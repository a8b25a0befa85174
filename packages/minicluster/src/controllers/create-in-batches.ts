/**
 * Calls `create` so often, with 0, 1, 2 …, in parallel batches that start at one and double: when the server refuses, as with a quota
 * that is used up, it is asked once or twice in vain, not hundreds of times. Throws the first failure.
 */
export async function createInBatches(
  count: number,
  create: (position: number) => Promise<void>,
): Promise<void> {
  let done = 0;
  for (let size = 1; done < count; size *= 2) {
    const length = Math.min(size, count - done);
    const batch = Array.from({ length }, (_, index) => create(done + index));
    const outcomes = await Promise.allSettled(batch);
    const failed = outcomes.find((outcome) => outcome.status === 'rejected');
    if (failed) throw failed.reason;
    done += length;
  }
}
