import type { TypeSchema } from '../schema/type-schema.ts';
import { type FieldSet, fieldSetOf } from './field-set.ts';

/**
 * The fields that a request cannot set because the server puts them back: the status through the object itself, all
 * but the status through the status subresource. Whoever writes them does not come to own them.
 */
export function resetFieldsOf(schema: TypeSchema, subresource: string): FieldSet {
  const [gvk] = schema['x-kubernetes-group-version-kind'] ?? [];
  return fieldSetOf(exceptions[`${gvk?.kind ?? ''}/${subresource}`] ?? ordinary[subresource] ?? []);
}

const ordinary: Readonly<Record<string, readonly string[][]>> = {
  '': [['status']],
  status: [['spec']],
  finalize: [['status']],
};

/** By kind and subresource. */
const exceptions: Readonly<Record<string, readonly string[][]>> = {
  'CertificateSigningRequest/': [['spec'], ['status']],
  'CertificateSigningRequest/status': [['spec'], ['status', 'conditions']],
  'CertificateSigningRequest/approval': [['spec'], ['status', 'certificate']],
  'CustomResourceDefinition/status': [['metadata'], ['spec']],
  'Deployment/status': [['spec'], ['metadata', 'labels']],
  'Pod/status': [['spec'], ['metadata', 'deletionTimestamp'], ['metadata', 'ownerReferences']],
  'VolumeAttachment/status': [['metadata'], ['spec']],
};
