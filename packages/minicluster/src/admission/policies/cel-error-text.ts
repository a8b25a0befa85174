import { EvaluationError } from '@marcbachmann/cel-js';
import { evaluationFault } from '../../crd/rules/cel-fault.ts';

/** Why an expression could not be evaluated, in the words of the API server. */
export function celErrorText(error: unknown): string {
  const own = error instanceof EvaluationError ? ownText(error) : undefined;
  return own ?? evaluationFault(error) ?? 'no such overload';
}

function ownText({ code, summary }: EvaluationError): string | undefined {
  switch (code) {
    case 'unknown_variable':
      return summary.replace('Unknown variable', 'no such attribute(s)');
    case 'invalid_condition_type':
    case 'invalid_logical_operand':
      return 'no such overload';
    case 'optional_value_missing':
      return 'optional.none() dereference';
    case 'bool_conversion_error':
    case 'double_conversion_error':
    case 'int_conversion_error':
    case 'uint_conversion_error':
      return `type conversion error from 'string' to '${code.slice(0, code.indexOf('_'))}'`;
    default:
      return undefined;
  }
}
