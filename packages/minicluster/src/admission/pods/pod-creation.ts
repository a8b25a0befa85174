import type { KubeObject, Pod } from '@liqo/kube';
import type { PodSpec } from 'kubernetes-types/core/v1.d.ts';
import type { AdmissionAttributes } from '../admission.ts';
import { isAbout } from '../request-scope.ts';

/** A pod itself is written, not one of its subresources. */
export function isPodWrite(attributes: AdmissionAttributes): boolean {
  return isAbout(attributes, 'pods') && attributes.subresource === '';
}

/** The pod that is about to be created, if that is what the request is about. */
export function podBeingCreated(attributes: AdmissionAttributes): Pod | undefined {
  if (attributes.operation !== 'CREATE' || !isPodWrite(attributes)) return undefined;
  return attributes.object as Pod;
}

/** The object with some of its spec replaced. */
export function withSpec(object: KubeObject | undefined, change: Partial<PodSpec>): KubeObject {
  const { spec } = (object ?? {}) as Pod;
  return { ...object, spec: { ...spec, ...change } } as KubeObject;
}
