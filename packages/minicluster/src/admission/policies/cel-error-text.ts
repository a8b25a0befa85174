import { EvaluationError } from '@marcbachmann/cel-js';
import { evaluationFault } from '../../crd/rules/cel-fault.ts';

/** Why an expression could not be evaluated, in the words of the API server. */
export function celErrorText(error: unknown): string {
  if (error instanceof EvaluationError && error.code === 'unknown_variable') {
    return error.summary.replace('Unknown variable', 'no such attribute(s)');
  }
  return evaluationFault(error) ?? 'no such overload';
}
