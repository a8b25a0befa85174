import { DurationError, parseDuration } from '@liqo/kube';

const second = 1_000_000_000n;

/** By the first letters of the unit, longest first. */
const units: readonly (readonly [string, bigint])[] = [
  ['nano', 1n],
  ['ns', 1n],
  ['micro', 1000n],
  ['us', 1000n],
  ['µs', 1000n],
  ['milli', 1_000_000n],
  ['ms', 1_000_000n],
  ['sec', second],
  ['min', 60n * second],
  ['hour', 3600n * second],
  ['hr', 3600n * second],
  ['day', 86_400n * second],
  ['week', 604_800n * second],
  ['wk', 604_800n * second],
  ['s', second],
  ['m', 60n * second],
  ['h', 3600n * second],
  ['d', 86_400n * second],
  ['w', 604_800n * second],
];

/** Nanoseconds of a text of format `duration`: as Go writes them, or in words (`5 minutes`). */
export function parseDurationFormat(text: string): bigint {
  try {
    return parseDuration(text);
  } catch (error) {
    const parts = [...text.matchAll(/(\d+)\s*([A-Za-zµ]+)/g)];
    const amounts = parts.map(([, count = '', unit = '']) => amountOf(BigInt(count), unit));
    if (amounts.length > 0 && !amounts.includes(undefined)) {
      return amounts.reduce<bigint>((sum, amount) => sum + (amount ?? 0n), 0n);
    }
    throw error instanceof DurationError ? error : new DurationError(String(error));
  }
}

function amountOf(count: bigint, unit: string): bigint | undefined {
  const found = units.find(([name]) => unit.toLowerCase().startsWith(name));
  return found && count * found[1];
}
