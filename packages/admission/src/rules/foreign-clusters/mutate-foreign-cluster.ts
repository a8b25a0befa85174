import { labels } from '@liqo/api';
import { isWrite } from '../../review/is-write.ts';
import { textAt } from '../../review/value-at.ts';
import { unchanged } from '../../review/verdict.ts';
import type { Rule } from '../../rule.ts';
import { withLabel } from '../with-label.ts';

/** ForeignClusters are selected by the label of their cluster ID, whatever was written there. */
export const foreignClusterLabelRule: Rule = {
  path: '/mutate/foreign-cluster',
  review(request) {
    if (!isWrite(request)) return unchanged;
    const { object } = request;
    const clusterID = textAt(object, 'spec', 'clusterID');
    const given = textAt(object, 'metadata', 'labels', labels.remoteClusterID);
    if (clusterID === undefined || given === clusterID) return unchanged;
    return withLabel(object, labels.remoteClusterID, clusterID);
  },
};
