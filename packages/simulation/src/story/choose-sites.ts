import type { CrashSite } from '@liqo/testkit/faults';

/** Which of the mishaps of a story are tried, in the order of the story. */
export type SiteChoice = (site: CrashSite) => boolean;

export const everySite: SiteChoice = () => true;

const mishaps: readonly CrashSite['when'][] = ['before', 'after', 'refused'];

/**
 * One mishap for each kind of write: by a process, with a verb, to a resource. The kinds meet the three mishaps in turn. Later writes of
 * a kind take the same way through the product. To be asked once for every site of a story, in order.
 */
export function oneOfEachKind(): SiteChoice {
  const kinds = new Map<string, number>();
  const tried = new Set<string>();
  return ({ process, when, call }) => {
    const kind = [process, call.verb, call.resource].join(' ');
    const number = kinds.get(kind) ?? kinds.size;
    kinds.set(kind, number);
    if (tried.has(kind) || when !== mishaps[number % mishaps.length]) return false;
    tried.add(kind);
    return true;
  };
}
