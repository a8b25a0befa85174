export { embeddedKubernetes } from './embedded-kubernetes.ts';
export { createKubeconfig, introduce } from './introduce.ts';
export type { Kubernetes, Peer } from './kubernetes.ts';
export { startWorld } from './start-world.ts';
export type { World } from './world.ts';
