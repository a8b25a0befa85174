import type { BenchWorld } from './bench-world.ts';

/** Processor time of the product since the meter was made, in seconds. */
export class CpuMeter {
  readonly #world: BenchWorld;
  readonly #before: Readonly<Record<string, number>>;

  constructor(world: BenchWorld) {
    this.#world = world;
    this.#before = this.#read();
  }

  /** By part of the product. */
  read(): Readonly<Record<'kubelets' | 'rome' | 'milan' | 'all', number>> {
    const now = this.#read();
    const since = (part: string) => (now[part] ?? 0) - (this.#before[part] ?? 0);
    const [kubelets, rome, milan] = [since('kubelets'), since('rome'), since('milan')];
    return { kubelets, rome, milan, all: kubelets + rome + milan };
  }

  #read(): Record<string, number> {
    const { controllers, kubelets } = this.#world;
    const sum = kubelets.reduce((total, one) => total + one.usage().cpuSeconds, 0);
    const rome = controllers.rome.usage().cpuSeconds;
    const milan = controllers.milan.usage().cpuSeconds;
    return { kubelets: sum, rome, milan };
  }
}
