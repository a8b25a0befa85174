import type { UnfinishedWork, WorkQueueObserver } from '../queue/work-queue-observer.ts';

/** How a reconcile ended, in controller-runtime's words. A conflict is a `requeue`: normal life, tried again at once. */
export type ReconcileResult = 'success' | 'error' | 'requeue' | 'requeue_after';

/** What sort of `error`: a `panic` is a mistake in the code, such as a `TypeError`. */
export type ReconcileFailure = 'ordinary' | 'terminal' | 'panic' | 'timeout';

export interface ReconcileReport {
  readonly result: ReconcileResult;
  readonly seconds: number;
  /** Present exactly when the result is `error`. */
  readonly failure?: ReconcileFailure;
}

/** What a controller tells whoever measures it. The names beside are controller-runtime's. */
export interface ControllerObserver {
  readonly queue: WorkQueueObserver;
  /**
   * Called once, when the controller starts: `controller_runtime_max_concurrent_reconciles`, and where to read what is
   * running whenever metrics are scraped.
   */
  started(concurrency: number, unfinishedWork: () => UnfinishedWork): void;
  /** `controller_runtime_active_workers` */
  activeWorkersChanged(active: number): void;
  /**
   * `controller_runtime_reconcile_total{result}`, `controller_runtime_reconcile_time_seconds`, and for an error
   * `controller_runtime_reconcile_errors_total` plus, by failure, `controller_runtime_terminal_reconcile_errors_total`,
   * `controller_runtime_reconcile_panics_total` or `controller_runtime_reconcile_timeouts_total`.
   */
  reconciled(report: ReconcileReport): void;
}

/** Measures the controllers of one process, each under its name. */
export interface ControllerMetrics {
  controller(name: string): ControllerObserver;
}
