import type { Identity } from '@liqo/api';
import { formatTime, type NewCondition, setCondition } from '@liqo/kube';
import type { ClientCertificate, CredentialProblem } from './judge-auth-params.ts';

type Conditions = NonNullable<NonNullable<Identity['status']>['conditions']>;

/** What the condition of an Identity is made of. */
export interface IdentityFindings {
  /** Undefined if the credentials can be used. */
  readonly problem: CredentialProblem<string> | undefined;
  /** Undefined if it cannot be read. */
  readonly certificate: Pick<ClientCertificate, 'notAfterMs'> | undefined;
  readonly observedGeneration: number | undefined;
}

/** The condition `Ready` of an Identity: False with the first problem that was found. */
export function identityConditions(
  before: Conditions | undefined,
  { problem, certificate, observedGeneration }: IdentityFindings,
  now: string,
): Conditions {
  const until = certificate ? `, valid until ${formatTime(certificate.notAfterMs)}` : '';
  const ready: NewCondition<Conditions[number]> = {
    type: 'Ready',
    status: problem ? 'False' : 'True',
    reason: problem?.reason ?? 'IdentityReady',
    message: problem?.message ?? `The kubeconfig Secret holds the certificate${until}`,
    ...(observedGeneration !== undefined && { observedGeneration }),
  };
  return setCondition(before, ready, now) as Conditions;
}
