import type { KubeObject, Event as NewEvent } from '@liqo/kube';
import type { Event as CoreEvent } from 'kubernetes-types/core/v1.d.ts';

/** The same event under its two sets of names. Empty texts are written by the old API and left out by the new one. */

export function fromCore(event: CoreEvent): NewEvent {
  const {
    involvedObject,
    message,
    source,
    firstTimestamp,
    lastTimestamp,
    count,
    reportingComponent,
    reportingInstance,
    ...same
  } = event;
  const converted = {
    ...same,
    apiVersion: 'events.k8s.io/v1',
    regarding: involvedObject,
    deprecatedSource: source ?? {},
    deprecatedFirstTimestamp: firstTimestamp ?? null,
    deprecatedLastTimestamp: lastTimestamp ?? null,
    ...(message && { note: message }),
    ...(count && { deprecatedCount: count }),
    ...(reportingComponent && { reportingController: reportingComponent }),
    ...(reportingInstance && { reportingInstance }),
  };
  return converted as unknown as NewEvent;
}

export function toCore(object: KubeObject): CoreEvent {
  const {
    regarding,
    note,
    deprecatedSource,
    deprecatedFirstTimestamp,
    deprecatedLastTimestamp,
    deprecatedCount,
    reportingController,
    reportingInstance,
    ...same
  } = object as NewEvent;
  const converted = {
    ...same,
    apiVersion: 'v1',
    involvedObject: regarding ?? {},
    source: deprecatedSource ?? {},
    firstTimestamp: deprecatedFirstTimestamp ?? null,
    lastTimestamp: deprecatedLastTimestamp ?? null,
    reportingComponent: reportingController ?? '',
    reportingInstance: reportingInstance ?? '',
    ...(note && { message: note }),
    ...(deprecatedCount && { count: deprecatedCount }),
  };
  return converted as unknown as CoreEvent;
}
