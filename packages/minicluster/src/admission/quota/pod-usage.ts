import { type KubeObject, type Pod, parseTime, type ResourceList } from '@liqo/kube';
import type { Container, ResourceRequirements } from 'kubernetes-types/core/v1.d.ts';
import type { AdmissionAttributes } from '../admission.ts';
import { podDemand } from './pod-demand.ts';
import { endsByItself, isPodInScope } from './pod-scope.ts';
import type { QuotaEvaluator } from './quota-evaluator.ts';

/** What containers have to state when a quota limits it. */
const mustBeStated: readonly string[] = [
  'cpu',
  'memory',
  'requests.cpu',
  'requests.memory',
  'limits.cpu',
  'limits.memory',
];
const measured: readonly string[] = [
  ...mustBeStated,
  'pods',
  'count/pods',
  'ephemeral-storage',
  'requests.ephemeral-storage',
  'limits.ephemeral-storage',
];
const basic: readonly string[] = ['cpu', 'memory', 'ephemeral-storage'];

/** Pods count by number, and by what they request and are limited to, until they have ended. */
export const podUsage: QuotaEvaluator = {
  handles,
  measures: (name) => measured.includes(name) || isHugePages(name) || isExtendedRequest(name),
  usageOf: (object, nowMs) => usageOf(object as Pod, nowMs),
  isInScope: (object, scope) => isPodInScope(object as Pod, scope),
  faultOf,
};

function handles({ operation, subresource, object, previous }: AdmissionAttributes): boolean {
  if (subresource === 'resize') return operation === 'UPDATE';
  if (subresource !== '') return false;
  if (operation !== 'UPDATE') return operation === 'CREATE';
  return endsByItself(object as Pod) !== endsByItself(previous as Pod);
}

function usageOf(pod: Pod, nowMs: number): ResourceList {
  const count = { 'count/pods': '1' };
  if (hasEnded(pod, nowMs)) return count;
  return { ...count, ...demandNames(podDemand(pod, 'requests'), podDemand(pod, 'limits')) };
}

/** Also of a pod whose time to end is over twice: its node is lost, and nobody shall pay for that. */
function hasEnded({ metadata, status }: Pod, nowMs: number): boolean {
  if (status?.phase === 'Failed' || status?.phase === 'Succeeded') return true;
  const { deletionTimestamp, deletionGracePeriodSeconds } = metadata ?? {};
  if (!deletionTimestamp || deletionGracePeriodSeconds === undefined) return false;
  return nowMs > parseTime(deletionTimestamp) + deletionGracePeriodSeconds * 1000;
}

/** Under the names that quotas have for them. */
function demandNames(requests: ResourceList, limits: ResourceList): ResourceList {
  const named: Record<string, string | number> = { pods: '1' };
  for (const [name, amount] of Object.entries(requests)) {
    if (basic.includes(name) || isHugePages(name)) named[name] = amount;
    if (basic.includes(name) || isHugePages(name) || isExtended(name)) {
      named[`requests.${name}`] = amount;
    }
  }
  for (const [name, amount] of Object.entries(limits)) {
    if (basic.includes(name)) named[`limits.${name}`] = amount;
  }
  return named;
}

function isHugePages(name: string): boolean {
  return name.startsWith('hugepages-') || name.startsWith('requests.hugepages-');
}

function isExtended(name: string): boolean {
  return name.includes('/') && !name.includes('kubernetes.io/');
}

function isExtendedRequest(name: string): boolean {
  return name.startsWith('requests.') && isExtended(name);
}

function faultOf(object: KubeObject, limited: readonly string[]): string | undefined {
  const { spec } = object as Pod & { spec?: { resources?: ResourceRequirements } };
  if (spec?.resources?.requests || spec?.resources?.limits) return undefined;
  const containers = [...(spec?.containers ?? []), ...(spec?.initContainers ?? [])];
  const faults = limited
    .filter((name) => mustBeStated.includes(name))
    .toSorted()
    .flatMap((name) => {
      const silent = containers.filter((container) => !states(container, name));
      const names = [...new Set(silent.map((container) => container.name))].sort();
      return silent.length > 0 ? [`${name} for: ${names.join(',')}`] : [];
    });
  return faults.length > 0 ? `must specify ${faults.join('; ')}` : undefined;
}

function states({ resources = {} }: Container, name: string): boolean {
  return Object.hasOwn(demandNames(resources.requests ?? {}, resources.limits ?? {}), name);
}
