import { eventually } from '@liqo/testkit';

export interface Recovery {
  readonly tookMs: number;
  /** The last problem before the recovery; absent when there was none. */
  readonly lastReason?: string;
}

const intervalMs = 250;

/** Polls until `whyNot` reports no problem. Rejects with the last problem once `limitMs` of wall-clock time have passed. */
export async function awaitRecovery(
  whyNot: () => Promise<string | undefined>,
  limitMs: number,
): Promise<Recovery> {
  const startedMs = performance.now();
  let lastReason: string | undefined;
  await eventually(
    async () => {
      const reason = await whyNot();
      if (reason === undefined) return;
      lastReason = reason;
      throw new Error(reason);
    },
    { timeoutMs: limitMs, intervalMs },
  );
  const tookMs = performance.now() - startedMs;
  return { tookMs, ...(lastReason !== undefined && { lastReason }) };
}
