import { EvaluationError } from '@marcbachmann/cel-js';

/** A function of a rule could not be evaluated; `fact` becomes part of the refusal. */
export function celFault(fact: string): EvaluationError {
  return new EvaluationError({ code: 'kubernetes', message: fact });
}

/** Why a rule could not be evaluated, in the words of the API server; undefined when the types do not go together. */
export function evaluationFault(error: unknown): string | undefined {
  if (!(error instanceof EvaluationError)) return error instanceof Error ? error.message : '';
  const { code, summary } = error;
  switch (code) {
    case 'no_such_key':
      return summary.replace('No such key', 'no such key');
    case 'index_out_of_bounds':
      return `index out of bounds: ${/index (-?\d+)/.exec(summary)?.[1]}`;
    case 'modulo_by_zero':
      return 'modulus by zero';
    case 'invalid_duration':
      return "type conversion error from 'string' to 'google.protobuf.Duration'";
    case 'invalid_timestamp':
      return "type conversion error from 'string' to 'google.protobuf.Timestamp'";
    case 'no_such_overload':
    case 'no_matching_overload':
      return undefined;
    default:
      return summary;
  }
}
