import type { Kind, ObjectKey } from '@liqo/kube';

/** A command that shows an object. The group is part of the name: Kubernetes has resourceslices of its own. */
export function kubectlDescribe({ plural, group }: Kind, { name, namespace }: ObjectKey): string {
  const resource = group === '' ? plural : `${plural}.${group}`;
  const place = namespace === undefined ? '' : ` -n ${namespace}`;
  return `kubectl describe ${resource} ${name}${place}`;
}
