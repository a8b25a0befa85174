export { type EmbeddedOptions, embeddedKubernetes } from './embedded-kubernetes.ts';
export { type Credentials, createKubeconfig, introduce } from './introduce.ts';
export type { Kubernetes, Peer, WorldCluster } from './kubernetes.ts';
export { startWorld, type WorldOptions } from './start-world.ts';
export type { WantedApp, WantedNode, Wish } from './wish.ts';
export type { World } from './world.ts';
