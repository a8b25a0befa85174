import type * as events from 'kubernetes-types/events/v1.d.ts';
import { defineKind } from '../kind.ts';

export type Event = events.Event;
export const Event = defineKind<Event>({
  apiVersion: 'events.k8s.io/v1',
  kind: 'Event',
  plural: 'events',
  scope: 'Namespaced',
});
