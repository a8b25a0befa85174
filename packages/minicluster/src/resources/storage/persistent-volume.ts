import { type Clock, deepEqual, formatTime, PersistentVolume, type Stored } from '@liqo/kube';
import type { PersistentVolumeSpec } from 'kubernetes-types/core/v1.d.ts';
import { nameColumn } from '../../rest/table.ts';
import { defineResource, partOf, type ResourceDefinition } from '../define-resource.ts';
import { changeIn, fillIn } from '../fill-in.ts';
import { roundAll } from '../pods/container-defaults.ts';
import { validateNodeSelector } from '../pods/validate-scheduling.ts';
import { ageColumn, textColumn, wide } from '../printing/columns.ts';
import {
  type FieldProblem,
  forbidden,
  notSupported,
  oneOf,
  required,
} from '../validation/field-problem.ts';
import { unchanged } from '../validation/immutable.ts';
import { basicQuantity, positiveQuantity, quantityText } from '../validation/quantities.ts';
import { accessModesText, storageClassOf } from './access-modes.ts';
import { className, validateAccessModes, volumeModes } from './claim-spec.ts';

type PvStatus = NonNullable<PersistentVolume['status']>;

export function persistentVolumes(clock: Clock): ResourceDefinition {
  return defineResource<PersistentVolume>({
    kind: PersistentVolume,
    shortNames: ['pv'],
    // Accepted for the sake of old clients.
    subresources: { status: partOf(PersistentVolume) },
    columns,
    freshStatus: { phase: 'Pending' },
    strategy: {
      generation: 'none',
      withDefaults,
      onCreate: (volume: PersistentVolume) => withTransition(volume, undefined, clock),
      onStatusUpdate: (next: PersistentVolume, previous: Stored<PersistentVolume>) =>
        withTransition(next, previous.status, clock),
      validate: ({ spec = {} }: PersistentVolume) => validateSpec('spec', spec),
      validateUpdate,
      returnsDeleted: true,
    },
  });
}

const columns = [
  nameColumn,
  textColumn('Capacity', ({ spec }: PersistentVolume) => quantityText(spec?.capacity?.storage)),
  textColumn('Access Modes', ({ spec }: PersistentVolume) => accessModesText(spec?.accessModes)),
  textColumn('Reclaim Policy', ({ spec }: PersistentVolume) => {
    return spec?.persistentVolumeReclaimPolicy ?? '';
  }),
  textColumn('Status', ({ metadata, status }: Stored<PersistentVolume>) => {
    return metadata.deletionTimestamp ? 'Terminating' : (status?.phase ?? '');
  }),
  textColumn('Claim', ({ spec }: PersistentVolume) => {
    const claim = spec?.claimRef;
    return claim ? `${claim.namespace ?? ''}/${claim.name ?? ''}` : '';
  }),
  textColumn('StorageClass', storageClassOf),
  textColumn('VolumeAttributesClass', ({ spec }: PersistentVolume) => {
    return spec?.volumeAttributesClassName ?? '<unset>';
  }),
  textColumn('Reason', ({ status }: PersistentVolume) => status?.reason ?? ''),
  ageColumn,
  ...wide(textColumn('VolumeMode', ({ spec }: PersistentVolume) => spec?.volumeMode ?? '<unset>')),
];

function withDefaults(volume: PersistentVolume): PersistentVolume {
  const complete = changeIn(volume, 'spec', (spec) => {
    const filled = fillIn(spec, {
      persistentVolumeReclaimPolicy: 'Retain',
      volumeMode: 'Filesystem',
    });
    const rounded = changeIn(filled, 'capacity', roundAll);
    return changeIn(rounded, 'hostPath', (source) => fillIn(source, { type: '' }));
  });
  return changeIn(complete, 'status', (status) => fillIn(status, { phase: 'Pending' }));
}

/** When the phase last changed is for the server to say, unless the writer knows. */
function withTransition(
  volume: PersistentVolume,
  previous: PvStatus | undefined,
  clock: Clock,
): PersistentVolume {
  return changeIn(volume, 'status', (status) => {
    const old = previous?.lastPhaseTransitionTime;
    const said = status.lastPhaseTransitionTime;
    const isSaid = said !== undefined && (said !== old || status.phase === previous?.phase);
    if (isSaid) return status;
    const now = formatTime(clock.now());
    const time = status.phase === previous?.phase ? old : now;
    return time === undefined ? status : { ...status, lastPhaseTransitionTime: time };
  });
}

