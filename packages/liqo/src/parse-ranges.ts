import { type IpRange, parseIpRange } from '@liqo/kube';
import { UsageError } from './flags.ts';

/** The ranges that a flag lists. */
export function parseRanges(
  command: string,
  flag: string,
  texts: readonly string[],
): readonly IpRange[] {
  return texts.map((text) => {
    const range = parseIpRange(text.trim());
    if (range) return range;
    throw new UsageError(
      `Cannot run "liqo ${command}": "--${flag}=${text}" is not a range such as 10.244.0.0/16`,
    );
  });
}
