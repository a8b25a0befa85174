export type { CachedReader } from './cache/cached-reader.ts';
export { compareResourceVersions } from './cache/compare-resource-versions.ts';
export { confirmAbsent } from './cache/confirm-absent.ts';
export type { IndexFunction, IndexFunctions } from './cache/indexed-store.ts';
export { Informer, type InformerOptions, startInformer } from './cache/informer.ts';
export type { Transform } from './cache/object-cache.ts';
export type { ObjectHandlers } from './cache/object-handlers.ts';
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
  type TerminalErrorOptions,
} from './controller/outcome.ts';
export { labelsChanged } from './controller/predicates.ts';
export type { OnTerminalError, Reconcile, ReconcileContext } from './controller/reconcile-run.ts';
export type { Source } from './controller/source.ts';
export { fenceClient } from './election/fence-client.ts';
export {
  type LeaderElection,
  type LeaderElectionOptions,
  startLeaderElection,
} from './election/leader-election.ts';
export { LeadershipLostError, type LeaderWork } from './election/leadership-term.ts';
export {
  type EventRecorder,
  type EventRecorderOptions,
  startEventRecorder,
} from './events/event-recorder.ts';
export type { EventReporter, RecordedEvent } from './events/forge-event.ts';
export {
  ensureFinalizer,
  type Finalized,
  hasFinalizer,
  removeFinalizer,
  withFinalizer,
} from './finalizer.ts';
export { identifyProcess } from './identify-process.ts';
export {
  createLogger,
  type LogDestination,
  type Logger,
  type LoggerOptions,
  type LogLevel,
  silentLogger,
} from './log/log.ts';
export type { LogFields } from './log/log-fields.ts';
export type { SignalSource } from './manager/exit-signals.ts';
export type { HealthCheck, HealthChecks } from './manager/health-checks.ts';
export { type Manager, type ManagerOptions, startManager } from './manager/manager.ts';
export { startMemoryKeeper } from './manager/memory-keeper.ts';
export { ownProcess } from './manager/own-process.ts';
export type { Listener } from './manager/process-pages.ts';
export {
  inOrder,
  onlyLeader,
  type Runnable,
  runDisposable,
  type StopOptions,
  type Stoppable,
  together,
} from './manager/runnable.ts';
export { Metrics, type MetricsOptions } from './metrics/metrics.ts';
export { observeClient } from './metrics/observe-client.ts';
export { type BackoffPolicy, backoffMs } from './queue/backoff.ts';
export { WorkQueue, type WorkQueueOptions } from './queue/work-queue.ts';
export { systemRandom } from './random.ts';
export { settlesWithin } from './settles-within.ts';
export { type StatusObject, writeStatus } from './status-writer.ts';
