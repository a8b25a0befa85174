export {
  ApiError,
  isAlreadyExists,
  isConflict,
  isExpired,
  isForbidden,
  isInvalid,
  isNotFound,
  isTooManyRequests,
  isTransient,
  isUnauthorized,
} from './api-error.ts';
export type {
  Call,
  CallOptions,
  DeleteOptions,
  ListOptions,
  PatchOptions,
  Selection,
  WriteOptions,
} from './call-options.ts';
export { optionsOf } from './call-options.ts';
export { abortSignalOf, CallEnd, type CallSignal } from './call-signal.ts';
export { Client, type ClientOptions, type ObjectList } from './client.ts';
export { type Clock, DeadlineError, deadline, sleep, type Timer } from './clock.ts';
export {
  findCondition,
  isConditionTrue,
  type NewCondition,
  removeCondition,
  setCondition,
} from './conditions.ts';
export {
  fractionalCounts,
  hugePagesPrefix,
  isCountedResource,
  isWholeQuantity,
  measuredResources,
  quotaPrefixes,
} from './counted-resources.ts';
export { diffJson } from './diff-json.ts';
export type { DiscoveredResource, Discovery, VersionedResource } from './discovery.ts';
export {
  DurationError,
  durationToMs,
  parseDuration,
} from './duration.ts';
export { embeddedIpv4 } from './embedded-ipv4.ts';
export {
  type FieldQuery,
  matchesFields,
  parseFieldSelector,
} from './field-selector.ts';
export { oneLine, safeText } from './foreign-text.ts';
export { formatQuantity } from './format-quantity.ts';
export { hashText } from './hash.ts';
export {
  type InProcessAnswer,
  type InProcessServer,
  InProcessTransport,
} from './in-process-transport.ts';
export {
  formatIpAddress,
  type IpAddress,
  type IpRange,
  parseIpAddress,
  parseIpRange,
  rangeOfAddress,
} from './ip-address.ts';
export { IpRangeSet } from './ip-range-set.ts';
export {
  deepCopy,
  deepEqual,
  isJsonObject,
  type Json,
  type JsonObject,
  ownMember,
} from './json.ts';
export { JsonContent, JsonLines } from './json-content.ts';
export { applyJsonPatch, JsonPatchError, type JsonPatchOperation } from './json-patch.ts';
export {
  apiVersionOf,
  defineKind,
  type Kind,
  type KindNames,
  type ObjectOf,
  parseApiVersion,
} from './kind.ts';
export {
  MutatingWebhookConfiguration,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
  ValidatingWebhookConfiguration,
} from './kinds/admissionregistration.ts';
export { CustomResourceDefinition } from './kinds/apiextensions.ts';
export {
  ControllerRevision,
  DaemonSet,
  Deployment,
  ReplicaSet,
  StatefulSet,
} from './kinds/apps.ts';
export { TokenReview } from './kinds/authentication.ts';
export { SelfSubjectAccessReview, SubjectAccessReview } from './kinds/authorization.ts';
export { CronJob, Job } from './kinds/batch.ts';
export { CertificateSigningRequest } from './kinds/certificates.ts';
export { Lease } from './kinds/coordination.ts';
export {
  ConfigMap,
  Endpoints,
  LimitRange,
  Namespace,
  Node,
  PersistentVolume,
  PersistentVolumeClaim,
  Pod,
  PodTemplate,
  ReplicationController,
  ResourceQuota,
  Secret,
  Service,
  ServiceAccount,
} from './kinds/core.ts';
export { EndpointSlice } from './kinds/discovery.ts';
export { CoreEvent, Event } from './kinds/events.ts';
export { Ingress, IngressClass, NetworkPolicy, ServiceCIDR } from './kinds/networking.ts';
export { RuntimeClass } from './kinds/node.ts';
export { PodDisruptionBudget } from './kinds/policy.ts';
export { ClusterRole, ClusterRoleBinding, Role, RoleBinding } from './kinds/rbac.ts';
export { PriorityClass } from './kinds/scheduling.ts';
export { StorageClass } from './kinds/storage.ts';
export {
  formatLabelSelector,
  type LabelQuery,
  LabelSelectorError,
  labelQueryFromLabels,
  labelQueryFromSelector,
  matchesLabels,
} from './label-selector.ts';
export { Lanes } from './lanes.ts';
export { LearntLimit, type LimitBounds } from './learnt-limit.ts';
export { applyMergePatch, diffMergePatch } from './merge-patch.ts';
export {
  checkDnsLabel,
  checkDnsSubdomain,
  checkLabelValue,
  checkQualifiedName,
  type NameFaults,
} from './names.ts';
export {
  checkNodeSelector,
  matchesNodeSelector,
  matchesNodeSelectorTerm,
  type SelectableNode,
} from './node-selector.ts';
export {
  type KubeObject,
  keyOf,
  keyString,
  type ObjectKey,
  parseKey,
  type Stored,
} from './object.ts';
export { parseLabelSelector } from './parse-label-selector.ts';
export { parseQuantity, QuantityError } from './parse-quantity.ts';
export { jsonPatch, mergePatch, type Patch, strategicMergePatch } from './patch.ts';
export {
  addQuantities,
  compareQuantities,
  isZeroQuantity,
  maxQuantity,
  type Quantity,
  quantityMilliValue,
  quantityValue,
  roundQuantityDown,
  subtractQuantities,
} from './quantity.ts';
export { jitter, type Random } from './random.ts';
export { readServiceRanges } from './read-service-ranges.ts';
export { reservedUseOf } from './reserved-address.ts';
export {
  addResources,
  equalResources,
  maxResources,
  type ResourceList,
  subtractResources,
} from './resource-list.ts';
export { type Query, queryString, resourcePath } from './resource-path.ts';
export { formatMicroTime, formatTime, parseTime, TimestampError } from './timestamp.ts';
export {
  type ByteStream,
  type ReplaceableCredentials,
  type Transport,
  TransportError,
  type TransportRequest,
  type UpgradedConnection,
} from './transport.ts';
export type { WatchEvent, WatchOptions } from './watch.ts';
