import type { PathElement } from './path-element.ts';

/** Which item comes next: the applied one at an index, merged with its live counterpart, or a live one as it is. */
export interface MergeStep {
  readonly from: 'applied' | 'live';
  readonly index: number;
}

/**
 * The order of a merged list: items of both keep the order of the applied list, items of one stay where they are
 * between them. Live items may repeat; those that were applied too then appear once.
 */
export function mergeOrder(
  live: readonly PathElement[],
  applied: readonly PathElement[],
): MergeStep[] {
  const isLive = new Set(live);
  const isApplied = new Set(applied);
  const shared = applied.filter((element) => isLive.has(element));
  const merged = new Set<PathElement>();
  const steps: MergeStep[] = [];
  let [liveIndex, appliedIndex, nextShared] = [0, 0, 0];

  const takeApplied = (element: PathElement) => {
    merged.add(element);
    steps.push({ from: 'applied', index: appliedIndex });
    appliedIndex += 1;
    if (shared[nextShared] === element) nextShared += 1;
  };

  while (liveIndex < live.length || appliedIndex < applied.length) {
    const [left, right] = [live[liveIndex], applied[appliedIndex]];
    if (left !== undefined && left === right) {
      takeApplied(left);
      liveIndex += 1;
      continue;
    }
    if (left !== undefined && !isApplied.has(left)) {
      steps.push({ from: 'live', index: liveIndex });
      liveIndex += 1;
      continue;
    }
    const isAwaited = nextShared < shared.length && shared[nextShared] === left;
    const isOutOfTurn = left !== undefined && right !== undefined && nextShared < shared.length;
    if (isOutOfTurn && !isAwaited) {
      liveIndex += 1;
      continue;
    }
    if (left !== undefined && merged.has(left)) liveIndex += 1;
    if (right !== undefined) takeApplied(right);
  }
  return steps;
}
