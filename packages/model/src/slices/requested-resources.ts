import {
  checkQualifiedName,
  isCountedResource,
  isWholeQuantity,
  parseQuantity,
  QuantityError,
  type ResourceList,
} from '@liqo/kube';

/** A field of a request that nothing can be granted for. */
export interface FieldProblem {
  /** As Kubernetes writes it: `spec.resources[cpu]`. */
  readonly path: string;
  readonly message: string;
}

const mostResources = 30;

/** What is wrong with the resources that a slice asks for, or an offer has; `field` is where they are. */
export function resourceProblems(
  requested: ResourceList,
  field = 'spec.resources',
): readonly FieldProblem[] {
  const entries = Object.entries(requested);
  if (entries.length > mostResources) {
    return [{ path: field, message: `more than ${mostResources} resources are asked for` }];
  }
  return entries.flatMap(([name, amount]) => {
    const message = nameProblem(name) ?? amountProblem(name, amount);
    return message === undefined ? [] : [{ path: `${field}[${name}]`, message }];
  });
}

function nameProblem(name: string): string | undefined {
  const [fault] = checkQualifiedName(name);
  return fault && `"${name}" is not the name of a resource: ${fault}`;
}

function amountProblem(name: string, amount: string | number): string | undefined {
  try {
    if (parseQuantity(amount).mantissa < 0n) return `"${amount}" is negative`;
    if (isCountedResource(name) && !isWholeQuantity(amount)) {
      return `"${amount}" is not a whole number`;
    }
    return undefined;
  } catch (error) {
    if (!(error instanceof QuantityError)) throw error;
    return error.message;
  }
}
