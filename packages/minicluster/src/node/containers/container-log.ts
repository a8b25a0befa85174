import type { Clock } from '@liqo/kube';

export interface LogLine {
  readonly atMs: number;
  readonly stream: 'stderr' | 'stdout';
  /** Without the line's end. */
  readonly text: string;
}

/** So many lines are kept; older ones go. */
const maxLines = 10_000;

/** What one run of a container has written, line by line. */
export class ContainerLog {
  readonly #clock: Clock;
  readonly #lines: LogLine[] = [];
  readonly #unfinished = { stdout: '', stderr: '' };
  readonly #decoders = { stdout: new TextDecoder(), stderr: new TextDecoder() };
  #dropped = 0;
  #ended = false;
  #waiters: (() => void)[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get ended(): boolean {
    return this.#ended;
  }

  /** The lines still kept, and the number of the first one: numbers never change. */
  lines(): { readonly first: number; readonly lines: readonly LogLine[] } {
    return { first: this.#dropped, lines: this.#lines };
  }

  write(stream: LogLine['stream'], chunk: string | Uint8Array): void {
    if (this.#ended) return;
    const added =
      typeof chunk === 'string' ? chunk : this.#decoders[stream].decode(chunk, { stream: true });
    const parts = (this.#unfinished[stream] + added).split('\n');
    this.#unfinished[stream] = parts.pop() ?? '';
    for (const text of parts) this.#add(stream, text);
    if (parts.length > 0) this.#wake();
  }

  /** Nothing comes after this. Safe to repeat. */
  end(): void {
    for (const stream of ['stdout', 'stderr'] as const) {
      if (this.#unfinished[stream]) this.#add(stream, this.#unfinished[stream]);
      this.#unfinished[stream] = '';
    }
    this.#ended = true;
    this.#wake();
  }

  /** Resolves when there is more to read, the log ended, or the signal aborts. */
  more(signal: AbortSignal): Promise<void> {
    if (this.#ended || signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const wake = () => {
        signal.removeEventListener('abort', wake);
        resolve();
      };
      signal.addEventListener('abort', wake, { once: true });
      this.#waiters.push(wake);
    });
  }

  #add(stream: LogLine['stream'], text: string): void {
    this.#lines.push({ atMs: this.#clock.now(), stream, text });
    if (this.#lines.length <= maxLines) return;
    this.#lines.shift();
    this.#dropped += 1;
  }

  #wake(): void {
    const waiters = this.#waiters;
    this.#waiters = [];
    for (const wake of waiters) wake();
  }
}
