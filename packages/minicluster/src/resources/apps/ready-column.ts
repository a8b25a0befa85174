import type { Deployment, StatefulSet } from '@liqo/kube';
import { textColumn } from '../printing/columns.ts';

/** How many there are of how many there should be. */
export const readyColumn = textColumn('Ready', ({ spec, status }: Deployment | StatefulSet) => {
  return `${status?.readyReplicas ?? 0}/${spec?.replicas ?? 0}`;
});
