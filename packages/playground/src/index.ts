export { type EmbeddedOptions, embeddedKubernetes } from './embedded-kubernetes.ts';
export type { Kubernetes, WorldCluster } from './kubernetes.ts';
export { startWorld, type WorldOptions } from './start-world.ts';
export type { WantedApp, WantedNode, Wish } from './wish.ts';
export {
  type ClusterOptions,
  type Credentials,
  createKubeconfig,
  introduce,
  startCluster,
  type World,
} from './world.ts';
