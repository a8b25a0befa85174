/** Indexes as the status of a job writes them: `0,2-5`. Those of which there are none are left out. */
export function parseIndexes(text: string | undefined, completions: number): ReadonlySet<number> {
  const ranges = (text ?? '').split(',').flatMap((part) => {
    const [, first, last = first] = /^(\d+)(?:-(\d+))?$/.exec(part) ?? [];
    return first === undefined ? [] : [[Number(first), Number(last)] as const];
  });
  const indexes = new Set<number>();
  for (const [first, last] of ranges) {
    for (let index = first; index <= Math.min(last, completions - 1); index++) indexes.add(index);
  }
  return indexes;
}

/** Three in a row or more become a range. */
export function formatIndexes(indexes: ReadonlySet<number>): string {
  const ranges: { first: number; last: number }[] = [];
  for (const index of [...indexes].toSorted((a, b) => a - b)) {
    const range = ranges.at(-1);
    if (range && index === range.last + 1) range.last = index;
    else ranges.push({ first: index, last: index });
  }
  return ranges.map(rangeText).join(',');
}

function rangeText({ first, last }: { readonly first: number; readonly last: number }): string {
  if (first === last) return String(first);
  return last === first + 1 ? `${first},${last}` : `${first}-${last}`;
}