const reclaimPolicies: readonly string[] = ['Delete', 'Recycle', 'Retain'];

function validateSpec(field: string, spec: PersistentVolumeSpec): FieldProblem[] {
  const { accessModes = [], capacity = {}, persistentVolumeReclaimPolicy, nodeAffinity } = spec;
  const names = Object.keys(capacity);
  const isOther = !Object.hasOwn(capacity, 'storage') || names.length > 1;
  return [
    ...(accessModes.length === 0 ? [required(`${field}.accessModes`)] : []),
    ...validateAccessModes(`${field}.accessModes`, accessModes),
    ...(names.length === 0 ? [required(`${field}.capacity`)] : []),
    ...(isOther ? [notSupported(`${field}.capacity`, spec.capacity, ['storage'])] : []),
    ...Object.entries(capacity).flatMap(([name, amount]) => [
      ...basicQuantity(`${field}.capacity[${name}]`, amount),
      ...positiveQuantity(`${field}.capacity[${name}]`, amount),
    ]),
    ...(persistentVolumeReclaimPolicy
      ? oneOf(
          `${field}.persistentVolumeReclaimPolicy`,
          persistentVolumeReclaimPolicy,
          reclaimPolicies,
        )
      : []),
    ...(nodeAffinity ? validateNodeAffinity(`${field}.nodeAffinity.required`, nodeAffinity) : []),
    ...validateSource(field, spec),
    ...className(`${field}.storageClassName`, spec.storageClassName),
    ...(spec.volumeMode ? oneOf(`${field}.volumeMode`, spec.volumeMode, volumeModes) : []),
  ];
}

function validateNodeAffinity(
  field: string,
  { required: selector }: NonNullable<PersistentVolumeSpec['nodeAffinity']>,
): FieldProblem[] {
  if (selector) return validateNodeSelector(field, selector);
  return [required(field, 'must specify required node constraints')];
}

/** All that is not about the claim, but about what is claimed. */
const notSources: readonly string[] = [
  'accessModes',
  'capacity',
  'claimRef',
  'mountOptions',
  'nodeAffinity',
  'persistentVolumeReclaimPolicy',
  'storageClassName',
  'volumeAttributesClassName',
  'volumeMode',
];

function sourcesOf(spec: PersistentVolumeSpec): Record<string, unknown> {
  return Object.fromEntries(Object.entries(spec).filter(([key]) => !notSources.includes(key)));
}

function validateSource(field: string, spec: PersistentVolumeSpec): FieldProblem[] {
  const [first, ...more] = Object.keys(sourcesOf(spec));
  if (first === undefined) return [required(field, 'must specify a volume type')];
  const surplus = more.map((type) =>
    forbidden(`${field}.${type}`, 'may not specify more than 1 volume type'),
  );
  const { hostPath, local, csi } = spec;
  if (hostPath && !hostPath.path) return [required(`${field}.hostPath.path`), ...surplus];
  if (local && !local.path) return [required(`${field}.local.path`), ...surplus];
  if (csi && !csi.driver) return [required(`${field}.csi.driver`), ...surplus];
  if (csi && !csi.volumeHandle) return [required(`${field}.csi.volumeHandle`), ...surplus];
  return surplus;
}

function validateUpdate(
  next: PersistentVolume,
  previous: Stored<PersistentVolume>,
): FieldProblem[] {
  const [spec, old] = [next.spec ?? {}, previous.spec ?? {}];
  const isSame = deepEqual(sourcesOf(spec), sourcesOf(old));
  const rule = 'spec.persistentvolumesource is immutable after creation\n';
  return [
    ...(isSame ? [] : [forbidden('spec.persistentvolumesource', rule)]),
    ...unchanged('volumeMode', spec.volumeMode, old.volumeMode),
    ...(old.nodeAffinity ? unchanged('nodeAffinity', spec.nodeAffinity, old.nodeAffinity) : []),
  ];
}
