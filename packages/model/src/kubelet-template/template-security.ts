import { deepEqual, isJsonObject } from '@liqo/kube';

/** What Pod Security `restricted` demands of the pods of virtual kubelets, and what they run with. */
export const podSecurity = {
  runAsNonRoot: true,
  seccompProfile: { type: 'RuntimeDefault' },
} as const;

export const containerSecurity = {
  allowPrivilegeEscalation: false,
  readOnlyRootFilesystem: true,
  capabilities: { drop: ['ALL'] as string[] },
};

const groups = new Set(['runAsGroup', 'fsGroup', 'supplementalGroups']);

/** Why a security context would allow more than the required one. */
export function securityProblems(value: unknown, required: object): readonly string[] {
  if (!isJsonObject(value)) return ['is not an object'];
  const demanded = new Map<string, unknown>(Object.entries(required));
  return Object.entries(value).flatMap(([field, wanted]) => {
    if (groups.has(field) || deepEqual(wanted, demanded.get(field))) return [];
    if (field === 'runAsUser' && wanted !== 0) return [];
    if (isUnset(wanted) && !demanded.has(field)) return [];
    return [`sets ${field}`];
  });
}

/** What a manifest may say and mean nothing by it. */
export function isUnset(value: unknown): boolean {
  if (value === undefined || value === null || value === false || value === '') return true;
  if (Array.isArray(value)) return value.length === 0;
  return isJsonObject(value) && Object.keys(value).length === 0;
}
