/** A door of its own: whole clusters take long to load, and most tests can do without. */
export { connectSubject } from './conformance/cluster-subject.ts';
export {
  apiConformance,
  conformance,
  controllerConformance,
} from './conformance/conformance.ts';
export { nodeAgent } from './conformance/node-agent.ts';
export { nodeLifecycle } from './conformance/node-lifecycle.ts';
export type {
  GetSubject,
  GetSubjectWithUsers,
  Identity,
  Subject,
  SubjectWithUsers,
} from './conformance/subject.ts';
export { Component, type ComponentPlan } from './real-cluster/component.ts';
export { type Link, link } from './real-cluster/link/link.ts';
export type { RealNode } from './real-cluster/node/real-node.ts';
export type { RealCluster } from './real-cluster/real-cluster.ts';
export { type RealClusterOptions, startRealCluster } from './real-cluster/start-real-cluster.ts';
export { startTestCluster, type TestCluster, type TestClusterOptions } from './test-cluster.ts';
