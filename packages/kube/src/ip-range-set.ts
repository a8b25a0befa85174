import type { IpAddress, IpRange } from './ip-address.ts';

interface Interval {
  readonly first: bigint;
  readonly last: bigint;
}

/** Addresses in any of many ranges, found in logarithmic time: a large cluster has thousands of ranges. */
export class IpRangeSet {
  readonly #intervals: Readonly<Record<IpAddress['family'], readonly Interval[]>>;

  constructor(ranges: readonly IpRange[]) {
    this.#intervals = { 4: merged(ranges, 4), 6: merged(ranges, 6) };
  }

  has({ family, value }: IpAddress): boolean {
    const intervals = this.#intervals[family];
    let [low, high] = [0, intervals.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      const { first, last } = intervals[middle] as Interval;
      if (value >= first && value <= last) return true;
      if (value < first) high = middle;
      else low = middle + 1;
    }
    return false;
  }

  /** Whether both have the same addresses. */
  equals(other: IpRangeSet): boolean {
    return ([4, 6] as const).every((family) => {
      const [ours, theirs] = [this.#intervals[family], other.#intervals[family]];
      return (
        ours.length === theirs.length &&
        ours.every(({ first, last }, nth) => {
          const same = theirs[nth];
          return same?.first === first && same.last === last;
        })
      );
    });
  }
}

/** In order, without overlaps or gaps between neighbours. */
function merged(ranges: readonly IpRange[], family: IpAddress['family']): readonly Interval[] {
  const intervals = ranges
    .filter(({ base }) => base.family === family)
    .map(intervalOf)
    .sort((a, b) => (a.first < b.first ? -1 : 1));
  const result: Interval[] = [];
  for (const next of intervals) {
    const before = result.at(-1);
    if (!before || next.first > before.last + 1n) result.push(next);
    else if (next.last > before.last) result[result.length - 1] = { ...before, last: next.last };
  }
  return result;
}

function intervalOf({ base, prefix }: IpRange): Interval {
  const hostBits = BigInt((base.family === 4 ? 32 : 128) - prefix);
  const first = (base.value >> hostBits) << hostBits;
  return { first, last: first + (1n << hostBits) - 1n };
}
