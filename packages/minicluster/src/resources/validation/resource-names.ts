import { type FieldProblem, invalid, invalidFor } from './field-problem.ts';
import { qualifiedNameFaults } from './names.ts';

/** Names of what pods consume and quotas limit. */

const containerResources: readonly string[] = ['cpu', 'memory', 'ephemeral-storage'];

/** Objects, counted by quotas. */
const objectCounts: readonly string[] = [
  'pods',
  'resourcequotas',
  'services',
  'replicationcontrollers',
  'secrets',
  'configmaps',
  'persistentvolumeclaims',
  'services.nodeports',
  'services.loadbalancers',
];

const quotaResources: readonly string[] = [
  ...containerResources,
  'requests.cpu',
  'requests.memory',
  'requests.storage',
  'requests.ephemeral-storage',
  'limits.cpu',
  'limits.memory',
  'limits.ephemeral-storage',
  ...objectCounts,
];

export function isHugePages(resource: string): boolean {
  return resource.startsWith('hugepages-');
}

/** In the namespace of Kubernetes, as names without a prefix are. */
function isNativeResource(resource: string): boolean {
  return !resource.includes('/') || resource.includes('kubernetes.io/');
}

/** Of a device plugin or the like: `example.com/gpu`. */
function isExtendedResource(resource: string): boolean {
  if (isNativeResource(resource) || resource.startsWith('requests.')) return false;
  return qualifiedNameFaults(`requests.${resource}`).length === 0;
}

/** Whether there is no half of it. */
export function isCounted(resource: string): boolean {
  return objectCounts.includes(resource) || isExtendedResource(resource);
}

/** Whether limits may be higher than requests. */
export function isOvercommitAllowed(resource: string): boolean {
  return isNativeResource(resource) && !isHugePages(resource);
}

export function validateResourceName(field: string, resource: string): FieldProblem[] {
  const faults = invalidFor(field, resource, qualifiedNameFaults(resource));
  if (faults.length > 0 || resource.includes('/')) return faults;
  const isStandard = quotaResources.includes(resource) || resource === 'storage';
  if (isStandard || isQuotaHugePages(resource)) return [];
  return [invalid(field, resource, 'must be a standard resource type or fully qualified')];
}

export function validateContainerResourceName(field: string, resource: string): FieldProblem[] {
  const problems = validateResourceName(field, resource);
  if (!resource.includes('/')) {
    if (containerResources.includes(resource) || isHugePages(resource)) return problems;
    return [...problems, invalid(field, resource, 'must be a standard resource for containers')];
  }
  if (isNativeResource(resource) || isExtendedResource(resource)) return problems;
  return [...problems, invalid(field, resource, "doesn't follow extended resource name standard")];
}

export function validateQuotaResourceName(field: string, resource: string): FieldProblem[] {
  const problems = validateResourceName(field, resource);
  if (resource.includes('/') || isStandardForQuota(resource)) return problems;
  return [...problems, invalid(field, resource, 'must be a standard resource for quota')];
}

export function isStandardForQuota(resource: string): boolean {
  return quotaResources.includes(resource) || isQuotaHugePages(resource);
}

function isQuotaHugePages(resource: string): boolean {
  return isHugePages(resource) || resource.startsWith('requests.hugepages-');
}
