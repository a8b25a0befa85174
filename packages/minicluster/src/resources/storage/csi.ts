import { defineKind, type Stored } from '@liqo/kube';
import type { CSIDriver, CSINode, CSINodeDriver } from 'kubernetes-types/storage/v1.d.ts';
import { nameColumn } from '../../rest/table.ts';
import { defineResource } from '../define-resource.ts';
import { changeIn, fillIn } from '../fill-in.ts';
import { ageColumn, booleanColumn, integerColumn, textColumn } from '../printing/columns.ts';
import {
  duplicate,
  type FieldProblem,
  invalidFor,
  oneOf,
  required,
} from '../validation/field-problem.ts';
import { unchanged } from '../validation/immutable.ts';
import { dnsSubdomainFaults } from '../validation/names.ts';

export const csiDrivers = defineResource<CSIDriver>({
  kind: defineKind({
    apiVersion: 'storage.k8s.io/v1',
    kind: 'CSIDriver',
    plural: 'csidrivers',
    scope: 'Cluster',
  }),
  columns: [
    nameColumn,
    booleanColumn('AttachRequired', ({ spec }: CSIDriver) => spec.attachRequired ?? true),
    booleanColumn('PodInfoOnMount', ({ spec }: CSIDriver) => spec.podInfoOnMount ?? false),
    booleanColumn('StorageCapacity', ({ spec }: CSIDriver) => spec.storageCapacity ?? false),
    textColumn('TokenRequests', ({ spec }: CSIDriver) => {
      return spec.tokenRequests?.map(({ audience }) => audience).join(',') ?? '<unset>';
    }),
    booleanColumn('RequiresRepublish', ({ spec }: CSIDriver) => spec.requiresRepublish ?? false),
    textColumn('Modes', ({ spec }: CSIDriver) => spec.volumeLifecycleModes?.join(',') || '<none>'),
    ageColumn,
  ],
  strategy: {
    generation: 'none',
    withDefaults: (driver: CSIDriver) =>
      changeIn(driver, 'spec', (spec) =>
        fillIn(spec, {
          attachRequired: true,
          podInfoOnMount: false,
          storageCapacity: false,
          fsGroupPolicy: 'ReadWriteOnceWithFSType',
          volumeLifecycleModes: ['Persistent'],
          requiresRepublish: false,
          seLinuxMount: false,
        }),
      ),
    validate: ({ spec }: CSIDriver) => [
      ...(spec.fsGroupPolicy
        ? oneOf('spec.fsGroupPolicy', spec.fsGroupPolicy, [
            'File',
            'None',
            'ReadWriteOnceWithFSType',
          ])
        : []),
      ...(spec.volumeLifecycleModes ?? []).flatMap((mode) =>
        oneOf('spec.volumeLifecycleModes', mode, ['Ephemeral', 'Persistent']),
      ),
    ],
    validateUpdate: ({ spec }: CSIDriver, previous: Stored<CSIDriver>) => [
      ...unchanged('spec.attachedRequired', spec.attachRequired, previous.spec.attachRequired),
      ...unchanged(
        'spec.volumeLifecycleModes',
        spec.volumeLifecycleModes,
        previous.spec.volumeLifecycleModes,
      ),
    ],
    returnsDeleted: true,
    requiresVersion: true,
  },
});

export const csiNodes = defineResource<CSINode>({
  kind: defineKind({
    apiVersion: 'storage.k8s.io/v1',
    kind: 'CSINode',
    plural: 'csinodes',
    scope: 'Cluster',
  }),
  columns: [
    nameColumn,
    integerColumn('Drivers', ({ spec }: CSINode) => (spec.drivers ?? []).length),
    ageColumn,
  ],
  strategy: {
    generation: 'none',
    validate: ({ spec }: CSINode) => {
      const drivers = spec.drivers ?? [];
      return drivers.flatMap((driver, i) =>
        validateDriver(`spec.drivers[${i}]`, driver, drivers.slice(0, i)),
      );
    },
    returnsDeleted: true,
    requiresVersion: true,
  },
});

function validateDriver(
  field: string,
  { name, nodeID }: CSINodeDriver,
  earlier: readonly CSINodeDriver[],
): FieldProblem[] {
  return [
    ...validateDriverName(`${field}.name`, name),
    ...(nodeID ? [] : [required(`${field}.nodeID`)]),
    ...(earlier.some((one) => one.name === name) ? [duplicate(`${field}.name`, name)] : []),
  ];
}

function validateDriverName(field: string, name: string): FieldProblem[] {
  if (!name) return [required(field)];
  return invalidFor(field, name.toLowerCase(), dnsSubdomainFaults(name.toLowerCase()));
}
