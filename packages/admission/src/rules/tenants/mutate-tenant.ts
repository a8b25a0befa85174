import { labels } from '@liqo/api';
import { isWrite } from '../../review/is-write.ts';
import { textAt } from '../../review/value-at.ts';
import { unchanged } from '../../review/verdict.ts';
import type { Rule } from '../../rule.ts';
import { withLabel } from '../with-label.ts';

/** Clients of Liqo look Tenants up by the label of their consumer. One that is there is not replaced, but checked. */
export const tenantLabelRule: Rule = {
  path: '/mutate/tenants',
  review(request) {
    if (!isWrite(request)) return unchanged;
    const { object } = request;
    const clusterID = textAt(object, 'spec', 'clusterID');
    const given = textAt(object, 'metadata', 'labels', labels.remoteClusterID);
    if (clusterID === undefined || given !== undefined) return unchanged;
    return withLabel(object, labels.remoteClusterID, clusterID);
  },
};
