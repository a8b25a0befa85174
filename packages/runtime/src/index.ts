export type { CachedReader } from './cache/cached-reader.ts';
export { confirmAbsent } from './cache/confirm-absent.ts';
export { Informer, type InformerOptions, startInformer } from './cache/informer.ts';
export { NamespacedInformers } from './cache/namespaced-informers.ts';
export { SharedInformers } from './cache/shared-informers.ts';
export { keepAlive, systemClock } from './clock.ts';
export { mapped, primary } from './controller/cache-sources.ts';
export { Controller, type ControllerOptions, startController } from './controller/controller.ts';
export { external } from './controller/external-source.ts';
export {
  done,
  type Outcome,
  requeueAfter,
  TerminalError,
} from './controller/outcome.ts';
export { labelsChanged } from './controller/predicates.ts';
export type { ReconcileContext } from './controller/reconcile-run.ts';
export type { Source } from './controller/source.ts';
export { fenceClient } from './election/fence-client.ts';
export { type LeaderElection, startLeaderElection } from './election/leader-election.ts';
export { LeadershipLostError } from './election/leadership-term.ts';
export {
  type EventRecorder,
  startEventRecorder,
} from './events/event-recorder.ts';
export type { RecordedEvent } from './events/forge-event.ts';
export { TokenBucket } from './events/token-bucket.ts';
export {
  ensureFinalizer,
  hasFinalizer,
  removeFinalizer,
  withFinalizer,
} from './finalizer.ts';
export { identifyProcess } from './identify-process.ts';
export {
  createLogger,
  type LogDestination,
  type Logger,
  type LogLevel,
  silentLogger,
} from './log/log.ts';
export { type ManagerOptions, startManager } from './manager/manager.ts';
export { startMemoryKeeper } from './manager/memory-keeper.ts';
export { ownProcess } from './manager/own-process.ts';
export {
  inOrder,
  onlyLeader,
  type Runnable,
  runDisposable,
  type StopOptions,
  type Stoppable,
  together,
} from './manager/runnable.ts';
export { Metrics } from './metrics/metrics.ts';
export { observeClient } from './metrics/observe-client.ts';
export { type BackoffPolicy, backoffMs } from './queue/backoff.ts';
export { systemRandom } from './random.ts';
export { ServiceRanges } from './service-ranges.ts';
export { settlesWithin } from './settles-within.ts';
export { writeStatus } from './status-writer.ts';
