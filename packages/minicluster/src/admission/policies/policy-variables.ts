import { celFault } from '../../crd/rules/cel-fault.ts';
import { celErrorText } from './cel-error-text.ts';

/** `variables` of a policy. Each is evaluated when an expression first asks for it. */
export class PolicyVariables extends Map<string, unknown> {
  readonly #compute: (name: string) => unknown;

  /** `compute` gives undefined for a name that is no variable. */
  constructor(compute: (name: string) => unknown) {
    super();
    this.#compute = compute;
  }

  override get(name: string): unknown {
    if (!this.has(name)) this.set(name, this.#evaluate(name));
    return super.get(name);
  }

  #evaluate(name: string): unknown {
    try {
      return this.#compute(name);
    } catch (error) {
      throw celFault(
        `composited variable ${JSON.stringify(name)} fails to evaluate: ${celErrorText(error)}`,
      );
    }
  }
}
