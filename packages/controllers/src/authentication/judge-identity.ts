import { type Identity, labels, resourceSliceIdentityName } from '@liqo/api';
import {
  type ClientCertificate,
  type CredentialProblem,
  type CredentialRules,
  controlPlaneSubject,
  type IdentitySubject,
  judgeAuthParams,
  refuseRemoteNamespace,
  sliceSubject,
} from '@liqo/model';
import type { ClusterKeys } from './cluster-keys.ts';
import { readCredentials } from './read-credentials.ts';

export interface JudgedIdentity {
  /** Why its kubeconfig is not made; undefined if it is. */
  readonly problem: CredentialProblem<string> | undefined;
  /** Undefined if it cannot be read. */
  readonly certificate: ClientCertificate | undefined;
}

export interface IdentityRules extends Pick<CredentialRules, 'reservedAddresses'> {
  readonly clusterID: string;
}

/** Whether the credentials in an Identity are those of this cluster, whatever the time is. */
export function judgeIdentity(
  identity: Identity,
  keys: ClusterKeys,
  { clusterID, reservedAddresses }: IdentityRules,
): JudgedIdentity {
  const facts = readCredentials(identity.spec?.authParams, keys.privateKey);
  const { certificate } = facts;
  const subject = subjectOf(identity, clusterID);
  if (!subject) {
    const message = `spec.type is neither ControlPlane nor ResourceSlice, or the label "${labels.resourceSliceName}" is not the slice in the name`;
    return { problem: { reason: 'UnknownSlice', message }, certificate };
  }
  const isControlPlane = identity.spec?.type === 'ControlPlane';
  const problem =
    judgeAuthParams(facts, { subject, reservedAddresses }) ??
    (isControlPlane ? refuseRemoteNamespace(identity.spec?.namespace) : undefined);
  return { problem, certificate };
}

function subjectOf({ metadata, spec }: Identity, clusterID: string): IdentitySubject | undefined {
  if (spec?.type === 'ControlPlane') return controlPlaneSubject(clusterID);
  const slice = metadata?.labels?.[labels.resourceSliceName];
  const isNamed = slice !== undefined && metadata?.name === resourceSliceIdentityName(slice);
  return spec?.type === 'ResourceSlice' && isNamed ? sliceSubject(slice, clusterID) : undefined;
}
