import type { Identity, Tenant } from '@liqo/api';
import { findCondition, formatTime } from '@liqo/kube';
import type { ForeignClusterFacts, NewPeerCondition } from './foreign-cluster-facts.ts';

/** Undefined while neither cluster has an identity at the other one. */
export function authenticationConditions(
  facts: ForeignClusterFacts,
  nowMs: number,
): readonly NewPeerCondition[] | undefined {
  const identity = identityCondition(facts, nowMs);
  const tenant = tenantCondition(facts.tenants);
  return identity || tenant
    ? [...(identity ? [identity] : []), ...(tenant ? [tenant] : [])]
    : undefined;
}

/** Of the control plane. A Secret that was written by hand needs no Identity. */
function identityCondition(
  facts: ForeignClusterFacts,
  nowMs: number,
): NewPeerCondition | undefined {
  const { identities, controlPlaneSecrets, endpoint, apiServer } = facts;
  const controlPlane = identities.filter(({ spec }) => spec.type === 'ControlPlane');
  if (controlPlane.length === 0 && controlPlaneSecrets.length === 0) return undefined;
  const type = 'AuthIdentityControlPlaneStatus';
  if (controlPlane.some(({ status }) => !status?.kubeconfigSecretRef?.name)) {
    const message = 'The identity is not configured yet: it has no kubeconfig Secret';
    return { type, status: 'NotReady', reason: 'IdentityNotReady', message };
  }
  const expiresMs = endpoint?.expiresMs;
  if (expiresMs !== undefined && expiresMs <= nowMs) {
    const message = `The certificate of the identity expired at ${formatTime(expiresMs)}`;
    return { type, status: 'NotReady', reason: 'CertificateExpired', message };
  }
  if (apiServer === 'unauthorized') {
    const message = 'The foreign cluster does not accept the identity: it may have been revoked';
    return { type, status: 'NotReady', reason: 'Unauthorized', message };
  }
  const unusable = controlPlane.map(whyUnusable).find((problem) => problem !== undefined);
  if (unusable) return { type, status: 'NotReady', ...unusable };
  if (apiServer === 'unknown') {
    const known = recordedProblem(facts);
    if (known) return known;
  }
  const message = 'The identity has been successfully configured';
  return { type, status: 'Ready', reason: 'IdentityReady', message };
}

/** As the Identity says it. What it says of the answers of the provider comes from here. */
function whyUnusable({
  status,
}: Identity): Pick<NewPeerCondition, 'reason' | 'message'> | undefined {
  const ready = findCondition(status?.conditions, 'Ready');
  if (ready?.status !== 'False' || ready.reason === 'Unauthorized') return undefined;
  const { reason = 'IdentityNotReady', message = 'The identity cannot be used' } = ready;
  return { reason, message };
}

/** What was found with the identity before, for as long as the probe has no result. */
function recordedProblem({ foreignCluster }: ForeignClusterFacts): NewPeerCondition | undefined {
  const conditions = foreignCluster?.status?.modules?.authentication.conditions;
  const known = findCondition(conditions, 'AuthIdentityControlPlaneStatus');
  const isFound = known?.reason === 'CertificateExpired' || known?.reason === 'Unauthorized';
  return isFound ? known : undefined;
}

function tenantCondition(tenants: readonly Tenant[]): NewPeerCondition | undefined {
  if (tenants.length === 0) return undefined;
  const type = 'AuthTenantStatus';
  if (tenants.every(isConfigured)) {
    const message = 'The tenant has been successfully configured';
    return { type, status: 'Ready', reason: 'TenantReady', message };
  }
  const message = 'The tenant is not configured yet';
  return { type, status: 'NotReady', reason: 'TenantNotReady', message };
}

/** Without a handshake, the credentials are handed over outside of the Tenant. */
function isConfigured({ spec, status }: Tenant): boolean {
  const needsCredentials = spec.authzPolicy !== 'TolerateNoHandshake';
  return (
    Boolean(status?.tenantNamespace) && (!needsCredentials || status?.authParams !== undefined)
  );
}
