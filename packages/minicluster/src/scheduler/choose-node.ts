import type { Random } from '@liqo/kube';
import type { ClusterSnapshot } from './cluster-view.ts';
import type { NodeInfo } from './node-info.ts';
import type { NodeFilter, Rejection } from './plugin.ts';
import { filterPlugins, scorePlugins } from './plugins/default-plugins.ts';
import type { PodInfo } from './pod-info.ts';

export type Choice =
  | { readonly nodeName: string }
  | {
      /** One per node that was looked at. */
      readonly rejections: readonly Rejection[];
      /** The plugins that rejected nodes: what would have to change for another try. */
      readonly rejectedBy: ReadonlySet<string>;
      /** Why no node was looked at. */
      readonly refusal?: string;
    };

/** The best node for the pod, one of the best by chance; or why none will do. */
export function chooseNode(pod: PodInfo, cluster: ClusterSnapshot, random: Random): Choice {
  const refused = refuse(pod, cluster);
  if (refused) return refused;
  const { candidates, preselecting } = preselect(pod, cluster.nodes);
  const filters = filterPlugins.flatMap(({ name, prepare }) => {
    const filter = prepare(pod, cluster);
    return filter ? [{ name, filter }] : [];
  });
  const rejectedBy = new Set<string>(preselecting);
  const rejections = skippedRejections(cluster.nodes.length - candidates.length, preselecting);
  const feasible = candidates.filter((node) => {
    const rejected = firstRejection(filters, node);
    if (!rejected) return true;
    rejectedBy.add(rejected.name);
    rejections.push(rejected.rejection);
    return false;
  });
  const best = bestOf(pod, feasible, cluster, random);
  return best ? { nodeName: best.name } : { rejections, rejectedBy };
}

function refuse(pod: PodInfo, cluster: ClusterSnapshot): Choice | undefined {
  for (const plugin of filterPlugins) {
    const refusal = plugin.refuse?.(pod, cluster);
    if (refusal === undefined) continue;
    const rejections = cluster.nodes.map(() => ({ reasons: [], resolvable: false }));
    return { rejections, rejectedBy: new Set([plugin.name]), refusal };
  }
  return undefined;
}

interface Preselection {
  readonly candidates: readonly NodeInfo[];
  readonly preselecting: readonly string[];
}

function preselect(pod: PodInfo, nodes: readonly NodeInfo[]): Preselection {
  const preselecting: string[] = [];
  let candidates = nodes;
  for (const plugin of filterPlugins) {
    const names = plugin.preselect?.(pod);
    if (!names) continue;
    preselecting.push(plugin.name);
    candidates = candidates.filter((node) => names.has(node.name));
  }
  return { candidates, preselecting };
}

function skippedRejections(count: number, plugins: readonly string[]): Rejection[] {
  const reasons = [`node(s) didn't satisfy plugin(s) [${plugins.toSorted().join(' ')}]`];
  return Array.from({ length: count }, () => ({ reasons, resolvable: false }));
}

function firstRejection(
  filters: readonly { readonly name: string; readonly filter: NodeFilter }[],
  node: NodeInfo,
): { readonly name: string; readonly rejection: Rejection } | undefined {
  for (const { name, filter } of filters) {
    const rejection = filter(node);
    if (rejection) return { name, rejection };
  }
  return undefined;
}

function bestOf(
  pod: PodInfo,
  nodes: readonly NodeInfo[],
  cluster: ClusterSnapshot,
  random: Random,
): NodeInfo | undefined {
  if (nodes.length <= 1) return nodes[0];
  const totals = totalScores(pod, nodes, cluster);
  const highest = Math.max(...totals);
  const best = nodes.filter((_, index) => totals[index] === highest);
  return best[Math.floor(random() * best.length)];
}

function totalScores(
  pod: PodInfo,
  nodes: readonly NodeInfo[],
  cluster: ClusterSnapshot,
): readonly number[] {
  const totals = nodes.map(() => 0);
  for (const plugin of scorePlugins) {
    const scores = plugin.score(pod, nodes, cluster);
    for (const [index, score] of (scores ?? []).entries()) {
      totals[index] = (totals[index] ?? 0) + plugin.weight * score;
    }
  }
  return totals;
}
