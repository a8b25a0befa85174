import { deepEqual, type KubeObject } from '@liqo/kube';
import type { ApiRequest } from './api-request.ts';

const tellings = {
  sent: 'contains duplicate entries',
  admitted: 'contains duplicate entries after mutating admission happens',
};

/** The object with each owner named once, which the client is told if there were more: `when` they were there. */
export function withDistinctOwners(
  object: KubeObject,
  { warn }: Pick<ApiRequest, 'warn'>,
  when: keyof typeof tellings,
): KubeObject {
  const owners = object.metadata?.ownerReferences ?? [];
  const isRepeated = owners.map((owner, i) =>
    owners.slice(0, i).some((earlier) => deepEqual(earlier, owner)),
  );
  const repeated = owners.filter((_, i) => isRepeated[i]);
  if (repeated.length === 0) return object;
  const uids = repeated.map(({ uid }) => uid).join(', ');
  warn(
    `.metadata.ownerReferences ${tellings[when]}; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: ${uids}`,
  );
  const ownerReferences = owners.filter((_, i) => !isRepeated[i]);
  return { ...object, metadata: { ...object.metadata, ownerReferences } };
}
