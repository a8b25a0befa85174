import { once } from 'node:events';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { RealCluster } from '@liqo/testkit/real-cluster';
import type { Application, Start } from './start-application.ts';

/**
 * Somebody who starts small applications, with a thread and a connection of their own: they do not stand in line behind
 * those who make the crowd, and see what happens when it happens.
 */
export class Newcomer implements AsyncDisposable {
  readonly #worker: Worker;
  /** Noted from the start: whoever failed has left already when it is told to. */
  readonly #gone: Promise<unknown>;

  private constructor(worker: Worker) {
    this.#worker = worker;
    this.#gone = new Promise((resolve) => worker.once('exit', resolve));
  }

  static async to({ kubeconfigFor }: RealCluster, programs: string): Promise<Newcomer> {
    const workerData = await kubeconfigFor({ name: 'newcomer', groups: ['system:masters'] });
    return new Newcomer(new Worker(join(programs, 'newcomer.mjs'), { workerData }));
  }

  async start(application: Application): Promise<Start> {
    this.#worker.postMessage(application);
    const [start] = await once(this.#worker, 'message');
    return start;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#worker.postMessage(undefined);
    await this.#gone;
  }
}
