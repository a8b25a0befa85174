import {
  type CoreEvent,
  formatMicroTime,
  isJsonObject,
  oneLine,
  parseTime,
  type Stored,
} from '@liqo/kube';
import { readMetadata } from '../../untrusted/read-metadata.ts';
import { int32, line } from '../../untrusted/readers.ts';

/** What is kept of an Event of the provider: values of the right types and sizes. */
export interface RemoteEvent extends CoreEvent {
  readonly eventTime: string;
  readonly lastTimestamp: string;
  readonly count: number;
}

/** The limits of Kubernetes. */
const longestWord = 128;
const longestName = 253;
const readCount = int32(1);
const readPath = line(256);

/**
 * An Event of the provider as far as reflection needs it, whichever API it was written through. Undefined if it says of no
 * object and no time. Never throws.
 */
export function readRemoteEvent(event: Stored<CoreEvent>): Stored<RemoteEvent> | undefined {
  const metadata = readMetadata(event.metadata);
  const involved: unknown = event.involvedObject;
  if (!metadata || !isJsonObject(involved)) return undefined;
  const { kind, name, uid, fieldPath } = involved;
  const { series, source, eventTime, firstTimestamp, lastTimestamp, count } = event;
  const { count: seriesCount, lastObservedTime } = (series ?? {}) as Record<string, unknown>;
  const begin = firstTime(eventTime, firstTimestamp, metadata.creationTimestamp);
  if (typeof kind !== 'string' || typeof name !== 'string' || begin === undefined) return undefined;
  const { component } = (source ?? {}) as Record<string, unknown>;
  const path = readPath(fieldPath);
  const { namespace, resourceVersion, annotations, creationTimestamp } = metadata;
  return {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: {
      name: metadata.name,
      uid: metadata.uid,
      resourceVersion,
      creationTimestamp,
      ...(namespace !== undefined && { namespace }),
      ...(annotations && { annotations }),
    },
    involvedObject: {
      kind: oneLine(kind, longestWord),
      name: oneLine(name, longestName),
      ...(typeof uid === 'string' && { uid: oneLine(uid, longestWord) }),
      ...(path !== undefined && { fieldPath: path as string }),
    },
    type: event.type === 'Warning' ? 'Warning' : 'Normal',
    reason: word(event.reason) ?? 'Unknown',
    action: word(event.action) ?? 'Reported',
    message: typeof event.message === 'string' ? oneLine(event.message) : '',
    reportingComponent: word(event.reportingComponent) ?? word(component) ?? 'unknown',
    eventTime: begin,
    lastTimestamp: firstTime(lastObservedTime, lastTimestamp, begin) ?? begin,
    count: (readCount(seriesCount) ?? readCount(count) ?? 1) as number,
  } as unknown as Stored<RemoteEvent>;
}

function word(value: unknown): string | undefined {
  return typeof value === 'string' ? oneLine(value, longestWord) || undefined : undefined;
}

/** The first of the values that is a time. */
function firstTime(...values: readonly unknown[]): string | undefined {
  for (const value of values) {
    if (typeof value !== 'string') continue;
    try {
      return formatMicroTime(parseTime(value));
    } catch {
      // Not a time.
    }
  }
  return undefined;
}
