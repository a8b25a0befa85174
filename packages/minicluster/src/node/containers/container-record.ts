import { formatTime, type Random } from '@liqo/kube';
import type { ContainerState } from 'kubernetes-types/core/v1.d.ts';
import type { Exit } from './container-process.ts';

/** What is remembered of a container: how it is, how it was the time before, and how often it was started. */
export class ContainerRecord {
  #state: ContainerState;
  #lastState: ContainerState = {};
  #restartCount: number;
  #containerID: string | undefined;

  constructor(waitingFor: string, restartCount: number) {
    this.#state = { waiting: { reason: waitingFor } };
    this.#restartCount = restartCount;
  }

  get state(): ContainerState {
    return this.#state;
  }

  get lastState(): ContainerState {
    return this.#lastState;
  }

  get restartCount(): number {
    return this.#restartCount;
  }

  get containerID(): string | undefined {
    return this.#containerID;
  }

  /** It was created, which is a start more if it was not the first. */
  create(random: Random): void {
    if (this.#containerID !== undefined) this.#restartCount += 1;
    if (this.#state.terminated) this.#lastState = this.#state;
    this.#containerID = `containerd://${randomHex(random, 64)}`;
  }

  run(startedAt: string): void {
    this.#state = { running: { startedAt } };
  }

  wait(reason: string, message: string): void {
    this.#state = { waiting: { reason, message } };
  }

  end({ exitCode }: Exit, startedAt: string, nowMs: number): void {
    this.#state = {
      terminated: {
        exitCode,
        reason: exitCode === 0 ? 'Completed' : 'Error',
        startedAt,
        finishedAt: formatTime(nowMs),
        containerID: this.#containerID ?? '',
      },
    };
  }

  /** It waits for its next start. The way back is for when there will be none: how it ended is its state then. */
  holdBack(message: string): () => void {
    const [ended, before] = [this.#state, this.#lastState];
    this.#lastState = ended;
    this.wait('CrashLoopBackOff', message);
    return () => {
      this.#state = ended;
      this.#lastState = before;
    };
  }
}

function randomHex(random: Random, digits: number): string {
  return Array.from({ length: digits }, () => Math.floor(random() * 16).toString(16)).join('');
}
