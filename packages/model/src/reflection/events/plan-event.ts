import {
  type Event,
  formatMicroTime,
  type KubeObject,
  oneLine,
  parseTime,
  type Stored,
} from '@liqo/kube';
import { forgeReflectionLabels } from '../forge-metadata.ts';
import type { ReflectionRoute } from '../reflection-route.ts';
import type { RemoteEvent } from './read-remote-event.ts';

type EventSeries = NonNullable<Event['series']>;

/** What to do next for one Event of the provider. */
export type EventStep =
  | { readonly type: 'nothing' }
  | { readonly type: 'create' }
  | { readonly type: 'count'; readonly series: EventSeries }
  /** The count has grown, and was written a moment ago. */
  | { readonly type: 'wait'; readonly waitMs: number };

/** The object of the consumer that an Event of the provider is about. */
export type EventSubject = Pick<Stored<KubeObject>, 'apiVersion' | 'kind'> & {
  readonly metadata: { readonly namespace: string; readonly name: string; readonly uid: string };
};

/** As long as API servers keep Events: without a limit, one that they have forgotten would be written again and again. */
const longestAgeMs = 3_600_000;
const countEveryMs = 60_000;

/** From the Event at the provider, and from what this cluster has of it. Events that the provider forgets expire here too. */
export function planEvent(
  remote: Stored<RemoteEvent> | undefined,
  local: Stored<Event> | undefined,
  nowMs: number,
): EventStep {
  if (!remote) return { type: 'nothing' };
  if (!local) {
    const isOld = nowMs - parseTime(remote.lastTimestamp) > longestAgeMs;
    return { type: isOld ? 'nothing' : 'create' };
  }
  if (remote.count <= (local.series?.count ?? 1)) return { type: 'nothing' };
  const writtenMs = parseTime(local.series?.lastObservedTime ?? local.eventTime);
  const waitMs = writtenMs + countEveryMs - nowMs;
  if (waitMs > 0) return { type: 'wait', waitMs };
  return { type: 'count', series: forgeSeries(remote, nowMs) };
}

/**
 * The Event of this cluster, of the same name, so that it is written once whoever writes it. Its note begins with the provider:
 * what follows are the words of another party.
 */
export function forgeReflectedEvent(
  remote: Stored<RemoteEvent>,
  { apiVersion, kind, metadata }: EventSubject,
  route: Pick<ReflectionRoute, 'consumerClusterID' | 'providerClusterID'>,
  nowMs: number,
): Event {
  const { involvedObject, type, reason, action, message = '', reportingComponent } = remote;
  const { fieldPath } = involvedObject;
  const { namespace, name, uid } = metadata;
  return {
    metadata: {
      namespace,
      name: remote.metadata.name,
      labels: forgeReflectionLabels(route),
    },
    eventTime: notLaterThan(nowMs, remote.eventTime),
    ...(remote.count > 1 && { series: forgeSeries(remote, nowMs) }),
    type: type ?? 'Normal',
    reason: reason ?? '',
    action: action ?? '',
    note: oneLine(`${route.providerClusterID}: ${message}`),
    regarding: {
      ...(apiVersion !== undefined && { apiVersion }),
      ...(kind !== undefined && { kind }),
      namespace,
      name,
      uid,
      ...(fieldPath !== undefined && { fieldPath }),
    },
    reportingController: eventReporter,
    reportingInstance: oneLine(`${route.providerClusterID}/${reportingComponent}`, 128),
  };
}

/** Policies let virtual kubelets report no Events but their own. */
const eventReporter = 'liqo.io/virtual-kubelet';

function forgeSeries({ count, lastTimestamp }: Stored<RemoteEvent>, nowMs: number): EventSeries {
  return { count, lastObservedTime: notLaterThan(nowMs, lastTimestamp) };
}

/** Clocks of other clusters may be wrong. */
function notLaterThan(nowMs: number, time: string): string {
  return formatMicroTime(Math.min(nowMs, parseTime(time)));
}
