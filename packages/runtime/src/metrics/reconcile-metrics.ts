import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type {
  ControllerObserver,
  ReconcileFailure,
  ReconcileResult,
} from '../controller/controller-observer.ts';

/** controller-runtime's, so that its dashboards and alerts fit. */
const reconcileBuckets = [
  0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7, 0.8, 0.9, 1,
  1.25, 1.5, 1.75, 2, 2.5, 3, 3.5, 4, 4.5, 5, 6, 7, 8, 9, 10, 15, 20, 25, 30, 40, 50, 60,
];

const results: readonly ReconcileResult[] = ['success', 'error', 'requeue', 'requeue_after'];

type PerController = 'controller';

/** The controllers of one process, each under its name, without their queues. */
export class ReconcileMetrics {
  readonly #total: Counter<PerController | 'result'>;
  readonly #errors: Counter<PerController>;
  readonly #failures: Readonly<
    Record<Exclude<ReconcileFailure, 'ordinary'>, Counter<PerController>>
  >;
  readonly #seconds: Histogram<PerController>;
  readonly #concurrency: Gauge<PerController>;
  readonly #active: Gauge<PerController>;

  constructor(registry: Registry) {
    const common = { labelNames: ['controller'] as const, registers: [registry] };
    const counter = (name: string, help: string) => new Counter({ ...common, name, help });
    this.#total = new Counter({
      ...common,
      name: 'controller_runtime_reconcile_total',
      help: 'Reconciles, by how they ended',
      labelNames: ['controller', 'result'],
    });
    this.#errors = counter('controller_runtime_reconcile_errors_total', 'Reconciles that threw');
    this.#failures = {
      terminal: counter(
        'controller_runtime_terminal_reconcile_errors_total',
        'Reconciles that threw what only a person can help',
      ),
      panic: counter(
        'controller_runtime_reconcile_panics_total',
        'Reconciles that ran into a mistake in the code',
      ),
      timeout: counter(
        'controller_runtime_reconcile_timeouts_total',
        'Reconciles that ran out of time',
      ),
    };
    this.#seconds = new Histogram({
      ...common,
      name: 'controller_runtime_reconcile_time_seconds',
      help: 'How long reconciles took',
      buckets: reconcileBuckets,
    });
    this.#concurrency = new Gauge({
      ...common,
      name: 'controller_runtime_max_concurrent_reconciles',
      help: 'How many reconciles may run at the same time',
    });
    this.#active = new Gauge({
      ...common,
      name: 'controller_runtime_active_workers',
      help: 'How many reconciles are running',
    });
  }

  controller(controller: string): Pick<
    ControllerObserver,
    'activeWorkersChanged' | 'reconciled'
  > & {
    started(concurrency: number): void;
  } {
    this.#startAtZero(controller);
    return {
      started: (concurrency) => this.#concurrency.set({ controller }, concurrency),
      activeWorkersChanged: (active) => this.#active.set({ controller }, active),
      reconciled: ({ result, seconds, failure }) => {
        this.#total.inc({ controller, result });
        this.#seconds.observe({ controller }, seconds);
        if (failure === undefined) return;
        this.#errors.inc({ controller });
        if (failure !== 'ordinary') this.#failures[failure].inc({ controller });
      },
    };
  }

  /** A series that appears with its first failure has no rate at that moment: the alert would miss it. */
  #startAtZero(controller: string): void {
    for (const result of results) this.#total.inc({ controller, result }, 0);
    this.#errors.inc({ controller }, 0);
    for (const counter of Object.values(this.#failures)) counter.inc({ controller }, 0);
    this.#active.set({ controller }, 0);
  }
}
