import { admission } from './admission.ts';
import { authentication } from './authentication.ts';
import { authorization } from './authorization.ts';
import { certificates } from './certificates.ts';
import { customResources } from './custom-resources.ts';
import { garbageCollection } from './garbage-collection.ts';
import { liqoKinds } from './liqo-kinds-suite.ts';
import { namespaceDeletion } from './namespace-deletion.ts';
import { patches } from './patches.ts';
import { podParts } from './pod-parts.ts';
import { podSecurity } from './pod-security.ts';
import { proxies } from './proxies.ts';
import { resourceQuotas } from './resource-quotas.ts';
import { scale } from './scale.ts';
import { scheduling } from './scheduling.ts';
import { serverMetadata } from './server-metadata.ts';
import { serviceWrites } from './service-writes.ts';
import { services } from './services.ts';
import { streams } from './streams.ts';
import type { GetSubjectWithUsers } from './subject.ts';
import { subresources } from './subresources.ts';
import { validatingAdmissionPolicies } from './validating-admission-policies.ts';
import { verbs } from './verbs.ts';
import { volumes } from './volumes.ts';
import { watches } from './watches.ts';
import { webhooks } from './webhooks.ts';
import { workloads } from './workloads.ts';

/** What any Kubernetes must do, seen through our client. Declares tests: call it inside a suite. */
export function conformance(subject: GetSubjectWithUsers): void {
  apiConformance(subject);
  controllerConformance(subject);
}

/** The part of it that the API server does alone. */
export function apiConformance(subject: GetSubjectWithUsers): void {
  verbs(subject);
  patches(subject);
  serverMetadata(subject);
  watches(subject);
  subresources(subject);
  streams(subject);
  proxies(subject);
  podParts(subject);
  scale(subject);
  authentication(subject);
  authorization(subject);
  certificates(subject);
  admission(subject);
  webhooks(subject);
  validatingAdmissionPolicies(subject);
  resourceQuotas(subject);
  podSecurity(subject);
  customResources(subject);
  liqoKinds(subject);
}

/** The part that takes somebody who acts on the objects. */
export function controllerConformance(subject: GetSubjectWithUsers): void {
  workloads(subject);
  services(subject);
  serviceWrites(subject);
  garbageCollection(subject);
  namespaceDeletion(subject);
  scheduling(subject);
  volumes(subject);
}
