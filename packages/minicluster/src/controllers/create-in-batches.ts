/**
 * Calls `create` so often, in parallel batches that start at one and double: when the server refuses, as with a quota
 * that is used up, it is asked once or twice in vain, not hundreds of times. Throws the first failure.
 */
export async function createInBatches(count: number, create: () => Promise<void>): Promise<void> {
  let remaining = count;
  for (let size = 1; remaining > 0; size *= 2) {
    const batch = Math.min(size, remaining);
    const outcomes = await Promise.allSettled(Array.from({ length: batch }, create));
    const failed = outcomes.find((outcome) => outcome.status === 'rejected');
    if (failed) throw failed.reason;
    remaining -= batch;
  }
}
