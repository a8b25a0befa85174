/** A door of its own: what is behind it takes long to load, and most tests can do without. */
export {
  type CrashSite,
  type CrashSweepReport,
  describeCrash,
  describeSite,
  sweepCrashes,
} from './crash-sweep/crash-sweep.ts';
export { describeWriteByKey, type ExtraWrite } from './crash-sweep/extra-writes.ts';
export {
  compareRecordings,
  type Recording,
  type Scene,
  type SceneObject,
} from './crash-sweep/recording.ts';
export { startConnectProxy } from './fault-server/connect-proxy.ts';
export { type ConnectionToOptions, connectionTo } from './fault-server/connection-to.ts';
export {
  type FaultServer,
  type FaultServerOptions,
  startFaultServer,
} from './fault-server/fault-server.ts';
export { type Relay, startRelay } from './fault-server/relay.ts';
export { type ApiCall, isList, isWatch, isWrite } from './faults/api-call.ts';
export { findCarelessWrites, refuseCarelessWrites } from './faults/careless-writes.ts';
export { CrashPoint } from './faults/crash-point.ts';
export { type Denial, DeniedCalls } from './faults/denied-calls.ts';
export {
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
} from './faults/fault.ts';
export {
  always,
  type FaultPlan,
  faultOn,
  firstOf,
  noFaults,
  ofCaller,
} from './faults/fault-plan.ts';
export { FaultScript } from './faults/fault-script.ts';
export { FaultyCalls } from './faults/faulty-calls.ts';
export { linkFaults } from './faults/link-faults.ts';
export { RefusalPoint } from './faults/refusal-point.ts';
export { seededPlan } from './faults/seeded-plan.ts';
export { serveOver } from './faults/serve-over.ts';
export { type WatchFault, watchFaults } from './faults/watch-faults.ts';
export { ListWatchServer } from './list-watch-server.ts';
export {
  type CertificateAuthority,
  createCertificateAuthority,
  type KeyPair,
} from './real-cluster/certificate-authority.ts';
