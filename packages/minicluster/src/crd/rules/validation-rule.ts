import type { FieldProblem } from '../../rest/refusal.ts';
import type { TypeSchema } from '../../schema/type-schema.ts';

/** One of `x-kubernetes-validations`. */
export interface ValidationRule {
  readonly rule: string;
  readonly message?: string;
  readonly messageExpression?: string;
  readonly reason?: FieldProblem['reason'];
  readonly fieldPath?: string;
  readonly optionalOldSelf?: boolean;
}

export function rulesOf(schema: TypeSchema): readonly ValidationRule[] {
  const rules = schema['x-kubernetes-validations'];
  return Array.isArray(rules) ? rules : [];
}

/** Whether the rule compares with what was there before. A word inside a text literal does not count. */
export function usesOldSelf({ rule }: ValidationRule): boolean {
  const withoutLiterals = rule.replaceAll(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g, '""');
  return /\boldSelf\b/.test(withoutLiterals);
}
