import { ownMember, type Pod, type Stored } from '@liqo/kube';
import { podSpecFields } from './pod-spec-fields.ts';

export interface PodRefusal {
  readonly reason: 'UnsupportedField';
  readonly message: string;
}

/** Why a pod cannot run at a provider, if it cannot: better said at once than found out by waiting. */
export function refusePod({
  metadata,
  spec = { containers: [] },
}: Stored<Pod>): PodRefusal | undefined {
  const field = Object.entries(spec).find(
    ([name, value]) => isRefused(name) && !isEmpty(value),
  )?.[0];
  if (field === undefined) return undefined;
  const why = ownMember(podSpecFields, field)?.why.replace(/\.$/, '');
  const message = `Cannot offload pod "${metadata.name}": it has spec.${field}. ${why}`;
  return { reason: 'UnsupportedField', message };
}

function isRefused(field: string): boolean {
  return ownMember(podSpecFields, field)?.fate === 'refused';
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || (Array.isArray(value) && value.length === 0);
}
