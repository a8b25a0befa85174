import { copyFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';

export interface ComponentFailure {
  readonly component: string;
  /** What happened instead of a start. */
  readonly fact: string;
  readonly logFile: string;
  /** The end of what the component wrote in this start. */
  readonly tail: string;
}

/** A component did not start. Its message ends with what the component itself had to say. */
export class ComponentError extends Error {
  override readonly name = 'ComponentError';
  readonly failure: ComponentFailure;

  constructor(failure: ComponentFailure, options?: ErrorOptions) {
    const { component, fact, logFile, tail } = failure;
    super(`Cannot start ${component}: ${fact}. The end of its log "${logFile}":\n${tail}`, options);
    this.failure = failure;
  }

  /** The same error, with the log in a place that outlives the folder of the cluster. */
  keepLog(): ComponentError {
    const { logFile } = this.failure;
    const kept = join(tmpdir(), `${basename(dirname(logFile))}-${basename(logFile)}`);
    copyFileSync(logFile, kept);
    return new ComponentError({ ...this.failure, logFile: kept }, { cause: this.cause });
  }
}
