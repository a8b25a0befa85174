import type { X509Certificate } from 'node:crypto';
import type { Clock, Random } from '@liqo/kube';
import type { PolicyRule } from 'kubernetes-types/rbac/v1.d.ts';
import type { Admission } from '../admission/admission.ts';
import type { Gatekeeper } from '../rest/api-server.ts';
import type { Subresource } from '../rest/resource.ts';
import type { ServerParts } from '../rest/server-parts.ts';
import type { Store } from '../store/store.ts';
import type { Authorizer } from './access.ts';
import { Authenticator, type StaticTokens } from './authenticator.ts';
import { type BootstrapPolicy, readBootstrapPolicy } from './bootstrap/bootstrap-policy.ts';
import { installBootstrapPolicy } from './bootstrap/install-bootstrap-policy.ts';
import { approvalSubresource } from './certificates/approval-subresource.ts';
import { certificateAdmission } from './certificates/certificate-admission.ts';
import { userOfCertificate } from './certificates/certificate-user.ts';
import { type AuthorityIdentity, ClusterAuthority } from './certificates/cluster-authority.ts';
import { chainAuthorizers } from './chain-authorizers.ts';
import { createGatekeeper } from './gatekeeper.ts';
import { mastersAuthorizer } from './masters-authorizer.ts';
import { NodeAuthorizer } from './nodes/node-authorizer.ts';
import { EscalationCheck } from './rbac/escalation-check.ts';
import { RbacAuthorizer } from './rbac/rbac-authorizer.ts';
import { reviewAccess, reviewLocalAccess, reviewSelfAccess } from './reviews/access-review.ts';
import type { ReviewHandler } from './reviews/review-handler.ts';
import { reviewRules } from './reviews/rules-review.ts';
import { reviewSelf } from './reviews/self-subject-review.ts';
import { reviewToken } from './reviews/token-review.ts';
import { ServiceAccountTokens } from './tokens/service-account-tokens.ts';
import type { SigningKey } from './tokens/signing-key.ts';
import { tokenSubresource } from './tokens/token-subresource.ts';
import type { User } from './user.ts';

export interface ClusterAuthOptions {
  readonly store: Store;
  /** Whose keys these are: then the store is as that cluster left it. Without, the stock roles are put into a new one. */
  readonly from?: AuthSnapshot | undefined;
  readonly clock: Clock;
  readonly random: Random;
  readonly staticTokens?: StaticTokens;
}

type SubresourceHandler = NonNullable<Subresource['handle']>;

/** The keys of a cluster, and the roles that it began with. */
export interface AuthSnapshot {
  readonly policy: BootstrapPolicy;
  readonly authority: AuthorityIdentity;
  readonly tokenKey: SigningKey;
}

/** All that has to do with who may do what in one cluster. */
export interface ClusterAuth {
  readonly gatekeeper: Gatekeeper;
  readonly authorizer: Authorizer;
  readonly authority: ClusterAuthority;
  /** To come after all plugins that change objects, and before those that only check. */
  readonly admission: readonly Admission[];
  /** By `<plural>.<group>`. */
  readonly reviews: Readonly<Record<string, ReviewHandler>>;
  /** By `<plural>[.<group>]/<subresource>`. */
  subresources(parts: ServerParts): Readonly<Record<string, SubresourceHandler>>;
  /** For the listener: whom the peer of a connection is by its certificate. */
  userOfCertificate(certificate: X509Certificate): User | undefined;
  snapshot(): AuthSnapshot;
}

/** As kubeadm names it. */
const issuer = 'https://kubernetes.default.svc.cluster.local';

export function createClusterAuth(options: ClusterAuthOptions): ClusterAuth {
  const { store, clock, staticTokens, from } = options;
  const policy = from?.policy ?? readBootstrapPolicy();
  if (!from) installBootstrapPolicy(policy, options);
  const rbac = new RbacAuthorizer(store);
  const nodes = new NodeAuthorizer(store, rulesOfNodes(policy));
  const authorizer = chainAuthorizers([mastersAuthorizer, nodes, rbac]);
  const tokens = new ServiceAccountTokens({ ...options, issuer, key: from?.tokenKey });
  const authenticator = new Authenticator(tokens, staticTokens);
  const authority = new ClusterAuthority(clock, from?.authority);
  return {
    gatekeeper: createGatekeeper(authenticator, authorizer),
    authorizer,
    authority,
    admission: [...certificateAdmission(authorizer), new EscalationCheck(authorizer, rbac)],
    reviews: {
      'tokenreviews.authentication.k8s.io': reviewToken(authenticator),
      'selfsubjectreviews.authentication.k8s.io': reviewSelf(clock),
      'subjectaccessreviews.authorization.k8s.io': reviewAccess(authorizer),
      'localsubjectaccessreviews.authorization.k8s.io': reviewLocalAccess(authorizer),
      'selfsubjectaccessreviews.authorization.k8s.io': reviewSelfAccess(authorizer),
      'selfsubjectrulesreviews.authorization.k8s.io': reviewRules(rbac),
    },
    subresources: (parts) => ({
      'serviceaccounts/token': tokenSubresource({ store, clock, tokens }, parts.admission),
      'certificatesigningrequests.certificates.k8s.io/approval': approvalSubresource(parts),
    }),
    userOfCertificate: (certificate) => userOfCertificate(certificate, authority, clock.now()),
    snapshot: () => ({ policy, authority: authority.identity, tokenKey: tokens.key }),
  };
}

/** Kubelets may do what this role says. It is bound to nobody, so that RBAC does not say it too. */
function rulesOfNodes({ clusterRoles }: BootstrapPolicy): readonly PolicyRule[] {
  return clusterRoles.find(({ metadata }) => metadata?.name === 'system:node')?.rules ?? [];
}
