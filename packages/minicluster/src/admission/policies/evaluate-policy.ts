import type { CelAuthorizer } from './cel-authorizer.ts';
import { celErrorText } from './cel-error-text.ts';
import type { CompiledExpression, CompiledPolicy, CompiledValidation } from './compile-policy.ts';
import { PolicyVariables } from './policy-variables.ts';

/** What the expressions of a policy refer to, as CEL values. Each may be computed when it is read. */
export interface PolicyInput {
  readonly object: unknown;
  readonly oldObject: unknown;
  readonly request: unknown;
  readonly namespaceObject: unknown;
  readonly params: unknown;
  readonly authorizer: CelAuthorizer;
}

export interface Failure {
  readonly message: string;
  /** Undefined for an expression that could not be evaluated. */
  readonly reason: string | undefined;
}

/** What a policy says about one request, with one parameter object. */
export interface PolicyVerdict {
  /** For the validation actions of the binding, in the order of the validations. */
  readonly failures: readonly Failure[];
  /** Audit annotations that could not be evaluated: these refuse the request, whatever the actions are. */
  readonly faults: readonly Failure[];
}

const passed: PolicyVerdict = { failures: [], faults: [] };
const maxMessageBytes = 5 * 1024;

/** Errors count as failures unless the policy ignores them. */
export function evaluatePolicy(policy: CompiledPolicy, input: PolicyInput): PolicyVerdict {
  const matched = meetsConditions(policy, input);
  if (matched === false) return passed;
  if (matched !== true) return { failures: [matched], faults: [] };
  const values = withVariables(policy, input);
  // Messages and annotations cannot ask the authorizer, and neither can the variables that they name.
  const restricted = () => withVariables(policy, extend(input, { authorizer: undefined }));
  const failures = policy.validations.flatMap((validation) =>
    failureOf(policy, validation, values, restricted),
  );
  return { failures, faults: auditFaults(policy, restricted) };
}

type Values = Readonly<Record<string, unknown>>;

/** The values with others added or replaced. Those that are computed when they are read stay so. */
function extend(values: object, more: Values): Values {
  return Object.create(values, Object.getOwnPropertyDescriptors(more));
}

/**
 * A condition that is false decides, whatever errors the others have. Conditions see no `namespaceObject`, as on a real
 * server.
 */
function meetsConditions(policy: CompiledPolicy, input: PolicyInput): boolean | Failure {
  const values = extend(input, { namespaceObject: null });
  const errors: string[] = [];
  for (const condition of policy.matchConditions) {
    const outcome = evaluate(condition, values);
    if ('error' in outcome) errors.push(outcome.error);
    else if (outcome.value === false) return false;
  }
  if (errors.length === 0) return true;
  if (policy.ignoresFailures) return false;
  const message = errors.length === 1 ? (errors[0] as string) : `[${errors.join(', ')}]`;
  return { message, reason: undefined };
}

function withVariables({ variables }: CompiledPolicy, input: object): Values {
  const lazy = new PolicyVariables((name) => variables.get(name)?.program(values));
  const values = extend(input, { variables: lazy });
  return values;
}

function failureOf(
  { ignoresFailures }: CompiledPolicy,
  validation: CompiledValidation,
  values: Values,
  restricted: () => Values,
): readonly Failure[] {
  const outcome = evaluate(validation.expression, values);
  if ('error' in outcome) {
    return ignoresFailures ? [] : [{ message: outcome.error, reason: undefined }];
  }
  if (outcome.value === true) return [];
  return [{ message: messageOf(validation, restricted), reason: validation.reason ?? 'Invalid' }];
}

/** A message expression that fails, or gives no single short line, gives way to the plain message. */
function messageOf(validation: CompiledValidation, restricted: () => Values): string {
  const { expression, message, messageExpression } = validation;
  const plain = message.trim() || `failed expression: ${expression.text.trim()}`;
  if (!messageExpression) return plain;
  const outcome = evaluate(messageExpression, restricted());
  if ('error' in outcome || typeof outcome.value !== 'string') return plain;
  const text = outcome.value.trim();
  const isUsable = !text.includes('\n') && Buffer.byteLength(text) <= maxMessageBytes;
  return (isUsable && text) || plain;
}

/** Annotations are evaluated for their errors only: there is no audit log that could hold them. */
function auditFaults(policy: CompiledPolicy, restricted: () => Values): readonly Failure[] {
  if (policy.ignoresFailures || policy.auditAnnotations.length === 0) return [];
  const values = restricted();
  return policy.auditAnnotations.flatMap((annotation) => {
    const outcome = evaluate(annotation, values);
    return 'error' in outcome ? [{ message: outcome.error, reason: undefined }] : [];
  });
}

type Outcome = { readonly value: unknown } | { readonly error: string };

function evaluate({ program, text }: CompiledExpression, values: Values): Outcome {
  try {
    return { value: program(values) };
  } catch (error) {
    return { error: `expression '${text}' resulted in error: ${celErrorText(error)}` };
  }
}
