import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { ControllerMetrics, ControllerObserver } from '../controller/controller-observer.ts';
import type { LeadershipObserver } from '../election/leader-election.ts';
import type { ObservedRequest, RequestObserver } from './observe-client.ts';
import { ReconcileMetrics } from './reconcile-metrics.ts';
import { WorkQueueMetrics } from './work-queue-metrics.ts';

export interface MetricsOptions {
  /** Also CPU, memory, garbage collection and event loop of the process. Once per process. */
  readonly process?: boolean;
}

interface GaugeOptions {
  readonly help: string;
  /** Its name. Its values must be few: each one is a series. */
  readonly label: string;
}

export interface LabelledGauge {
  set(labelValue: string, value: number): void;
  remove(labelValue: string): void;
}

/**
 * What one process measures, under the names that controller-runtime and client-go use, in a registry of its own: two
 * of these in one process know nothing of each other.
 */
export class Metrics implements ControllerMetrics, LeadershipObserver, RequestObserver {
  /** For a component's own metrics. */
  readonly registry = new Registry();
  readonly #reconciles = new ReconcileMetrics(this.registry);
  readonly #queues = new WorkQueueMetrics(this.registry);
  readonly #leading: Gauge<'name'>;
  readonly #requests: Counter<keyof ObservedRequest>;
  readonly #gauges = new Map<string, LabelledGauge>();

  constructor(options: MetricsOptions = {}) {
    const registers = [this.registry];
    this.#leading = new Gauge({
      name: 'leader_election_master_status',
      help: '1 for the one that leads, 0 for those that wait',
      labelNames: ['name'],
      registers,
    });
    this.#requests = new Counter({
      name: 'rest_client_requests_total',
      help: 'Requests to API servers, by status, method and host',
      labelNames: ['code', 'host', 'method'],
      registers,
    });
    if (options.process) collectDefaultMetrics({ register: this.registry });
  }

  controller(name: string): ControllerObserver {
    const reconciles = this.#reconciles.controller(name);
    return {
      ...reconciles,
      queue: this.#queues.queue(name),
      started: (concurrency, unfinishedWork) => {
        reconciles.started(concurrency);
        this.#queues.readUnfinished(name, unfinishedWork);
      },
    };
  }

  leading(name: string, leads: boolean): void {
    this.#leading.set({ name }, leads ? 1 : 0);
  }

  requested(request: ObservedRequest): void {
    this.#requests.inc({ ...request });
  }

  /** A gauge of a component, with one label. The same name is the same gauge. */
  gauge(name: string, { help, label }: GaugeOptions): LabelledGauge {
    const known = this.#gauges.get(name);
    if (known) return known;
    const gauge = new Gauge({ name, help, labelNames: [label], registers: [this.registry] });
    const labelled: LabelledGauge = {
      set: (labelValue, value) => gauge.set({ [label]: labelValue }, value),
      remove: (labelValue) => gauge.remove({ [label]: labelValue }),
    };
    this.#gauges.set(name, labelled);
    return labelled;
  }

  /** Everything, in the text format of Prometheus. */
  text(): Promise<string> {
    return this.registry.metrics();
  }

  get contentType(): string {
    return this.registry.contentType;
  }
}
