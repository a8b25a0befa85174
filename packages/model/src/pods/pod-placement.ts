import { fixedNames, virtualNodeTaint } from '@liqo/api';
import type { Pod } from '@liqo/kube';

type Toleration = NonNullable<NonNullable<Pod['spec']>['tolerations']>[number];

const mirrorPod = 'kubernetes.io/config.mirror';

/** By a RuntimeClass, which has its own node selector and toleration, by a DaemonSet, or by a kubelet. */
export function isPlacedByOthers({ metadata = {}, spec }: Pod): boolean {
  const isOfDaemonSet = metadata.ownerReferences?.some(
    ({ controller, kind, apiVersion }) =>
      controller === true && kind === 'DaemonSet' && apiVersion.startsWith('apps/'),
  );
  const isMirror = metadata.annotations?.[mirrorPod] !== undefined;
  return isOfDaemonSet === true || isMirror || spec?.runtimeClassName === fixedNames.runtimeClass;
}

/** As the taint manager sees it. One with `tolerationSeconds` would end: the pod would be evicted. */
export function toleratesVirtualNodes(toleration: Toleration): boolean {
  const { key = '', operator = 'Equal', value = '', effect, tolerationSeconds } = toleration;
  if (effect && effect !== virtualNodeTaint.effect) return false;
  if (tolerationSeconds !== undefined && tolerationSeconds !== null) return false;
  if (key === '') return operator === 'Exists';
  if (key !== virtualNodeTaint.key) return false;
  return operator === 'Exists' || value === virtualNodeTaint.value;
}
