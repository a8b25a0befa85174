/** A door of its own: who only wants real clusters has no use for the suites that judge them. */
export { assetsFolder, findAssets } from './real-cluster/assets-folder.ts';
export { Component, type ComponentPlan } from './real-cluster/component.ts';
export { type Link, link } from './real-cluster/link/link.ts';
export type { RealNode } from './real-cluster/node/real-node.ts';
export { planCluster, type RealClusterOptions } from './real-cluster/plan-cluster.ts';
export type { RealCluster } from './real-cluster/real-cluster.ts';
export { startRealCluster } from './real-cluster/start-real-cluster.ts';
