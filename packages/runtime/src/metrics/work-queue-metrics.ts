import { Counter, exponentialBuckets, Gauge, Histogram, type Registry } from 'prom-client';
import type { UnfinishedWork, WorkQueueObserver } from '../queue/work-queue-observer.ts';

/** client-go's names; the two labels say the same, as they do in controller-runtime. */
const labelNames = ['name', 'controller'] as const;

/** From ten nanoseconds to a thousand seconds, as client-go has them. */
const buckets = exponentialBuckets(10e-9, 10, 12);

/** The queues of one process, each under its name. */
export class WorkQueueMetrics {
  readonly #depth: Gauge<(typeof labelNames)[number]>;
  readonly #adds: Counter<(typeof labelNames)[number]>;
  readonly #retries: Counter<(typeof labelNames)[number]>;
  readonly #waits: Histogram<(typeof labelNames)[number]>;
  readonly #works: Histogram<(typeof labelNames)[number]>;
  readonly #unfinished = new Map<string, () => UnfinishedWork>();

  constructor(registry: Registry) {
    const registers = [registry];
    this.#depth = new Gauge({
      name: 'workqueue_depth',
      help: 'Keys that could be taken right now',
      labelNames,
      registers,
    });
    this.#adds = new Counter({
      name: 'workqueue_adds_total',
      help: 'Keys added that were not waiting already',
      labelNames,
      registers,
    });
    this.#retries = new Counter({
      name: 'workqueue_retries_total',
      help: 'Keys that came back through the rate limiter',
      labelNames,
      registers,
    });
    this.#waits = new Histogram({
      name: 'workqueue_queue_duration_seconds',
      help: 'How long keys waited before they were taken',
      labelNames,
      buckets,
      registers,
    });
    this.#works = new Histogram({
      name: 'workqueue_work_duration_seconds',
      help: 'How long keys were worked on',
      labelNames,
      buckets,
      registers,
    });
    this.#registerScraped(registry);
  }

  queue(name: string): WorkQueueObserver {
    const labels = { name, controller: name };
    const depth = this.#depth.labels(labels);
    const adds = this.#adds.labels(labels);
    const retries = this.#retries.labels(labels);
    const waits = this.#waits.labels(labels);
    const works = this.#works.labels(labels);
    depth.set(0);
    adds.inc(0);
    retries.inc(0);
    return {
      added: () => adds.inc(),
      depthChanged: (keys) => depth.set(keys),
      retried: () => retries.inc(),
      taken: (waitedSeconds) => waits.observe(waitedSeconds),
      finished: (workedSeconds) => works.observe(workedSeconds),
    };
  }

  /** Where to read, at every scrape, what the queue's workers are busy with. */
  readUnfinished(name: string, unfinishedWork: () => UnfinishedWork): void {
    this.#unfinished.set(name, unfinishedWork);
  }

  #registerScraped(registry: Registry): void {
    const unfinished = this.#unfinished;
    const scraped = (name: string, help: string, member: keyof UnfinishedWork) =>
      new Gauge({
        name,
        help,
        labelNames,
        registers: [registry],
        collect() {
          for (const [queue, read] of unfinished)
            this.set({ name: queue, controller: queue }, read()[member]);
        },
      });
    scraped(
      'workqueue_unfinished_work_seconds',
      'How long the keys in work have been worked on, summed; grows without end when one is stuck',
      'totalSeconds',
    );
    scraped(
      'workqueue_longest_running_processor_seconds',
      'How long the key that has been in work the longest has been worked on',
      'longestSeconds',
    );
  }
}
