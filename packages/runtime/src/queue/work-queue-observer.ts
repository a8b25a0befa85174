/**
 * What a work queue tells whoever measures it. Durations are in seconds, as metrics want them. The names beside are
 * client-go's, so that dashboards made for any controller work for ours.
 */
export interface WorkQueueObserver {
  /** `workqueue_adds_total`: a key that was not waiting before. */
  added(): void;
  /** `workqueue_depth`: how many keys could be taken right now. */
  depthChanged(depth: number): void;
  /** `workqueue_retries_total`: a key came back through the rate limiter. */
  retried(): void;
  /** `workqueue_queue_duration_seconds`: from the moment a key was added until somebody took it. */
  taken(waitedSeconds: number): void;
  /** `workqueue_work_duration_seconds`: from taken to done. */
  finished(workedSeconds: number): void;
}

/** What is being worked on at this moment, for gauges that are read when they are scraped. */
export interface UnfinishedWork {
  /** `workqueue_unfinished_work_seconds`: how long the running keys have been running, summed. */
  readonly totalSeconds: number;
  /** `workqueue_longest_running_processor_seconds` */
  readonly longestSeconds: number;
}
