/** The candidate that a misspelt word most likely stands for; nothing if none is near. */
export function closest(word: string, candidates: readonly string[]): string | undefined {
  const farthest = Math.max(1, Math.floor(word.replace(/^-+/, '').length / 3));
  const near = candidates
    .map((candidate) => ({ candidate, distance: editDistance(word, candidate) }))
    .filter(({ distance }) => distance <= farthest)
    .toSorted((a, b) => a.distance - b.distance);
  return near[0]?.candidate;
}

/** How many letters have to be added, dropped or changed. */
function editDistance(a: string, b: string): number {
  let above = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const changed = (above[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1);
      const dropped = (above[column] ?? 0) + 1;
      const added = (current[column - 1] ?? 0) + 1;
      current.push(Math.min(changed, dropped, added));
    }
    above = current;
  }
  return above[b.length] ?? 0;
}
