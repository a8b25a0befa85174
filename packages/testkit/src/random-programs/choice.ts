import type { Random } from '@liqo/kube';

/** Choices drawn from one source of chance. */
export class Choice {
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  /** A whole number of at least `least` and at most `most`. */
  between(least: number, most: number): number {
    return least + Math.floor(this.#random() * (most - least + 1));
  }

  chance(probability: number): boolean {
    return this.#random() < probability;
  }

  pick<T>(options: readonly T[]): T {
    const picked = options[this.between(0, options.length - 1)];
    if (picked === undefined) throw new Error('Cannot pick: there is nothing to pick from');
    return picked;
  }

  /** One of the options, each as often as its weight says. */
  weighted<T>(options: readonly (readonly [weight: number, option: T])[]): T {
    const total = options.reduce((sum, [weight]) => sum + weight, 0);
    let rest = this.#random() * total;
    const found = options.find(([weight]) => {
      rest -= weight;
      return rest < 0;
    });
    return (found ?? this.pick(options))[1];
  }

  /** Some of the options, in their order. */
  some<T>(options: readonly T[], probability: number): readonly T[] {
    return options.filter(() => this.chance(probability));
  }
}
