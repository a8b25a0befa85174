import type { KubeObject } from '@liqo/kube';
import { goTypeName, printGoValue } from '../../patch/go-format.ts';
import { invalid } from '../../resources/validation/field-problem.ts';
import type { FieldProblem } from '../../rest/refusal.ts';
import { type ScaleFields, valueAt } from '../scale-paths.ts';

const maxReplicas = 2_147_483_647;

export function validateScaleSpec(
  object: KubeObject,
  scale: ScaleFields | undefined,
): FieldProblem[] {
  return scale ? replicaProblems(object, scale.specReplicas) : [];
}

export function validateScaleStatus(
  object: KubeObject,
  scale: ScaleFields | undefined,
): FieldProblem[] {
  if (!scale) return [];
  const { statusReplicas, selector } = scale;
  const found = selector && valueAt(object, selector);
  const isText = found === undefined || typeof found === 'string';
  return [
    ...replicaProblems(object, statusReplicas),
    ...(selector && !isText ? [wrongType(selector, found, '', 'string')] : []),
  ];
}

function replicaProblems(object: KubeObject, path: readonly string[]): FieldProblem[] {
  const found = valueAt(object, path);
  if (found === undefined) return [];
  if (typeof found !== 'number' || !Number.isInteger(found)) {
    return [wrongType(path, found, 0, 'int64')];
  }
  if (found < 0) return [invalid(fieldOf(path), found, 'should be a non-negative integer')];
  if (found <= maxReplicas) return [];
  return [invalid(fieldOf(path), found, `should be less than or equal to ${maxReplicas}`)];
}

function wrongType(
  path: readonly string[],
  found: unknown,
  shown: unknown,
  expected: string,
): FieldProblem {
  const fact = `${fieldOf(path)} accessor error: ${printGoValue(found)} is of the type ${goTypeName(found)}, expected ${expected}`;
  return invalid(fieldOf(path), shown, fact);
}

/** With the leading point that the path has in the definition. */
function fieldOf(path: readonly string[]): string {
  return `.${path.join('.')}`;
}
