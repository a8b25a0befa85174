import { controllerManagerName } from '../info/server-version.ts';
import { broken, type ChainFacts, type Link, type Route } from './chain.ts';
import { judgeNamespace } from './judge-namespace.ts';
import { judgeNode } from './judge-node.ts';
import { podLink, quotaLink } from './judge-pod.ts';
import { apiServerLink, judgeRoute, peerLink, sliceLink } from './judge-route.ts';

export interface Diagnosis {
  /** From the object that was asked about down to the API server of the provider. */
  readonly chain: readonly Link[];
  /** The link that is broken by itself; undefined if all links hold. */
  readonly cause: Link | undefined;
}

/** Walks the chain, and finds the first broken link that no broken link behind it explains. */
export function diagnose(facts: ChainFacts): Diagnosis {
  const chain = facts.routes.length > 0 ? bestChain(facts) : chainOf(facts, undefined);
  return { chain, cause: findCause(chain, facts) };
}

function findCause(chain: readonly Link[], { unattended }: ChainFacts): Link | undefined {
  const faults = chain.filter(({ problem }) => problem !== undefined);
  const cause = faults.find(({ problem }) => problem?.mayFollow !== true) ?? faults.at(-1);
  if (!cause?.problem?.isPending || !unattended) return cause;
  const { why, isInstalled } = unattended;
  const command = isInstalled ? 'kubectl describe pods -n liqo' : 'liqoctl install';
  return {
    link: 'controllers',
    object: `Deployment "${controllerManagerName}"`,
    problem: broken('ControllersNotRunning', why, command),
  };
}

/** A pod without a Node can go to any of them: one that holds is enough. */
function bestChain(facts: ChainFacts): readonly Link[] {
  const chains = facts.routes.map((route) => chainOf(facts, route));
  const holds = (chain: readonly Link[]) =>
    chain.every(({ link, problem }) => problem === undefined || link === 'pod');
  return chains.find(holds) ?? chains[0] ?? [];
}

function chainOf(facts: ChainFacts, route: Route | undefined): readonly Link[] {
  const { pod, slice, foreignCluster } = facts;
  const isBound = Boolean(pod?.spec?.nodeName);
  const isLocal = isBound && pod?.spec?.nodeName !== route?.virtualNode.metadata.name;
  const podFacts = pod && { pod, isOffloaded: isBound && !isLocal };
  const above = [...(podFacts ? [podLink(podFacts)] : []), ...namespaceLinks(facts, route)];
  if (isLocal) return above;
  if (!route) {
    return [
      ...above,
      ...(pod ? [noVirtualNode] : []),
      ...(slice ? [sliceLink(slice)] : []),
      ...(foreignCluster ? [peerLink(foreignCluster), apiServerLink(foreignCluster)] : []),
    ];
  }
  const quota = podFacts ? [quotaLink(podFacts, route.slice)] : [];
  return [...above, judgeNode(route, pod), ...insertBefore(judgeRoute(route), 'identity', quota)];
}

function namespaceLinks(facts: ChainFacts, route: Route | undefined): readonly Link[] {
  const { namespace, offloading, pod } = facts;
  if (!namespace) return [];
  const providerID = pod?.spec?.nodeName ? route?.virtualNode.spec.clusterID : undefined;
  const problem = judgeNamespace({ namespace, offloading, providerID });
  return [{ link: 'namespace', object: `Namespace "${namespace.metadata.name}"`, problem }];
}

const noVirtualNode: Link = {
  link: 'virtual node',
  object: 'VirtualNode',
  problem: broken(
    'NoVirtualNode',
    'this cluster has no virtual node',
    'liqoctl peer --remote-kubeconfig FILE',
  ),
};

function insertBefore(links: readonly Link[], name: string, added: readonly Link[]) {
  const at = links.findIndex(({ link }) => link === name);
  return [...links.slice(0, at), ...added, ...links.slice(at)];
}
