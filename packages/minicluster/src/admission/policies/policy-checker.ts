import type { Environment } from '@marcbachmann/cel-js';
import { checkExpression } from './check-expression.ts';
import { checkingEnvironment } from './policy-environment.ts';
import type { PolicySpec } from './policy-spec.ts';

/**
 * Checks the expressions of one policy. Variables have to be added in their order, and before whatever may name them.
 * Every method gives the problem with an expression, or undefined.
 */
export class PolicyChecker {
  readonly #hasParams: boolean;
  readonly #variables: Map<string, string> | undefined;
  readonly #environments = new Map<boolean, Environment>();

  constructor({ paramKind, variables = [] }: Pick<PolicySpec, 'paramKind' | 'variables'>) {
    this.#hasParams = paramKind !== undefined;
    this.#variables = variables.length > 0 ? new Map() : undefined;
  }

  /** Conditions are evaluated before the variables, and cannot name them. */
  matchCondition(expression: string): string | undefined {
    const scope = { hasParams: this.#hasParams, hasAuthorizer: true, variables: undefined };
    return problemOf(checkExpression(checkingEnvironment(scope), expression, ['bool']));
  }

  addVariable(name: string, expression: string): string | undefined {
    const checked = checkExpression(this.#environment(true), expression, []);
    this.#variables?.set(name, 'type' in checked ? fieldType(checked.type) : 'dyn');
    this.#environments.clear();
    return problemOf(checked);
  }

  validation(expression: string): string | undefined {
    return problemOf(checkExpression(this.#environment(true), expression, ['bool']));
  }

  message(expression: string): string | undefined {
    return problemOf(checkExpression(this.#environment(false), expression, ['string']));
  }

  auditAnnotation(expression: string): string | undefined {
    const wanted = ['string', 'null_type'];
    return problemOf(checkExpression(this.#environment(true), expression, wanted));
  }

  #environment(hasAuthorizer: boolean): Environment {
    const known = this.#environments.get(hasAuthorizer);
    if (known) return known;
    const scope = { hasParams: this.#hasParams, hasAuthorizer, variables: this.#variables };
    const made = checkingEnvironment(scope);
    this.#environments.set(hasAuthorizer, made);
    return made;
  }
}

function problemOf(checked: ReturnType<typeof checkExpression>): string | undefined {
  return 'problem' in checked ? checked.problem : undefined;
}

const plainTypes: readonly string[] = ['bool', 'bytes', 'double', 'int', 'string', 'uint'];

/** Of anything but plain values, lists and maps no more is known than on a real server. */
function fieldType(type: string): string {
  const [, item] = /^list\((.*)\)$/.exec(type) ?? [];
  if (item) return `list<${fieldType(item)}>`;
  const [, key, value] = /^map\((\w+), (.*)\)$/.exec(type) ?? [];
  if (key && value) return `map<${fieldType(key)}, ${fieldType(value)}>`;
  return plainTypes.includes(type) ? type : 'dyn';
}
