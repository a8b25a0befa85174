import { deepEqual, StorageClass, type Stored } from '@liqo/kube';
import { nameColumn } from '../../rest/table.ts';
import { defineResource } from '../define-resource.ts';
import { fillIn } from '../fill-in.ts';
import { ageColumn, textColumn } from '../printing/columns.ts';
import {
  type FieldProblem,
  forbidden,
  invalidFor,
  oneOf,
  required,
} from '../validation/field-problem.ts';
import { unchanged } from '../validation/immutable.ts';
import { qualifiedNameFaults } from '../validation/names.ts';

const defaultAnnotations = [
  'storageclass.kubernetes.io/is-default-class',
  'storageclass.beta.kubernetes.io/is-default-class',
];

export const storageClasses = defineResource<StorageClass>({
  kind: StorageClass,
  shortNames: ['sc'],
  columns: [
    { ...nameColumn, cell: nameWithDefault },
    textColumn('Provisioner', ({ provisioner }: StorageClass) => provisioner),
    textColumn('ReclaimPolicy', ({ reclaimPolicy }: StorageClass) => reclaimPolicy ?? 'Delete'),
    textColumn('VolumeBindingMode', ({ volumeBindingMode }: StorageClass) => {
      return volumeBindingMode ?? 'Immediate';
    }),
    textColumn('AllowVolumeExpansion', ({ allowVolumeExpansion }: StorageClass) => {
      return allowVolumeExpansion ?? false;
    }),
    ageColumn,
  ],
  strategy: {
    generation: 'none',
    withDefaults: (object: StorageClass) =>
      fillIn(object, { reclaimPolicy: 'Delete', volumeBindingMode: 'Immediate' }),
    validate: validateStorageClass,
    validateUpdate: validateStorageClassUpdate,
    returnsDeleted: true,
  },
});

function nameWithDefault({ metadata }: Stored<StorageClass>): string {
  const isDefault = defaultAnnotations.some((key) => metadata.annotations?.[key] === 'true');
  return isDefault ? `${metadata.name} (default)` : metadata.name;
}

function validateStorageClass(object: StorageClass): FieldProblem[] {
  const { provisioner, reclaimPolicy, volumeBindingMode } = object;
  return [
    ...(provisioner
      ? invalidFor(
          'provisioner',
          provisioner.toLowerCase(),
          qualifiedNameFaults(provisioner.toLowerCase()),
        )
      : [required('provisioner')]),
    ...(reclaimPolicy ? oneOf('reclaimPolicy', reclaimPolicy, ['Delete', 'Retain']) : []),
    ...(volumeBindingMode
      ? oneOf('volumeBindingMode', volumeBindingMode, ['Immediate', 'WaitForFirstConsumer'])
      : [required('volumeBindingMode')]),
  ];
}

function validateStorageClassUpdate(
  next: StorageClass,
  previous: Stored<StorageClass>,
): FieldProblem[] {
  const fixed = ['parameters', 'provisioner', 'reclaimPolicy'] as const;
  const changed = fixed.filter((field) => !deepEqual(next[field], previous[field]));
  return [
    ...changed.map((field) => forbidden(field, `updates to ${field} are forbidden.`)),
    ...unchanged('volumeBindingMode', next.volumeBindingMode, previous.volumeBindingMode),
  ];
}
