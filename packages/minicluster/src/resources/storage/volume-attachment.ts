import { deepEqual, defineKind, type Stored } from '@liqo/kube';
import type { VolumeAttachment, VolumeAttachmentSource } from 'kubernetes-types/storage/v1.d.ts';
import { nameColumn } from '../../rest/table.ts';
import { defineResource, partOf } from '../define-resource.ts';
import { ageColumn, booleanColumn, textColumn } from '../printing/columns.ts';
import {
  type FieldProblem,
  forbidden,
  invalid,
  invalidFor,
  required,
} from '../validation/field-problem.ts';
import { dnsSubdomainFaults } from '../validation/names.ts';

const kind = defineKind<VolumeAttachment>({
  apiVersion: 'storage.k8s.io/v1',
  kind: 'VolumeAttachment',
  plural: 'volumeattachments',
  scope: 'Cluster',
});

export const volumeAttachments = defineResource<VolumeAttachment>({
  kind,
  subresources: { status: partOf(kind) },
  columns: [
    nameColumn,
    { ...textColumn('Attacher', ({ spec }: VolumeAttachment) => spec.attacher), format: 'name' },
    textColumn('PV', ({ spec }: VolumeAttachment) => spec.source.persistentVolumeName ?? ''),
    textColumn('Node', ({ spec }: VolumeAttachment) => spec.nodeName),
    booleanColumn('Attached', ({ status }: VolumeAttachment) => status?.attached ?? false),
    ageColumn,
  ],
  freshStatus: { attached: false },
  strategy: {
    generation: 'none',
    validate: ({ spec }: VolumeAttachment) => [
      ...(spec.attacher ? [] : [required('spec.attacher')]),
      ...validateAttachmentSource('spec.source', spec.source ?? {}),
      ...invalidFor('spec.nodeName', spec.nodeName, dnsSubdomainFaults(spec.nodeName)),
    ],
    validateUpdate: ({ spec }: VolumeAttachment, previous: Stored<VolumeAttachment>) =>
      deepEqual(spec, previous.spec) ? [] : [invalid('spec', spec, 'field is immutable')],
    returnsDeleted: true,
    requiresVersion: true,
  },
});

function validateAttachmentSource(field: string, source: VolumeAttachmentSource): FieldProblem[] {
  const { inlineVolumeSpec, persistentVolumeName } = source;
  const rule = 'must specify exactly one of inlineVolumeSpec and persistentVolumeName';
  if (!inlineVolumeSpec && persistentVolumeName === undefined) return [required(field, rule)];
  if (inlineVolumeSpec && persistentVolumeName !== undefined) return [forbidden(field, rule)];
  if (persistentVolumeName !== '') return [];
  const empty = 'must specify non empty persistentVolumeName';
  return [required(`${field}.persistentVolumeName`, empty)];
}
