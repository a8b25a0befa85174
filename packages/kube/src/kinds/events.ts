import type * as core from 'kubernetes-types/core/v1.d.ts';
import type * as events from 'kubernetes-types/events/v1.d.ts';
import { defineKind } from '../kind.ts';

export type Event = events.Event;
export const Event = defineKind<Event>({
  apiVersion: 'events.k8s.io/v1',
  kind: 'Event',
  plural: 'events',
  scope: 'Namespaced',
});

/** The same objects in the API group in which Liqo grants them to consumers. */
export type CoreEvent = core.Event;
export const CoreEvent = defineKind<CoreEvent>({
  apiVersion: 'v1',
  kind: 'Event',
  plural: 'events',
  scope: 'Namespaced',
});
