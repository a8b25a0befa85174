import { equalResources, type Pod, RuntimeClass } from '@liqo/kube';
import type { PodSpec } from 'kubernetes-types/core/v1.d.ts';
import type { Store } from '../../store/store.ts';
import type { Admission, AdmissionAttributes } from '../admission.ts';
import { readOne } from '../read-store.ts';
import { forbid } from '../request-scope.ts';
import { mergeTolerations } from './merge-tolerations.ts';
import { podBeingCreated, withSpec } from './pod-creation.ts';

/** A pod of a runtime class carries what the class costs, and goes where the class runs. */
export function runtimeClass(store: Store): Admission {
  return {
    name: 'RuntimeClass',
    async mutate(attributes) {
      const pod = podBeingCreated(attributes);
      const chosen = pod && findClass(attributes, pod, store);
      if (!chosen) return attributes.object;
      return withSpec(attributes.object, {
        ...overheadOf(attributes, pod, chosen),
        ...schedulingOf(attributes, pod.spec, chosen),
      });
    },
    async validate(attributes) {
      const pod = podBeingCreated(attributes);
      if (pod) refuseOtherOverhead(attributes, pod, findClass(attributes, pod, store));
    },
  };
}

function findClass(
  attributes: AdmissionAttributes,
  pod: Pod,
  store: Store,
): RuntimeClass | undefined {
  const { runtimeClassName: name } = pod.spec ?? {};
  if (name === undefined) return undefined;
  const found = readOne(store, RuntimeClass, { name });
  if (!found) throw forbid(attributes, `pod rejected: RuntimeClass "${name}" not found`);
  return found;
}

const otherOverhead = "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead";

function overheadOf(
  attributes: AdmissionAttributes,
  pod: Pod,
  { overhead }: RuntimeClass,
): Partial<PodSpec> {
  if (!overhead) return {};
  const own = pod.spec?.overhead ?? {};
  const fixed = overhead.podFixed ?? {};
  const isOwn = Object.keys(own).length > 0;
  if (isOwn && !equalResources(own, fixed)) throw forbid(attributes, otherOverhead);
  return { overhead: fixed };
}

function schedulingOf(
  attributes: AdmissionAttributes,
  spec: PodSpec | undefined,
  { scheduling }: RuntimeClass,
): Partial<PodSpec> {
  if (!scheduling) return {};
  const wanted = scheduling.nodeSelector ?? {};
  for (const [key, value] of Object.entries(wanted)) {
    const own = spec?.nodeSelector?.[key];
    if (own === undefined || own === value) continue;
    const why = `conflict: runtimeClass.scheduling.nodeSelector[${key}] = ${value}; pod.spec.nodeSelector[${key}] = ${own}`;
    throw forbid(attributes, why);
  }
  const nodeSelector = { ...spec?.nodeSelector, ...wanted };
  const tolerations = mergeTolerations(spec?.tolerations ?? [], scheduling.tolerations ?? []);
  return {
    ...(Object.keys(nodeSelector).length > 0 && { nodeSelector }),
    ...(tolerations.length > 0 && { tolerations }),
  };
}

function refuseOtherOverhead(
  attributes: AdmissionAttributes,
  pod: Pod,
  chosen: RuntimeClass | undefined,
): void {
  const own = pod.spec?.overhead;
  if (chosen?.overhead) {
    if (equalResources(own ?? {}, chosen.overhead.podFixed ?? {})) return;
    throw forbid(attributes, otherOverhead);
  }
  if (own === undefined) return;
  const why = 'pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead';
  throw forbid(attributes, why);
}
