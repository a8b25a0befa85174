export { answerRenew } from './authentication/answer-renew.ts';
export { apiServerUrl, controlPlaneLabels } from './authentication/api-server-url.ts';
export { forgeAuthParams } from './authentication/auth-params.ts';
export {
  type IssuedCertificate,
  judgeCertificate,
  renewalDueInMs,
} from './authentication/certificate-life.ts';
export {
  forgeCertificateSecret,
  type OwnerReference,
} from './authentication/certificate-secret.ts';
export {
  isNewer,
  validityChangesInMs,
  validityProblem,
} from './authentication/certificate-validity.ts';
export { cordonChange } from './authentication/cordon-tenant.ts';
export {
  type AuthParams,
  forgeControlPlaneIdentity,
} from './authentication/forge-identity.ts';
export { forgeKubeconfigText } from './authentication/forge-kubeconfig.ts';
export { forgeKubeconfigSecret } from './authentication/forge-kubeconfig-secret.ts';
export { forgeRenew } from './authentication/forge-renew.ts';
export { forgeSignedNonce } from './authentication/forge-signed-nonce.ts';
export { identityConditions } from './authentication/identity-condition.ts';
export {
  type ClientCertificate,
  type CredentialFacts,
  type CredentialProblem,
  type CredentialRules,
  judgeAuthParams,
  longestParams,
  refuseRemoteNamespace,
} from './authentication/judge-auth-params.ts';
export {
  type HandshakeFacts,
  type HandshakeVerdict,
  judgeHandshake,
} from './authentication/judge-handshake.ts';
export {
  type IdentityRequestFacts,
  isSubject,
  judgeIdentityRequest,
} from './authentication/judge-identity-request.ts';
export { isNonce } from './authentication/nonce.ts';
export {
  nonceLifetimeMs,
  printNonceRecord,
  readNonceRecord,
  recordNonce,
} from './authentication/nonce-record.ts';
export { findNonceSecret, forgeNonceSecret } from './authentication/nonce-secret.ts';
export { ownerReference } from './authentication/owner-reference.ts';
export {
  describeNonceStep,
  type NonceReason,
  type NonceStep,
  planNonce,
} from './authentication/plan-nonce.ts';
export { proxyUrlProblem } from './authentication/proxy-url.ts';
export { refuseTenant, type TenantRefusal } from './authentication/refuse-tenant.ts';
export { refusedIdentity } from './authentication/refused-identity.ts';
export {
  certificateSecretOf,
  forgeSigningRequest,
  planSigning,
  requestsFor,
  type SigningStep,
  tenantRequestSelector,
  type WantedCertificate,
} from './authentication/signing-request.ts';
export {
  controlPlaneSubject,
  type IdentitySubject,
  quotaName,
  sliceSubject,
} from './authentication/subjects.ts';
export { forgeTenant } from './authentication/tenant.ts';
export {
  bindsControlPlane,
  controlPlaneBindingName,
  everywhereBindingName,
  forgeControlPlaneBinding,
  forgeEverywhereBinding,
} from './authentication/tenant-bindings.ts';
export {
  type AuthenticationReport,
  nextTenantStatus,
  type TenantStatus,
} from './authentication/tenant-status.ts';
export {
  type CertificateContent,
  judgeServingRequest,
  parseServiceAccountUser,
  type ServedVirtualNode,
  type ServingVerdict,
} from './certificates/judge-serving-request.ts';
export type { RefusedAddress } from './endpoint-slices/accept-endpoints.ts';
export {
  type EndpointSliceStep,
  planEndpointSlice,
} from './endpoint-slices/plan-endpoint-slice.ts';
export { acceptedNamespaces } from './namespaces/accepted-namespaces.ts';
export { type DesiredNames, desiredNames } from './namespaces/desired-names.ts';
export { namespacesGrantedBy } from './namespaces/granted-namespaces.ts';
export { anyNamespaceName, refuseUnlistedName } from './namespaces/namespace-patterns.ts';
export { nextInTurn } from './namespaces/next-in-turn.ts';
export {
  offloadingStatus,
  providersWithNamespace,
} from './namespaces/offloading-status.ts';
export { originOf } from './namespaces/origin.ts';
export { planEnabledNamespace } from './namespaces/plan-enabled-namespace.ts';
export { planLatePod } from './namespaces/plan-late-pod.ts';
export {
  customTenantBindingName,
  forgeCustomTenantBinding,
  forgeTenantBinding,
  isBeingDeleted,
  isManagedBy,
  type NamespaceMapping,
  type PodSecurityLevel,
  planRemoteNamespace,
  refusal,
  refuseGrantedName,
  refuseSharedName,
  type WantedNamespace,
} from './namespaces/plan-remote-namespace.ts';
export { remoteNamespaceName } from './namespaces/remote-namespace-name.ts';
export { whyNotOffloadable } from './namespaces/reserved-namespaces.ts';
export {
  checkClusterSelector,
  type Provider,
  selectsProvider,
} from './namespaces/select-providers.ts';
export {
  countNamespacesOf,
  defaultTenantLimits,
  refuseBeyondLimit,
  type TenantLimits,
  tenantLimitReached,
} from './namespaces/tenant-limits.ts';
export { type NodeExtras, nodeHead } from './nodes/forge-node.ts';
export { findNamesake, isNodeOf } from './nodes/node-ownership.ts';
export { nodeStatus } from './nodes/node-status.ts';
export { addressesOfNode, rangesOfNode, withAddressesOnly } from './nodes/own-ranges.ts';
export { planCordon } from './nodes/plan-cordon.ts';
export { withProviderCondition } from './nodes/provider-condition.ts';
export {
  describeProblem,
  type ProviderProblem,
  type ProviderTrouble,
} from './nodes/provider-trouble.ts';
export { isReady, remoteUnavailableChange } from './nodes/remote-unavailable.ts';
export {
  isReleased,
  planMapRemoval,
  podsToDrain,
  type Remains,
  type TeardownStep,
  teardownStep,
} from './nodes/teardown.ts';
export {
  forgeVirtualKubeletAccess,
  nodeLeaseNamespace,
} from './nodes/virtual-kubelet-access.ts';
export {
  forgeVirtualKubelet,
  issuesTokens,
  makesNode,
  refuseTemplate,
} from './nodes/virtual-kubelet-deployment.ts';
export { forgeVirtualKubeletPolicy } from './nodes/virtual-kubelet-network-policy.ts';
export { type VirtualNodeFacts, virtualNodeConditions } from './nodes/virtual-node-conditions.ts';
export {
  followOffer,
  forgeOfferVirtualNode,
  isOfOffer,
  virtualNodeNameOf,
} from './offers/forge-offer-virtual-node.ts';
export { judgeClusterConfig, keepValidConfig } from './offers/judge-cluster-config.ts';
export { holdsPlace, isAccepted, type OfferVerdict } from './offers/judge-offer.ts';
export { judgeOffers } from './offers/judge-offers.ts';
export { judgeNetwork } from './offers/network-readiness.ts';
export {
  decidedOfferStatus,
  judgeVirtualNode,
  progressedOfferStatus,
  type Readiness,
  reachableOfferStatus,
  standDownStatus,
  unreachableOfferStatus,
} from './offers/next-offer-status.ts';
export { findOfferProblem, type OfferPlace, type OfferProblem } from './offers/offer-problem.ts';
export { forgeOfferQuota, offerSubject } from './offers/offer-quota.ts';
export { expiresInMs, offerTimes } from './offers/offer-times.ts';
export { offeredInformation } from './offers/offered-information.ts';
export { offeredLabels } from './offers/offered-labels.ts';
export {
  endedStatus,
  isEnded,
  isReleasedByConsumer,
  planOwnOffer,
  withdrawnStatus,
} from './offers/plan-own-offer.ts';
export { isUsable, shareOfFree } from './offers/share-of-free.ts';
export { lastUsableOffer } from './offers/usable-offer.ts';
export { hasControlPlaneCredentials } from './peers/api-server-condition.ts';
export type {
  ApiServerState,
  ForeignClusterFacts,
  PeerEndpoint,
} from './peers/foreign-cluster-facts.ts';
export { isGoneForGood } from './peers/is-gone-for-good.ts';
export { isPeerReachable } from './peers/is-peer-reachable.ts';
export {
  type FindNamespace,
  peerByLabel,
  peerByNamespace,
  peerOfIdentity,
  peerOfTenant,
  peerOfTenantNamespace,
  peerOfVirtualNode,
} from './peers/peer-of-object.ts';
export { forgeForeignCluster, planForeignCluster } from './peers/plan-foreign-cluster.ts';
export {
  forgeTenantAccess,
  grantsTenantAccess,
  isTenantNamespace,
  planTenantAccess,
} from './peers/tenant-access.ts';
export {
  findTenantNamespace,
  forgeTenantNamespace,
  whyNotInTenantNamespace,
} from './peers/tenant-namespace.ts';
export { defaultPodPolicy, type PodPolicy } from './pod-policy/pod-policy.ts';
export { denialProblem, isDenial } from './pods/denial.ts';
export { isFinished } from './pods/finished-phase.ts';
export { firstWordDueInMs, saysOnlyThatItBegins, spreadOver } from './pods/first-word.ts';
export { type ForgedShadowPod, forgeShadowPod } from './pods/forge-shadow-pod.ts';
export { isTakenUp } from './pods/is-taken-up.ts';
export { keepGenerations } from './pods/keep-generations.ts';
export { nextPodStatus, type StatusContext } from './pods/next-pod-status.ts';
export type { OffloadProblem } from './pods/offload-problem.ts';
export { holdOverdueInMs } from './pods/overdue-hold.ts';
export {
  deniedEphemeral,
  type EphemeralProblem,
  planEphemeralContainers,
} from './pods/plan-ephemeral-containers.ts';
export {
  graceOf,
  planOrphan,
  planShadowPod,
  type RemoteTwins,
  type ShadowPodStep,
} from './pods/plan-shadow-pod.ts';
export { isPlacedByOthers, toleratesVirtualNodes } from './pods/pod-placement.ts';
export { hasStarted, unmappedPodStatus, waitingPodStatus } from './pods/pod-without-provider.ts';
export { mayHaveOtherAddresses } from './pods/reflect-addresses.ts';
export type { AddressPolicy } from './pods/remote-address.ts';
export {
  forgeTokenSecret,
  type IssuedToken,
  planTokens,
  renewalAtMs,
  type WantedToken,
} from './pods/service-account-tokens.ts';
export type { PodRoute } from './pods/translate-pod-spec.ts';
export { updateShadowPodWithoutResize } from './pods/update-shadow-pod.ts';
export {
  addAmounts,
  noAmounts,
  readAmounts,
  subtractAmounts,
} from './quotas/amounts.ts';
export { creatorLabel } from './quotas/creator-label.ts';
export { fittingCandidates } from './quotas/fitting-candidates.ts';
export {
  type Candidate,
  judgeByQuotas,
  type QuotaFacts,
} from './quotas/judge-by-quotas.ts';
export type { QuotaRefusal } from './quotas/judge-demand.ts';
export { type Charge, isFreeing, Ledger } from './quotas/ledger.ts';
export { podDemand } from './quotas/pod-demand.ts';
export {
  type ClaimFacts,
  forgeClaimVolume,
  placeholderPath,
  planClaim,
  storageProvisioner,
} from './reflection/claim.ts';
export {
  type CustomObject,
  planCustomResource,
  readCustomCopy,
  withStatusOwners,
} from './reflection/custom-resource.ts';
export {
  type EndpointFacts,
  planShadowEndpointSlice,
  serviceOfSlice,
  withPolicyOnly,
  withProviderOnly,
} from './reflection/endpoint-slice.ts';
export {
  type EventSubject,
  forgeReflectedEvent,
  planEvent,
} from './reflection/events/plan-event.ts';
export { type RemoteEvent, readRemoteEvent } from './reflection/events/read-remote-event.ts';
export { isSkipped } from './reflection/is-skipped.ts';
export { type ClaimVolumeStep, planClaimVolume } from './reflection/plan-claim-volume.ts';
export { planCustomStatus } from './reflection/plan-custom-status.ts';
export type {
  ReflectionPlan,
  ReflectionStep,
} from './reflection/plan-reflection.ts';
export { readReflected, reflectionManager } from './reflection/read-reflected.ts';
export { reflectedKinds } from './reflection/reflected-kinds.ts';
export {
  parseReflectedResource,
  type ReflectedCustomResource,
  whyKindNotReflected,
} from './reflection/reflected-resource.ts';
export {
  customReflectionAccessName,
  forgeCustomReflectionAccess,
  forgeReflectionAccess,
  grantsAnything,
  reflectionAccessName,
} from './reflection/reflection-access.ts';
export {
  type ReflectedKindReport,
  type ReflectionProblem,
  reflectionConditions,
} from './reflection/reflection-conditions.ts';
export { type ReflectionNames, sameNames } from './reflection/reflection-names.ts';
export {
  isReflectedCopy,
  type ReflectionPolicy,
  type ReflectionRoute,
  reflectedSelector,
} from './reflection/reflection-route.ts';
export { acceptStatus } from './replication/accept-status.ts';
export { isGivenUp, type PeerAccess } from './replication/peer-access.ts';
export {
  isCopyFrom,
  planReplication,
  type ReplicatedObject,
} from './replication/plan-replication.ts';
export {
  denialMessage,
  denialOf,
  deniedChange,
  type PodChange,
} from './shadow-pods/denied-change.ts';
export {
  defaultPhaseDelays,
  type PhaseDelays,
  type PhaseWait,
  phaseWait,
} from './shadow-pods/phase-delay.ts';
export {
  nextShadowPodPhase,
  type PodStep,
  planPod,
} from './shadow-pods/plan-pod.ts';
export { debugPatch, resizePatch } from './shadow-pods/pod-patches.ts';
export {
  authenticationOf,
  forgeSliceIdentity,
} from './slices/forge-slice-objects.ts';
export {
  followGrant,
  forgeSliceVirtualNode,
  wantsVirtualNode,
} from './slices/forge-slice-virtual-node.ts';
export { type DefaultClass, grantResources } from './slices/grant-resources.ts';
export {
  consumerOf,
  judgeSlice,
  nextSlice,
  type SliceVerdict,
  sliceAge,
} from './slices/judge-slice.ts';
export {
  acceptedStatus,
  decidedStatus,
  deniedStatus,
  inaccessibleStatus,
} from './slices/next-slice-status.ts';
export { type OfferedStorage, offerStorageClasses } from './slices/offer-storage-classes.ts';
export { planQuota, type QuotaStep } from './slices/plan-quota.ts';
export { resourceProblems } from './slices/requested-resources.ts';
export { whyNothingNew } from './slices/why-nothing-new.ts';
export { readRemotePod } from './untrusted/read-remote-pod.ts';
export { readRemoteShadowPod } from './untrusted/read-remote-shadow-pod.ts';
