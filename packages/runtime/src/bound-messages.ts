import { deepEqual, isJsonObject, oneLine } from '@liqo/kube';

/**
 * The status with its messages as one line of at most 1 KiB each: its own, and those of its conditions. They often repeat what
 * another server said. Conditions that are in `before` already stay as they are: another controller may own them.
 */
export function boundMessages(before: unknown, status: unknown): unknown {
  if (!isJsonObject(status)) return status;
  const known = conditionsOf(before);
  const bounded = Object.entries(status).map(([name, value]) => {
    if (name === 'message') return [name, boundText(value)];
    if (name !== 'conditions' || !Array.isArray(value)) return [name, value];
    return [name, value.map((condition) => boundCondition(condition, known))];
  });
  return Object.fromEntries(bounded);
}

function boundCondition(condition: unknown, known: readonly unknown[]): unknown {
  if (!isJsonObject(condition) || typeof condition.message !== 'string') return condition;
  if (known.some((other) => deepEqual(other, condition))) return condition;
  return { ...condition, message: oneLine(condition.message) };
}

function conditionsOf(status: unknown): readonly unknown[] {
  return isJsonObject(status) && Array.isArray(status.conditions) ? status.conditions : [];
}

function boundText(value: unknown): unknown {
  return typeof value === 'string' ? oneLine(value) : value;
}
