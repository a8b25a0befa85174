import { isJsonObject, type KubeObject, type Pod } from '@liqo/kube';

/** Whether the fields that placement reads have the types that they have in Kubernetes. */
export function isWellFormedPod(object: KubeObject): object is Pod {
  const { metadata, spec } = object as { readonly metadata?: unknown; readonly spec?: unknown };
  if (!isJsonObject(metadata) || !isJsonObject(spec)) return false;
  const { annotations, ownerReferences } = metadata;
  const { tolerations, affinity, nodeName, runtimeClassName } = spec;
  return (
    isAbsentOr(isJsonObject)(annotations) &&
    isAbsentOr(isListOf(isOwner))(ownerReferences) &&
    isAbsentOr(isListOf(isJsonObject))(tolerations) &&
    isAbsentOr(isText)(nodeName) &&
    isAbsentOr(isText)(runtimeClassName) &&
    isAbsentOr(isAffinity)(affinity)
  );
}

type Check = (value: unknown) => boolean;

const isAbsentOr =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);

const isListOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check);

const isText: Check = (value) => typeof value === 'string';

const isOwner: Check = (value) => isJsonObject(value) && isText(value.apiVersion);

const isTerm: Check = (value) =>
  isJsonObject(value) &&
  isAbsentOr(isListOf(isJsonObject))(value.matchExpressions) &&
  isAbsentOr(isListOf(isJsonObject))(value.matchFields);

const isSelector: Check = (value) =>
  isJsonObject(value) && isListOf(isTerm)(value.nodeSelectorTerms);

const isNodeAffinity: Check = (value) =>
  isJsonObject(value) &&
  isAbsentOr(isSelector)(value.requiredDuringSchedulingIgnoredDuringExecution);

const isAffinity: Check = (value) =>
  isJsonObject(value) && isAbsentOr(isNodeAffinity)(value.nodeAffinity);
