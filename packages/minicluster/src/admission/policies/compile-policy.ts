import type { Environment, ParseResult } from '@marcbachmann/cel-js';
import { evaluationEnvironment } from './policy-environment.ts';
import type { PolicySpec } from './policy-spec.ts';

export interface CompiledExpression {
  readonly text: string;
  readonly program: ParseResult;
}

export interface CompiledValidation {
  readonly expression: CompiledExpression;
  readonly message: string;
  readonly messageExpression: CompiledExpression | undefined;
  readonly reason: string | undefined;
}

/** A policy whose expressions are parsed, for any number of requests. */
export interface CompiledPolicy {
  readonly ignoresFailures: boolean;
  readonly matchConditions: readonly CompiledExpression[];
  readonly variables: ReadonlyMap<string, CompiledExpression>;
  readonly validations: readonly CompiledValidation[];
  readonly auditAnnotations: readonly CompiledExpression[];
}

/** Expressions that cannot be parsed never get here: no policy is stored with them. */
export function compilePolicy(spec: PolicySpec): CompiledPolicy {
  const environment = evaluationEnvironment();
  const compile = (text: string) => compileExpression(environment, text);
  return {
    ignoresFailures: spec.failurePolicy === 'Ignore',
    matchConditions: (spec.matchConditions ?? []).map(({ expression }) => compile(expression)),
    variables: new Map(
      (spec.variables ?? []).map(({ name, expression }) => [name, compile(expression)]),
    ),
    validations: (spec.validations ?? []).map((validation) => ({
      expression: compile(validation.expression),
      message: validation.message ?? '',
      messageExpression: validation.messageExpression
        ? compile(validation.messageExpression)
        : undefined,
      reason: validation.reason,
    })),
    auditAnnotations: (spec.auditAnnotations ?? []).map(({ valueExpression }) =>
      compile(valueExpression),
    ),
  };
}

function compileExpression(environment: Environment, text: string): CompiledExpression {
  return { text, program: environment.parse(text) };
}
