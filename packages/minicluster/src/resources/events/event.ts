import { defineKind, type KubeObject, Event as NewEvent, type Stored } from '@liqo/kube';
import type { Event as CoreEvent } from 'kubernetes-types/core/v1.d.ts';
import type { Item } from '../../store/collection.ts';
import { defineResource } from '../define-resource.ts';
import { fromCore, toCore } from './convert-event.ts';
import { eventColumns } from './event-columns.ts';
import { validateEvent, validateStrictly, validateStrictUpdate } from './validate-event.ts';

/** One collection of events, seen through two APIs. */

const coreKind = defineKind<CoreEvent>({
  apiVersion: 'v1',
  kind: 'Event',
  plural: 'events',
  scope: 'Namespaced',
});

const referenceFields = [
  'kind',
  'namespace',
  'name',
  'uid',
  'apiVersion',
  'resourceVersion',
  'fieldPath',
] as const;

export const coreEvents = defineResource<CoreEvent>({
  kind: coreKind,
  shortNames: ['ev'],
  selectableFields: {
    ...aboutObject('involvedObject', (event) => event),
    reason: ({ reason }) => reason ?? '',
    reportingComponent: ({ reportingComponent }) => reportingComponent ?? '',
    source: ({ source, reportingComponent }) => source?.component || reportingComponent || '',
    type: ({ type }) => type ?? '',
  },
  columns: eventColumns((event) => event as unknown as CoreEvent),
  strategy: {
    generation: 'none',
    validate: (event: CoreEvent) => validateEvent(event, 'reportingComponent'),
    createsOnUpdate: true,
  },
});

export const newEvents = defineResource<NewEvent>({
  kind: NewEvent,
  shortNames: ['ev'],
  selectableFields: {
    ...aboutObject('regarding', (event) => toCore(event)),
    reason: ({ reason }) => reason ?? '',
    reportingController: ({ reportingController }) => reportingController ?? '',
    type: ({ type }) => type ?? '',
  },
  columns: eventColumns((event) => toCore(event)),
  strategy: {
    generation: 'none',
    validate: (event: NewEvent) => validateStrictly(toCore(event)),
    validateUpdate: (next: NewEvent, previous: Stored<NewEvent>) =>
      validateStrictUpdate(toCore(next), toCore(previous)),
    createsOnUpdate: true,
  },
  viewOf: {
    group: '',
    plural: 'events',
    fromStorage: (item) => fromCore(item as unknown as CoreEvent) as unknown as Item,
    toStorage: (object) => toCore(object) as unknown as KubeObject,
  },
});

function aboutObject<T extends KubeObject>(
  prefix: string,
  core: (event: T) => CoreEvent,
): Record<string, (event: T) => string> {
  const entries = referenceFields.map((field) => [
    `${prefix}.${field}`,
    (event: T) => core(event).involvedObject?.[field] ?? '',
  ]);
  return Object.fromEntries(entries);
}
