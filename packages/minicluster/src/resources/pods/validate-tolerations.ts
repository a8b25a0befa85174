import type { Taint, Toleration } from 'kubernetes-types/core/v1.d.ts';
import {
  duplicate,
  type FieldProblem,
  invalid,
  notSupported,
  oneOf,
  required,
} from '../validation/field-problem.ts';
import { validateLabelKey } from '../validation/labels.ts';
import { labelValueFaults } from '../validation/names.ts';

const effects: readonly string[] = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

export function validateTolerations(
  field: string,
  tolerations: readonly Toleration[],
): FieldProblem[] {
  return tolerations.flatMap((toleration, i) => validateToleration(`${field}[${i}]`, toleration));
}

function validateToleration(field: string, toleration: Toleration): FieldProblem[] {
  const { key, operator = '', effect = '', tolerationSeconds } = toleration;
  const problems: FieldProblem[] = key ? validateLabelKey(`${field}.key`, key) : [];
  if (!key && operator !== 'Exists') {
    const rule =
      'operator must be Exists when `key` is empty, which means "match all values and all keys"';
    problems.push(invalid(`${field}.operator`, operator, rule));
  }
  if (tolerationSeconds !== undefined && effect !== 'NoExecute') {
    const rule = "effect must be 'NoExecute' when `tolerationSeconds` is set";
    problems.push(invalid(`${field}.effect`, effect, rule));
  }
  problems.push(...validateOperator(`${field}.operator`, toleration));
  return effect ? [...problems, ...oneOf(`${field}.effect`, effect, effects)] : problems;
}

function validateOperator(field: string, { operator, value = '' }: Toleration): FieldProblem[] {
  switch (operator) {
    case undefined:
    case 'Equal': {
      const faults = labelValueFaults(value);
      return faults.length > 0 ? [invalid(field, value, faults.join(';'))] : [];
    }
    case 'Exists':
      if (!value) return [];
      return [invalid(field, value, "value must be empty when `operator` is 'Exists'")];
    case 'Lt':
    case 'Gt':
      return [notSupported(field, operator, ['Equal', 'Exists', 'Lt', 'Gt'])];
    default:
      return [notSupported(field, operator, ['Equal', 'Exists'])];
  }
}

/** The taints of a node: at most one for each key and effect. */
export function validateTaints(field: string, taints: readonly Taint[]): FieldProblem[] {
  return taints.flatMap((taint, i) => {
    const { key, value = '', effect } = taint;
    const at = `${field}[${i}]`;
    const valueFaults = labelValueFaults(value);
    const isRepeated = taints.slice(0, i).some((one) => one.key === key && one.effect === effect);
    return [
      ...validateLabelKey(`${at}.key`, key),
      ...(valueFaults.length > 0 ? [invalid(`${at}.value`, value, valueFaults.join(';'))] : []),
      ...(effect ? oneOf(`${at}.effect`, effect, effects) : [required(`${at}.effect`)]),
      ...(isRepeated
        ? [duplicate(at, internalTaint(taint), 'taints must be unique by key and effect pair')]
        : []),
    ];
  });
}

/** A taint as the server holds it, which is how it shows up in its messages. */
function internalTaint({ key, value = '', effect, timeAdded = undefined }: Taint): object {
  return { Key: key, Value: value, Effect: effect, TimeAdded: timeAdded ?? null };
}
