import type { ObjectFieldSelector, ResourceFieldSelector } from 'kubernetes-types/core/v1.d.ts';
import {
  type FieldProblem,
  invalid,
  invalidFor,
  notSupported,
  required,
} from '../validation/field-problem.ts';
import { qualifiedNameFaults } from '../validation/names.ts';
import { quantityText } from '../validation/quantities.ts';

/** What a pod can be told about itself, in environment variables and in files. */

const identity: readonly string[] = ['metadata.name', 'metadata.namespace', 'metadata.uid'];

export const variableFieldPaths: readonly string[] = [
  ...identity,
  'spec.nodeName',
  'spec.serviceAccountName',
  'status.hostIP',
  'status.hostIPs',
  'status.podIP',
  'status.podIPs',
];

export const volumeFieldPaths: readonly string[] = [
  'metadata.annotations',
  'metadata.labels',
  ...identity,
];

const everywhere: readonly string[] = [
  ...variableFieldPaths,
  ...volumeFieldPaths,
  'spec.restartPolicy',
];

export function validateFieldRef(
  field: string,
  { apiVersion, fieldPath }: ObjectFieldSelector,
  supported: readonly string[],
): FieldProblem[] {
  if (!apiVersion) return [required(`${field}.apiVersion`)];
  if (!fieldPath) return [required(`${field}.fieldPath`)];
  const unknown = unknownPath(apiVersion, fieldPath);
  if (unknown)
    return [invalid(`${field}.fieldPath`, fieldPath, `error converting fieldPath: ${unknown}`)];
  const { path, subscript } = split(fieldPath);
  if (subscript !== undefined) return validateSubscript(field, path, subscript);
  return supported.includes(path) ? [] : [notSupported(`${field}.fieldPath`, path, supported)];
}

function unknownPath(apiVersion: string, fieldPath: string): string | undefined {
  if (apiVersion !== 'v1') return `unsupported pod version: ${apiVersion}`;
  const { path, subscript } = split(fieldPath);
  if (subscript !== undefined) {
    const isMap = path === 'metadata.annotations' || path === 'metadata.labels';
    return isMap ? undefined : `field label does not support subscript: ${fieldPath}`;
  }
  if (everywhere.includes(path) || path === 'spec.host') return undefined;
  return `field label not supported: ${fieldPath}`;
}

/** `metadata.labels['app']` in its two parts. */
function split(fieldPath: string): { readonly path: string; readonly subscript?: string } {
  const [, path, subscript] = /^(.*)\['(.*)'\]$/s.exec(fieldPath) ?? [];
  return path !== undefined && subscript !== undefined ? { path, subscript } : { path: fieldPath };
}

function validateSubscript(field: string, path: string, subscript: string): FieldProblem[] {
  const key = path === 'metadata.annotations' ? subscript.toLowerCase() : subscript;
  return invalidFor(field, key, qualifiedNameFaults(key));
}

const containerResources: readonly string[] = [
  'limits.cpu',
  'limits.ephemeral-storage',
  'limits.memory',
  'requests.cpu',
  'requests.ephemeral-storage',
  'requests.memory',
];

export function validateResourceRef(
  field: string,
  { containerName, resource, divisor }: ResourceFieldSelector,
  { inVolume }: { readonly inVolume: boolean },
): FieldProblem[] {
  const divides = validateDivisor(`${field}.divisor`, resource, divisor);
  if (inVolume && !containerName) return [required(`${field}.containerName`), ...divides];
  if (!resource) return [required(`${field}.resource`), ...divides];
  const isKnown = containerResources.includes(resource) || isHugePages(resource);
  if (isKnown) return divides;
  return [notSupported(`${field}.resource`, resource, containerResources), ...divides];
}

function isHugePages(resource: string): boolean {
  return /^(requests|limits)\.hugepages-/.test(resource);
}

const sizes = ['1', '1k', '1M', '1G', '1T', '1P', '1E', '1Ki', '1Mi', '1Gi', '1Ti', '1Pi', '1Ei'];

function validateDivisor(
  field: string,
  resource: string,
  divisor: string | undefined,
): FieldProblem[] {
  const text = quantityText(divisor);
  const name = /^(?:limits|requests)\.(.*)$/.exec(resource ?? '')?.[1] ?? '';
  if (text === '0' || name === '') return [];
  if (name === 'cpu') {
    const rule = "only divisor's values 1m and 1 are supported with the cpu resource";
    return text === '1m' || text === '1' ? [] : [invalid(field, resource, rule)];
  }
  const kind = { memory: 'memory', 'ephemeral-storage': 'local ephemeral storage' }[name];
  if (!kind && !isHugePages(resource)) return [];
  const rule = `only divisor's values ${sizes.join(', ')} are supported with the ${kind ?? 'hugepages'} resource`;
  return sizes.includes(text) ? [] : [invalid(field, resource, rule)];
}
