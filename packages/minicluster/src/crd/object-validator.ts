import type { KubeObject } from '@liqo/kube';
import type { FieldProblem } from '../rest/refusal.ts';
import { propertyOf, type TypeSchema } from '../schema/type-schema.ts';
import { compileRules, type RuleTree } from './rules/compile-rules.ts';
import { validateRules } from './rules/validate-rules.ts';
import type { ScaleFields } from './scale-paths.ts';
import { Correlation } from './validation/correlation.ts';
import { validateEmbedded } from './validation/validate-embedded.ts';
import { validateListTypes } from './validation/validate-list-types.ts';
import { validateScaleSpec, validateScaleStatus } from './validation/validate-scale.ts';
import { validateValue } from './validation/validate-value.ts';
import { noField, placeProblems } from './validation/value-problem.ts';

type WithStatus = KubeObject & { readonly status?: unknown };

/** Rules are not evaluated on values whose types they could not rely on. */
const blockingReasons: readonly string[] = [
  'FieldValueNotSupported',
  'FieldValueRequired',
  'FieldValueTooLong',
  'FieldValueTooMany',
  'FieldValueTypeInvalid',
];

const rulesSkipped: FieldProblem = {
  field: noField,
  reason: 'FieldValueInvalid',
  message:
    'Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
};

/**
 * All that one version of a CustomResourceDefinition asks of its objects: the schema, list types, embedded resources,
 * the scale, and the rules. The metadata is checked elsewhere, as that of any object, and what was found there given as
 * `found`. Made once, used for every write.
 */
export class ObjectValidator {
  readonly #schema: TypeSchema;
  readonly #rules: RuleTree | undefined;
  readonly #scale: ScaleFields | undefined;

  constructor(schema: TypeSchema, scale?: ScaleFields) {
    this.#schema = schema;
    this.#rules = compileRules(schema, true);
    this.#scale = scale;
  }

  validate(object: KubeObject, found: readonly FieldProblem[] = []): FieldProblem[] {
    const problems = [
      ...placeProblems(validateValue(this.#schema, object, '').problems),
      ...validateScaleSpec(object, this.#scale),
      ...validateScaleStatus(object, this.#scale),
      ...validateEmbedded(this.#schema, object),
      ...validateListTypes(this.#schema, object),
    ];
    return this.#withRules(problems, found, { object, previous: undefined });
  }

  /** Complete: whoever calls it need not call `validate`, which would not forgive faults that were there before. */
  validateUpdate(
    next: KubeObject,
    previous: KubeObject,
    found: readonly FieldProblem[] = [],
  ): FieldProblem[] {
    const before = new Correlation(this.#schema, next, previous);
    const problems = [
      ...placeProblems(validateValue(this.#schema, next, '', before).problems),
      ...validateScaleSpec(next, this.#scale),
      ...validateScaleStatus(next, this.#scale),
      ...validateEmbedded(this.#schema, next),
      ...this.#newListFaults(next, previous),
    ];
    return this.#withRules(problems, found, { object: next, previous });
  }

  /** Of the schema only the status counts; the rules see the whole object. */
  validateStatusUpdate(
    next: WithStatus,
    previous: WithStatus,
    found: readonly FieldProblem[] = [],
  ): FieldProblem[] {
    const problems = [
      ...this.#statusFaults(next, previous),
      ...validateScaleStatus(next, this.#scale),
      ...this.#newListFaults(next, previous),
    ];
    return this.#withRules(problems, found, { object: next, previous });
  }

  #statusFaults(next: WithStatus, previous: WithStatus): FieldProblem[] {
    const schema = propertyOf(this.#schema, 'status');
    if (!schema || next.status === undefined) return [];
    const before = new Correlation(this.#schema, next, previous).key('status');
    return placeProblems(validateValue(schema, next.status, '', before).problems, 'status');
  }

  /** Lists that broke their type already may go on doing so. */
  #newListFaults(next: KubeObject, previous: KubeObject): FieldProblem[] {
    const isSoundBefore = validateListTypes(this.#schema, previous).length === 0;
    return isSoundBefore ? validateListTypes(this.#schema, next) : [];
  }

  #withRules(
    problems: readonly FieldProblem[],
    found: readonly FieldProblem[],
    { object, previous }: { object: KubeObject; previous: KubeObject | undefined },
  ): FieldProblem[] {
    const rules = this.#rules;
    if (!rules) return [...problems];
    if ([...found, ...problems].some(({ reason }) => blockingReasons.includes(reason))) {
      return [...problems, rulesSkipped];
    }
    const correlation = previous && new Correlation(this.#schema, object, previous);
    const isForgiven = correlation?.isUnchanged ?? false;
    const subject = { path: '', value: object, old: previous, correlation, isForgiven };
    return [...problems, ...validateRules(rules, subject)];
  }
}
