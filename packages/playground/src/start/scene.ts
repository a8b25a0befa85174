import type { WantedApp, WantedNode, Wish } from '../wish.ts';

/** What the tour shows. */
export interface Scene extends Wish {
  /** The virtual node that is looked at most. */
  readonly node: WantedNode;
  readonly app: WantedApp;
}

/** The first cluster borrows from all others; the first of these is the node "mynode". */
export function composeScene([consumer = '', ...providers]: readonly string[]): Scene {
  const virtualNodes = providers.map((provider, i) => ({
    name: i === 0 ? 'mynode' : `mynode-${provider}`,
    provider,
  }));
  const [node = { name: 'mynode', provider: '' }] = virtualNodes;
  const app = { name: 'web', namespace: 'shop', replicas: 3 };
  return {
    consumer,
    providers,
    virtualNodes,
    offloaded: [app.namespace],
    apps: [app],
    node,
    app,
  };
}
