import { annotations, labels } from '@liqo/api';
import type { Write } from '../../review/is-write.ts';
import type { Problem } from '../../review/problems.ts';
import { textAt } from '../../review/value-at.ts';

/** Of the user that a Liqo control plane has at its providers. */
const controlPlaneGroup = 'liqo.io';

/** Whether a request comes from the consumer that a namespace is about: its cluster ID is the name or a group of its users. */
export function isOfConsumer({ userInfo }: Write, peer: string | undefined): boolean {
  const { username, groups } = userInfo;
  const names = [username, ...groups];
  return groups.includes(controlPlaneGroup) || (peer !== undefined && names.includes(peer));
}

/** What a consumer would change although it is the provider's: whether the slice is cordoned, and whose it is. */
export function changedMarks({ object, oldObject }: Write): readonly Problem[] {
  const at = (one: unknown, path: readonly string[]) => textAt(one, 'metadata', ...path);
  const changed = (field: 'annotations' | 'labels', keys: readonly string[]) =>
    keys
      .filter((key) => at(object, [field, key]) !== at(oldObject, [field, key]))
      .map((key) => ({
        path: `metadata.${field}["${key}"]`,
        message: 'only the provider changes it',
      }));
  return [
    ...changed('annotations', [annotations.cordon, annotations.cordonTenant]),
    ...changed('labels', [labels.remoteClusterID]),
  ];
}
