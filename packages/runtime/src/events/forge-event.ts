import { type Event, type KubeObject, oneLine, type Stored } from '@liqo/kube';

/** Something that happened to an object, for people who run `kubectl describe`. It must not carry secrets. */
export interface RecordedEvent {
  readonly regarding: Stored<KubeObject>;
  /** Another object that plays a part in it. */
  readonly related?: Stored<KubeObject>;
  readonly type: 'Normal' | 'Warning';
  /** One word, the same as in the condition: `NameTaken`. */
  readonly reason: string;
  /** What was done or tried: `Offloading`. */
  readonly action: string;
  readonly note: string;
}

export interface EventReporter {
  /** `liqo.io/virtual-kubelet` */
  readonly controller: string;
  /** This process among its kind: the name of its pod. */
  readonly instance: string;
}

/** The server's limits. Notes keep to that of `oneLine`. */
const longestWord = 128;
const longestName = 253;

/** `suffix` makes the name unique, `eventTime` is a MicroTime. */
export function forgeEvent(
  event: RecordedEvent,
  reporter: EventReporter,
  moment: { readonly eventTime: string; readonly suffix: string },
): Event {
  const { regarding, related, type, reason, action } = event;
  return {
    metadata: {
      // What is in no namespace has its events in `default`: the server wants it so.
      namespace: regarding.metadata.namespace ?? 'default',
      name: eventName(regarding.metadata.name, moment.suffix),
    },
    eventTime: moment.eventTime,
    type,
    reason: oneLine(reason, longestWord),
    action: oneLine(action, longestWord),
    note: oneLine(event.note),
    regarding: referenceTo(regarding),
    ...(related && { related: referenceTo(related) }),
    reportingController: reporter.controller.slice(0, longestWord),
    reportingInstance: reporter.instance.slice(0, longestWord),
  };
}

/** Some objects (RBAC's) have names that an event may not have. */
function eventName(name: string, suffix: string): string {
  const room = longestName - suffix.length - 1;
  const stem = name.toLowerCase().replaceAll(/[^a-z0-9.-]/g, '-');
  return `${stem.slice(0, room).replace(/[.-]+$/, '')}.${suffix}`;
}

type Reference = NonNullable<Event['regarding']>;

function referenceTo({ apiVersion, kind, metadata }: Stored<KubeObject>): Reference {
  const { namespace, name, uid, resourceVersion } = metadata;
  return { apiVersion, kind, name, uid, resourceVersion, ...(namespace && { namespace }) };
}
