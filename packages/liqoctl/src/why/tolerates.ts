import type { Pod } from '@liqo/kube';

type Toleration = NonNullable<NonNullable<Pod['spec']>['tolerations']>[number];

interface Taint {
  readonly key: string;
  readonly value?: string | undefined;
  readonly effect: string;
}

/** Whether one of the tolerations matches the taint, by the rules of Kubernetes. */
export function tolerates(tolerations: readonly Toleration[] = [], taint: Taint): boolean {
  return tolerations.some(({ key = '', operator = 'Equal', value = '', effect = '' }) => {
    if (effect !== '' && effect !== taint.effect) return false;
    if (key !== '' && key !== taint.key) return false;
    return operator === 'Exists' || (key !== '' && value === (taint.value ?? ''));
  });
}
