import { labels } from '@liqo/api';
import type { KubeObject } from '@liqo/kube';
import { isWrite } from '../../review/is-write.ts';
import { newProblems, type Problem, refuse } from '../../review/problems.ts';
import { textAt } from '../../review/value-at.ts';
import { unchanged } from '../../review/verdict.ts';
import type { Rule } from '../../rule.ts';

/** The controllers know a peer by the name of its ForeignCluster, other clients by the label. */
export function foreignClusterRule(parts: { readonly ownClusterID: string }): Rule {
  return {
    path: '/validate/foreign-cluster',
    review(request) {
      if (!isWrite(request)) return unchanged;
      return refuse(newProblems((object) => problemsOf(object, parts.ownClusterID), request));
    },
  };
}

function problemsOf(object: KubeObject, ownClusterID: string): readonly Problem[] {
  const clusterID = textAt(object, 'spec', 'clusterID');
  if (clusterID === undefined) return [{ path: 'spec.clusterID', message: 'it is missing' }];
  const problems: Problem[] = [];
  if (clusterID === ownClusterID) {
    problems.push({ path: 'spec.clusterID', message: `"${clusterID}" is this cluster` });
  }
  if (textAt(object, 'metadata', 'name') !== clusterID) {
    const message = `the ForeignCluster of "${clusterID}" is called "${clusterID}"`;
    problems.push({ path: 'metadata.name', message });
  }
  const label = textAt(object, 'metadata', 'labels', labels.remoteClusterID);
  if (label !== undefined && label !== clusterID) {
    const path = `metadata.labels["${labels.remoteClusterID}"]`;
    problems.push({ path, message: `it is not spec.clusterID, "${clusterID}"` });
  }
  return problems;
}
