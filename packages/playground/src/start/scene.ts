import type { WantedApp, WantedNode, Wish } from '../wish.ts';

/** What the tour shows. */
export interface Scene extends Wish {
  /** The virtual node that is taken away and brought back. */
  readonly node: WantedNode;
  readonly app: WantedApp;
}

/** The first cluster borrows from all others; the first of these is the node "mynode". */
export function composeScene(
  clusters: readonly string[],
  { byHand = false, unpeered = false, offers = false } = {},
): Scene {
  const [consumer = '', ...providers] = clusters;
  const virtualNodes = nodesOf(providers, { byHand, offers });
  const node = virtualNodes.find(({ name }) => name === 'mynode');
  const app = { name: 'web', namespace: 'shop', replicas: 3, hasSettings: !offers };
  return {
    consumer,
    providers,
    byHand,
    unpeered,
    virtualNodes,
    ...(offers && { offers: { percentage: 50, most: 2 } }),
    offloaded: [app.namespace],
    apps: [app],
    node: node ?? { name: 'mynode', provider: '' },
    app,
  };
}

function nodesOf(
  providers: readonly string[],
  { byHand, offers }: { readonly byHand: boolean; readonly offers: boolean },
): readonly WantedNode[] {
  if (offers) return [];
  return byHand ? nodesByHand(providers) : nodesOfSlices(providers);
}

function nodesByHand(providers: readonly string[]): readonly WantedNode[] {
  return providers.map((provider, i) => ({
    name: i === 0 ? 'mynode' : `mynode-${provider}`,
    provider,
  }));
}

/** A slice of every provider, and a second node on the first one. */
function nodesOfSlices([first = '', ...others]: readonly string[]): readonly WantedNode[] {
  return [
    { name: 'mypool', provider: first },
    { name: 'mynode', provider: first, sharing: 'mypool' },
    ...others.map((provider) => ({ name: `mypool-${provider}`, provider })),
  ];
}
