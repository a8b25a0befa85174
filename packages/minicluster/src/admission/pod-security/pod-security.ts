import { deepEqual, type KubeObject, Namespace, Pod } from '@liqo/kube';
import type { PodTemplateSpec } from 'kubernetes-types/core/v1.d.ts';
import { forbidden, internalError, invalid } from '../../rest/refusal.ts';
import type { Store } from '../../store/store.ts';
import type { Admission, AdmissionAttributes } from '../admission.ts';
import { readAll, readOne } from '../read-store.ts';
import { isAbout } from '../request-scope.ts';
import { containersOf, type PodLike } from './check.ts';
import { findViolations, printViolations } from './find-violations.ts';
import { compareLevels, isSamePolicy, printPolicy, readPolicy } from './policy.ts';
import { warningsOfPods } from './warn-of-pods.ts';

/** The Pod Security Standards, as the labels of each namespace ask for them. */
export function podSecurity(store: Store): Admission {
  return {
    name: 'PodSecurity',
    async validate(attributes) {
      const { operation } = attributes;
      if (operation !== 'CREATE' && operation !== 'UPDATE') return;
      if (isAbout(attributes, 'namespaces')) checkNamespace(attributes, store);
      else if (isAbout(attributes, 'pods')) checkPod(attributes, store);
      else checkTemplate(attributes, store);
    },
  };
}

function checkNamespace(attributes: AdmissionAttributes, store: Store): void {
  const { object, previous, resource, name, subresource, warn } = attributes;
  if (subresource !== '') return;
  const next = readPolicy(object?.metadata?.labels);
  const last = previous && readPolicy(previous.metadata.labels);
  if (next.problems.length > 0 && !deepEqual(next.problems, last?.problems)) {
    throw invalid(resource, name, next.problems);
  }
  if (!last) return;
  const [now, before] = [next.policy.enforce, last.policy.enforce];
  if (now.level === 'privileged' || isSamePolicy(now, before)) return;
  if (now.version === before.version && compareLevels(now.level, before.level) < 0) return;
  for (const warning of warningsOfPods(name, readAll(store, Pod, name), now)) warn(warning);
}

/** Subresources that bring no pod with them, or nothing that matters here. */
const ignoredSubresources: readonly string[] = [
  'attach',
  'binding',
  'eviction',
  'exec',
  'log',
  'portforward',
  'proxy',
  'status',
];

function checkPod(attributes: AdmissionAttributes, store: Store): void {
  const { resource, name, subresource, previous, operation } = attributes;
  if (ignoredSubresources.includes(subresource)) return;
  const pod = attributes.object as Pod;
  if (operation === 'UPDATE' && !bringsOtherImages(pod, previous as Pod)) return;
  const { policy } = policyFor(attributes, store) ?? {};
  if (!policy) throw internalError(`failed to lookup namespace "${attributes.namespace}"`);
  const violations = findViolations(policy.enforce, podLike(pod));
  if (violations.length > 0) {
    const why = `violates PodSecurity "${printPolicy(policy.enforce)}": ${printViolations(violations)}`;
    throw forbidden(resource, pod.metadata?.name ?? name, why);
  }
  warnOf(attributes, store, podLike(pod));
}

/** Of all that can be changed about a pod, only its images can make it worse. */
function bringsOtherImages(next: Pod, previous: Pod): boolean {
  const imagesOf = (pod: Pod) => containersOf(podLike(pod)).map(({ name, image }) => [name, image]);
  return !deepEqual(imagesOf(next), imagesOf(previous));
}

/** Templates are never refused: who makes pods of them will be. */
function checkTemplate(attributes: AdmissionAttributes, store: Store): void {
  if (attributes.subresource !== '' || !attributes.object) return;
  const template = templateOf(attributes, attributes.object);
  if (template) warnOf(attributes, store, podLike(template));
}

function warnOf(attributes: AdmissionAttributes, store: Store, pod: PodLike): void {
  const { policy } = policyFor(attributes, store) ?? {};
  if (!policy) return;
  const violations = findViolations(policy.warn, pod);
  if (violations.length === 0) return;
  const told = printViolations(violations);
  attributes.warn(`would violate PodSecurity "${printPolicy(policy.warn)}": ${told}`);
}

function policyFor({ namespace }: AdmissionAttributes, store: Store) {
  const found = readOne(store, Namespace, { name: namespace ?? '' });
  return found && readPolicy(found.metadata.labels);
}

function podLike({ metadata, spec }: Pod | PodTemplateSpec): PodLike {
  return { metadata, spec: spec ?? { containers: [] } };
}

const templated: readonly string[] = [
  'replicationcontrollers',
  'replicasets.apps',
  'deployments.apps',
  'statefulsets.apps',
  'daemonsets.apps',
  'jobs.batch',
];

interface Templated extends KubeObject {
  readonly template?: PodTemplateSpec;
  readonly spec?: {
    readonly template?: PodTemplateSpec;
    readonly jobTemplate?: { readonly spec?: { readonly template?: PodTemplateSpec } };
  };
}

function templateOf(
  { resource }: AdmissionAttributes,
  object: KubeObject,
): PodTemplateSpec | undefined {
  const { template, spec } = object as Templated;
  const name = resource.group ? `${resource.plural}.${resource.group}` : resource.plural;
  if (name === 'podtemplates') return template;
  if (name === 'cronjobs.batch') return spec?.jobTemplate?.spec?.template;
  return templated.includes(name) ? spec?.template : undefined;
}
