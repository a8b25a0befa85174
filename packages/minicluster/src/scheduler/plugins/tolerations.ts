import type { Taint, Toleration } from 'kubernetes-types/core/v1.d.ts';

export function tolerates(tolerations: readonly Toleration[] | undefined, taint: Taint): boolean {
  return (tolerations ?? []).some((toleration) => toleratesTaint(toleration, taint));
}

function toleratesTaint(toleration: Toleration, taint: Taint): boolean {
  const { effect, key, operator, value } = toleration;
  if (effect && effect !== taint.effect) return false;
  if (key && key !== taint.key) return false;
  if (operator === 'Exists') return true;
  return (operator ?? 'Equal') === 'Equal' && (value ?? '') === (taint.value ?? '');
}
