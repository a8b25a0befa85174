import { compareQuantities, deepEqual, PersistentVolumeClaim, type Stored } from '@liqo/kube';
import type {
  PersistentVolumeClaimSpec,
  TypedLocalObjectReference,
} from 'kubernetes-types/core/v1.d.ts';
import { nameColumn } from '../../rest/table.ts';
import { defineResource, partOf } from '../define-resource.ts';
import { changeIn, fillIn } from '../fill-in.ts';
import { roundAll } from '../pods/container-defaults.ts';
import { ageColumn, textColumn, wide } from '../printing/columns.ts';
import { type FieldProblem, forbidden } from '../validation/field-problem.ts';
import { unchanged } from '../validation/immutable.ts';
import { quantityText, readQuantity } from '../validation/quantities.ts';
import { accessModesText, storageClassOf } from './access-modes.ts';
import { defaultClaimSpec, validateClaimSpec } from './claim-spec.ts';

export const persistentVolumeClaims = defineResource<PersistentVolumeClaim>({
  kind: PersistentVolumeClaim,
  shortNames: ['pvc'],
  // Accepted for the sake of old clients.
  subresources: { status: partOf(PersistentVolumeClaim) },
  columns: [
    nameColumn,
    textColumn('Status', ({ metadata, status }: Stored<PersistentVolumeClaim>) => {
      return metadata.deletionTimestamp ? 'Terminating' : (status?.phase ?? '');
    }),
    textColumn('Volume', ({ spec }: PersistentVolumeClaim) => spec?.volumeName ?? ''),
    textColumn('Capacity', ({ spec, status }: PersistentVolumeClaim) => {
      return spec?.volumeName ? quantityText(status?.capacity?.storage) : '';
    }),
    textColumn('Access Modes', ({ spec, status }: PersistentVolumeClaim) => {
      return spec?.volumeName ? accessModesText(status?.accessModes) : '';
    }),
    textColumn('StorageClass', storageClassOf),
    textColumn('VolumeAttributesClass', ({ spec }: PersistentVolumeClaim) => {
      return spec?.volumeAttributesClassName ?? '<unset>';
    }),
    ageColumn,
    ...wide(
      textColumn('VolumeMode', ({ spec }: PersistentVolumeClaim) => spec?.volumeMode ?? '<unset>'),
    ),
  ],
  freshStatus: { phase: 'Pending' },
  strategy: {
    generation: 'none',
    withDefaults,
    onCreate: withBothSources,
    onUpdate: withBothSources,
    validate: ({ spec = {} }: PersistentVolumeClaim) => validateClaimSpec('spec', spec),
    validateUpdate,
    returnsDeleted: true,
  },
});

function withDefaults(claim: PersistentVolumeClaim): PersistentVolumeClaim {
  const spec = changeIn(claim, 'spec', defaultClaimSpec);
  return changeIn(spec, 'status', (status) => {
    const complete = fillIn(status, { phase: 'Pending' });
    return changeIn(changeIn(complete, 'capacity', roundAll), 'allocatedResources', roundAll);
  });
}

/**
 * Where the data comes from can be said in an old and in a new field; both tell the same. The old one never took but
 * claims and snapshots, and silently forgets anything else.
 */
function withBothSources(claim: PersistentVolumeClaim): PersistentVolumeClaim {
  return changeIn(claim, 'spec', (spec) => {
    const { dataSource, dataSourceRef, ...rest } = spec;
    if (dataSourceRef) {
      if (dataSource || dataSourceRef.namespace) return spec;
      return { ...spec, dataSource: dataSourceRef };
    }
    if (!dataSource) return spec;
    return isClaimOrSnapshot(dataSource) ? { ...spec, dataSourceRef: dataSource } : rest;
  });
}

function isClaimOrSnapshot({ apiGroup, kind }: TypedLocalObjectReference): boolean {
  if (kind === 'PersistentVolumeClaim') return !apiGroup;
  return kind === 'VolumeSnapshot' && apiGroup === 'snapshot.storage.k8s.io';
}

function validateUpdate(
  next: PersistentVolumeClaim,
  previous: Stored<PersistentVolumeClaim>,
): FieldProblem[] {
  const [spec, old] = [next.spec ?? {}, previous.spec ?? {}];
  const isBound = next.status?.phase === 'Bound';
  const rule =
    'spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims\n';
  return [
    ...(deepEqual(withChangeableOf(spec, old, isBound), old) ? [] : [forbidden('spec', rule)]),
    ...validateShrinking(next, previous),
    ...unchanged('volumeMode', spec.volumeMode, old.volumeMode),
  ];
}

/** The volume and the class can be filled in once; a bound claim can grow. */
function withChangeableOf(
  spec: PersistentVolumeClaimSpec,
  old: PersistentVolumeClaimSpec,
  isBound: boolean,
): PersistentVolumeClaimSpec {
  const { volumeName, storageClassName } = old;
  const resources = { ...spec.resources, requests: { ...spec.resources?.requests } };
  const storage = old.resources?.requests?.storage;
  if (isBound && storage !== undefined) resources.requests.storage = storage;
  return {
    ...spec,
    ...(!volumeName && { volumeName: undefined }),
    ...(storageClassName === undefined && { storageClassName: undefined }),
    ...(isBound && { volumeAttributesClassName: old.volumeAttributesClassName }),
    resources,
  } as PersistentVolumeClaimSpec;
}

/** Back to a size it never grew out of, but not below what it has. */
function validateShrinking(
  next: PersistentVolumeClaim,
  previous: PersistentVolumeClaim,
): FieldProblem[] {
  const size = readQuantity(next.spec?.resources?.requests?.storage);
  const old = readQuantity(previous.spec?.resources?.requests?.storage);
  const has = readQuantity(previous.status?.capacity?.storage);
  if (compareQuantities(size, old) >= 0 || compareQuantities(size, has) > 0) return [];
  const rule = 'field can not be less than status.capacity';
  return [forbidden('spec.resources.requests.storage', rule)];
}
