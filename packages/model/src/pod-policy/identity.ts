import type { PodSpec } from '../pods/pod-spec.ts';
import { isListed } from './pod-policy.ts';
import type { PolicyContext } from './policy-rule.ts';

const defaultAccount = 'default';

export function accountProblems(spec: PodSpec, context: PolicyContext): readonly string[] {
  const { serviceAccountName = defaultAccount } = spec;
  const isNone = serviceAccountName === '' || serviceAccountName === defaultAccount;
  if (isNone || mayUseAccount(spec, context)) return [];
  return [`service account "${serviceAccountName}" is not for consumers`];
}

export function withAllowedAccount(spec: PodSpec, context: PolicyContext): PodSpec {
  if (mayUseAccount(spec, context)) return spec;
  const { serviceAccountName: _, ...others } = spec;
  return { ...others, automountServiceAccountToken: false };
}

const harmless: readonly string[] = ['clusterTrustBundle', 'configMap', 'downwardAPI', 'secret'];
/** Credentials of the pod's service account. */
const credentials: readonly string[] = ['podCertificate', 'serviceAccountToken'];

export function tokenProblems(spec: PodSpec, context: PolicyContext): readonly string[] {
  const allowed = mayUseAccount(spec, context) ? [...harmless, ...credentials] : harmless;
  return (spec.volumes ?? []).flatMap(({ name, projected }) => {
    const types = (projected?.sources ?? []).flatMap((source) => Object.keys(source));
    const denied = new Set(types.filter((type) => !allowed.includes(type)));
    return [...denied].map((type) => `source ${type} of volume "${name}" is not for consumers`);
  });
}

function mayUseAccount(
  { serviceAccountName }: PodSpec,
  { policy: { serviceAccounts } }: PolicyContext,
): boolean {
  return isListed(serviceAccountName || defaultAccount, serviceAccounts);
}
