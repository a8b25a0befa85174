import type { ForeignCluster, Identity, VirtualNode } from '@liqo/api';
import { findCondition } from '@liqo/kube';
import type { CredentialProblem } from './judge-auth-params.ts';

/** The objects on which the clients of an Identity report what the provider answers. */
export interface IdentityUse {
  /** Of the provider. */
  readonly foreignCluster: Pick<ForeignCluster, 'status'> | undefined;
  /** Of the namespace of the Identity. */
  readonly virtualNodes: readonly VirtualNode[];
}

/**
 * Whether the provider has answered 401 to the credentials of an Identity: those of the control plane as the probe of its API server
 * reports it, those of a slice as the virtual kubelets do.
 */
export function refusedIdentity(
  { spec, status }: Identity,
  { foreignCluster, virtualNodes }: IdentityUse,
): CredentialProblem<'Unauthorized'> | undefined {
  const secretName = status?.kubeconfigSecretRef?.name;
  const isRefused =
    spec.type === 'ControlPlane'
      ? isRefusedToControlPlane(foreignCluster)
      : virtualNodes.some((one) => isRefusedTo(one, secretName));
  if (!isRefused) return undefined;
  const message =
    'The provider does not accept the certificate: it may have been revoked; authenticate again, or have the provider issue a new one';
  return { reason: 'Unauthorized', message };
}

function isRefusedToControlPlane(foreignCluster: IdentityUse['foreignCluster']): boolean {
  const conditions = foreignCluster?.status?.modules?.authentication.conditions;
  return findCondition(conditions, 'AuthIdentityControlPlaneStatus')?.reason === 'Unauthorized';
}

function isRefusedTo({ spec, status }: VirtualNode, secretName: string | undefined): boolean {
  if (secretName === undefined || spec.kubeconfigSecretRef?.name !== secretName) return false;
  return findCondition(status?.conditions, 'Provider')?.reason === 'RemoteUnauthorized';
}
