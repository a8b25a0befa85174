import type { ApiError } from '@liqo/kube';
import { forbidden } from '../rest/refusal.ts';
import type { AdmissionAttributes } from './admission.ts';

export function isAbout(
  { resource }: Pick<AdmissionAttributes, 'resource'>,
  plural: string,
  group = '',
): boolean {
  return resource.plural === plural && resource.group === group;
}

/** The namespace a request is in. A request for a namespace is in that namespace itself. */
export function namespaceOf(attributes: AdmissionAttributes): string {
  if (isAbout(attributes, 'namespaces')) return attributes.name;
  return attributes.namespace ?? '';
}

/** `pods "web" is forbidden: …`; what has no name yet goes by the one it will be made from. */
export function forbid(attributes: AdmissionAttributes, why: string): ApiError {
  const { name, generateName } = attributes.object?.metadata ?? {};
  return forbidden(attributes.resource, attributes.name || name || generateName || 'Unknown', why);
}
