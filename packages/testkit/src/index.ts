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
  type FaultServer,
  type FaultServerOptions,
  startFaultServer,
} from './fault-server/fault-server.ts';
export { type Relay, startRelay } from './fault-server/relay.ts';
export { type ApiCall, isList, isWatch, isWrite } from './faults/api-call.ts';
export { CrashPoint, type CrashPointOptions } from './faults/crash-point.ts';
export {
  type CutKind,
  cutAfter,
  cutAfterLines,
  delayed,
  dropBookmarks,
  errorEvent,
  type Fault,
  failAfterEffect,
  lostAnswer,
  lostRequest,
  refusal,
  rewriteLine,
} from './faults/fault.ts';
export {
  always,
  type CallFilter,
  type FaultPlan,
  faultOn,
  firstOf,
  noFaults,
  ofCaller,
} from './faults/fault-plan.ts';
export { FaultScript } from './faults/fault-script.ts';
export { FaultyCalls, type FaultyCallsOptions } from './faults/faulty-calls.ts';
export { type LinkFault, linkFaults } from './faults/link-faults.ts';
export { type SeededPlanOptions, seededPlan } from './faults/seeded-plan.ts';
export { serveOver } from './faults/serve-over.ts';
export { type WatchFault, watchFaults } from './faults/watch-faults.ts';
export { ListWatchServer } from './list-watch-server.ts';
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
export { startTestCluster, type TestCluster, type TestClusterOptions } from './test-cluster.ts';
export { timePassesUntil } from './time-passes-until.ts';
export { VirtualClock, type VirtualClockOptions } from './virtual-clock.ts';
export { clientMessage, serverMessages, webSocketHeaders } from './web-socket-frames.ts';
