export { connectSubject } from './conformance/cluster-subject.ts';
export { conformance } from './conformance/conformance.ts';
export { nodeAgent } from './conformance/node-agent.ts';
export { nodeLifecycle } from './conformance/node-lifecycle.ts';
export type {
  GetSubject,
  GetSubjectWithUsers,
  Identity,
  Subject,
  SubjectWithUsers,
} from './conformance/subject.ts';
export { startEchoKubelet } from './echo-kubelet.ts';
export { type EventuallyOptions, eventually } from './eventually.ts';
export { startConnectProxy } from './fault-server/connect-proxy.ts';
export { type ConnectionToOptions, connectionTo } from './fault-server/connection-to.ts';
export {
  cutAfter,
  dropBookmarks,
  errorEvent,
  type Fault,
  failAfterEffect,
  refusal,
  rewriteLine,
} from './fault-server/fault.ts';
export { isList, isWatch, isWrite } from './fault-server/fault-plan.ts';
export {
  type FaultServer,
  type FaultServerOptions,
  startFaultServer,
} from './fault-server/fault-server.ts';
export { type Relay, startRelay } from './fault-server/relay.ts';
export { type WatchFault, watchFaults } from './fault-server/watch-faults.ts';
export { FaultyLink, type LinkFault } from './faulty-link.ts';
export { ListWatchServer } from './list-watch-server.ts';
export { ObjectServer } from './object-server.ts';
export { ProcessClock } from './process-clock.ts';
export {
  type CertificateAuthority,
  createCertificateAuthority,
  type KeyPair,
} from './real-cluster/certificate-authority.ts';
export type { RealCluster } from './real-cluster/real-cluster.ts';
export { type RealClusterOptions, startRealCluster } from './real-cluster/start-real-cluster.ts';
export { rejection } from './rejection.ts';
export { seededRandom } from './seeded-random.ts';
export { timePassesUntil } from './time-passes-until.ts';
export { VirtualClock, type VirtualClockOptions } from './virtual-clock.ts';
