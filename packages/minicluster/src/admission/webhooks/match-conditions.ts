import { Environment } from '@marcbachmann/cel-js';
import type { AdmissionRequest } from './admission-review.ts';
import type { Webhook } from './webhook.ts';

/** Whether a webhook is to be called; `error` when its conditions cannot tell. */
export type ConditionsVerdict = { readonly matches: boolean } | { readonly error: string };

/** Evaluates the `matchConditions` of webhooks: CEL over `object`, `oldObject` and `request`. */
export class MatchConditions {
  readonly #environment = new Environment({
    enableOptionalTypes: true,
    homogeneousAggregateLiterals: false,
  })
    .registerVariable('object', 'dyn')
    .registerVariable('oldObject', 'dyn')
    .registerVariable('request', 'dyn');

  /** One that is false decides, whatever is wrong with the others. */
  evaluate(hook: Pick<Webhook, 'matchConditions'>, request: AdmissionRequest): ConditionsVerdict {
    const conditions = hook.matchConditions ?? [];
    if (conditions.length === 0) return { matches: true };
    const { object, oldObject, ...rest } = request;
    const values = withWholeNumbers({ object, oldObject, request: { ...rest } });
    const errors: string[] = [];
    for (const { expression } of conditions) {
      const outcome = this.#evaluateOne(expression, values as Record<string, unknown>);
      if (outcome === false) return { matches: false };
      if (outcome !== true) errors.push(outcome);
    }
    if (errors.length === 0) return { matches: true };
    return { error: errors.length === 1 ? String(errors[0]) : `[${errors.join(', ')}]` };
  }

  #evaluateOne(expression: string, values: Record<string, unknown>): boolean | string {
    const failure = `expression '${expression}' resulted in error: `;
    try {
      const result: unknown = this.#environment.evaluate(expression, values);
      return typeof result === 'boolean'
        ? result
        : `${failure}cel expression must evaluate to bool`;
    } catch (error) {
      return failure + factOf(error);
    }
  }
}

/** The first line, as Go begins its errors: what follows points at the place in the expression. */
function factOf(error: unknown): string {
  const [line = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
  return line.charAt(0).toLowerCase() + line.slice(1);
}

/** JSON has numbers, CEL has `int` and `double`: what is whole is an `int`. */
function withWholeNumbers(value: unknown): unknown {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : value;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(withWholeNumbers);
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(members.map(([key, member]) => [key, withWholeNumbers(member)]));
}
