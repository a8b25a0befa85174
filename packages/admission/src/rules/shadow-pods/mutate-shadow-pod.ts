import { labels } from '@liqo/api';
import type { KubeObject } from '@liqo/kube';
import { creatorLabel } from '@liqo/model';
import { changed, unchanged } from '../../review/verdict.ts';
import type { Rule } from '../../rule.ts';

/**
 * A ShadowPod is charged to the user who created it. The label that says so is that of the request, whatever the object says,
 * and does not change later.
 */
export const creatorRule: Rule = {
  path: '/mutate/shadowpods',
  review({ operation, subResource, userInfo, object, oldObject }) {
    const isWrite = operation === 'CREATE' || operation === 'UPDATE';
    if (!isWrite || subResource !== '' || !object) return unchanged;
    const creator =
      operation === 'CREATE'
        ? creatorLabel(userInfo.username)
        : oldObject?.metadata?.labels?.[labels.creatorUser];
    const given = object.metadata?.labels?.[labels.creatorUser];
    return given === creator ? unchanged : changed(withCreator(object, creator));
  },
};

function withCreator(object: KubeObject, creator: string | undefined): KubeObject {
  const { [labels.creatorUser]: _, ...others } = object.metadata?.labels ?? {};
  const kept = creator === undefined ? others : { ...others, [labels.creatorUser]: creator };
  return { ...object, metadata: { ...object.metadata, labels: kept } };
}
