import { Client, hashText, type InProcessServer, type Random } from '@liqo/kube';
import type { Stoppable } from '@liqo/runtime';
import { ProcessClock, seededRandom, type VirtualClock } from '@liqo/testkit';
import { ProcessWires } from './process-wires.ts';

/** What a program finds around it: time, chance, and ways to clusters, all of which end with its process. */
export interface Life {
  /** Of the process among its replicas; the same in every life. */
  readonly identity: string;
  readonly clock: ProcessClock;
  readonly random: Random;
  /** As whoever it is to that server. */
  connect(serve: InProcessServer, userAgent: string): Client;
}

export type Program = (life: Life) => Stoppable;

export interface ProcessOptions {
  /** `rome/controller-manager` */
  readonly name: string;
  readonly identity: string;
  readonly clock: VirtualClock;
  readonly seed: number;
  readonly program: Program;
}

/** A process of the product. It may die at any moment, and begins again with an empty memory. */
export class SimulatedProcess {
  readonly name: string;
  readonly identity: string;
  readonly #options: ProcessOptions;
  #current:
    | { readonly clock: ProcessClock; readonly wires: ProcessWires; running: Stoppable }
    | undefined;
  #starts = 0;

  constructor(options: ProcessOptions) {
    this.name = options.name;
    this.identity = options.identity;
    this.#options = options;
  }

  get isRunning(): boolean {
    return this.#current !== undefined;
  }

  /** How many lives it has had, the present one included. */
  get starts(): number {
    return this.#starts;
  }

  /** Its clock may be wrong, and it may stand still; undefined while it does not run. */
  get clock(): ProcessClock | undefined {
    return this.#current?.clock;
  }

  start(): void {
    if (this.#current) return;
    this.#starts += 1;
    const { program, clock: time } = this.#options;
    const clock = new ProcessClock(time);
    const wires = new ProcessWires();
    const random = this.#chance();
    const connect: Life['connect'] = (serve, fieldManager) =>
      new Client({ transport: wires.to(serve), clock, random, fieldManager });
    const running = program({ identity: this.identity, clock, random, connect });
    this.#current = { clock, wires, running };
  }

  /** Dies now, without goodbye. */
  kill(): void {
    this.#current?.wires.cut();
    this.#current?.clock.freeze();
    this.#current = undefined;
  }

  /** Ends in order, as after SIGTERM. That takes time, which somebody has to let pass. */
  async stop(): Promise<void> {
    const current = this.#current;
    this.#current = undefined;
    await current?.running[Symbol.asyncDispose]();
    current?.wires.cut();
    current?.clock.freeze();
  }

  /** Every life has chances of its own, and leaves those of all others as they are. */
  #chance(): Random {
    const { seed, name } = this.#options;
    return seededRandom(Number.parseInt(hashText(`${seed} ${name} ${this.#starts}`).slice(-6), 36));
  }
}
