import type { TypeSchema } from '../../schema/type-schema.ts';
import { type Outcome, OutcomeBuilder } from './outcome.ts';
import { unsatisfied } from './value-problem.ts';

type Check = (alternative: TypeSchema) => Outcome;

/** anyOf, oneOf, allOf and not, in this order. */
export function checkAlternatives(schema: TypeSchema, name: string, check: Check): Outcome {
  const outcome = new OutcomeBuilder().add([]);
  if (schema.anyOf?.length) outcome.merge(checkAny(schema.anyOf, name, check), 0);
  if (schema.oneOf?.length) outcome.merge(checkOne(schema.oneOf, name, check), 0);
  if (schema.allOf?.length) outcome.merge(checkAll(schema.allOf, name, check), 0);
  if (schema.not && isValid(check(schema.not))) {
    outcome.add([unsatisfied(name, 'must not validate the schema (not)')], 0);
  }
  return outcome.build();
}

function checkAny(alternatives: readonly TypeSchema[], name: string, check: Check): Outcome {
  const outcomes = alternatives.map(check);
  const fitting = outcomes.find(isValid);
  if (fitting) return fitting;
  const best = closest(outcomes);
  const problem = unsatisfied(name, 'must validate at least one schema (anyOf)');
  return { problems: [problem, ...best.problems], matches: best.matches };
}

function checkOne(alternatives: readonly TypeSchema[], name: string, check: Check): Outcome {
  const outcomes = alternatives.map(check);
  const fitting = outcomes.filter(isValid);
  const [only, second] = fitting;
  if (only && !second) return only;
  const found = only ? `Found ${fitting.length} valid alternatives` : 'Found none valid';
  const problem = unsatisfied(name, `must validate one and only one schema (oneOf). ${found}`);
  if (only) return { problems: [problem], matches: 0 };
  const best = closest(outcomes);
  return { problems: [problem, ...best.problems], matches: best.matches };
}

function checkAll(alternatives: readonly TypeSchema[], name: string, check: Check): Outcome {
  const outcomes = alternatives.map(check);
  const matches = outcomes.reduce((sum, outcome) => sum + outcome.matches, 0);
  const problems = outcomes.flatMap((outcome) => outcome.problems);
  if (problems.length === 0) return { problems, matches };
  const none = outcomes.some(isValid) ? '' : '. None validated';
  const problem = unsatisfied(name, `must validate all the schemas (allOf)${none}`);
  return { problems: [...problems, problem], matches };
}

function isValid(outcome: Outcome): boolean {
  return outcome.problems.length === 0;
}

/** The first among equals. */
function closest(outcomes: readonly Outcome[]): Outcome {
  return outcomes.reduce((best, one) => (one.matches > best.matches ? one : best));
}
