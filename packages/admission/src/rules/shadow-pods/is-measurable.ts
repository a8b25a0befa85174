import { isJsonObject } from '@liqo/kube';

type Check = (value: unknown) => boolean;

/** Whether the fields that the demand of a pod is measured by have the types that they have in Kubernetes. */
export function isMeasurable(pod: unknown): boolean {
  if (!isJsonObject(pod)) return false;
  const { containers, initContainers, ephemeralContainers, overhead, resources } = pod;
  return (
    areContainers(containers) &&
    isAbsentOr(areContainers)(initContainers) &&
    isAbsentOr(areContainers)(ephemeralContainers) &&
    isAbsentOr(areAmounts)(overhead) &&
    isAbsentOr(areResources)(resources)
  );
}

const isAbsentOr =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);

const areAmounts: Check = (value) =>
  isJsonObject(value) &&
  Object.values(value).every((amount) => typeof amount === 'string' || typeof amount === 'number');

const areResources: Check = (value) =>
  isJsonObject(value) &&
  isAbsentOr(areAmounts)(value.requests) &&
  isAbsentOr(areAmounts)(value.limits);

const areContainers: Check = (value) =>
  Array.isArray(value) &&
  value.every((one) => isJsonObject(one) && isAbsentOr(areResources)(one.resources));
