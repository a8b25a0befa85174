/** A door of its own: whole clusters take long to load, and most tests can do without. */
export { connectSubject } from './conformance/cluster-subject.ts';
export {
  apiConformance,
  conformance,
  controllerConformance,
} from './conformance/conformance.ts';
export { nodeAgent } from './conformance/node-agent.ts';
export { nodeLifecycle } from './conformance/node-lifecycle.ts';
export type { SubjectWithUsers } from './conformance/subject.ts';
export { type LiqoProvider, startLiqoProvider } from './liqo-provider/liqo-provider.ts';
export { type QuietWorld, type Rights, startQuietWorld } from './quiet-world.ts';
export { startTestCluster, type TestCluster } from './test-cluster.ts';
