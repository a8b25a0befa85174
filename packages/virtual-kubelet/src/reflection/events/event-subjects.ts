import { annotations, ShadowPod } from '@liqo/api';
import {
  apiVersionOf,
  type Client,
  type Kind,
  type KubeObject,
  Pod,
  type Stored,
} from '@liqo/kube';
import { type EventSubject, isReflectedCopy, type RemoteEvent } from '@liqo/model';
import type { ReflectedNamespace } from '../reflected-namespace.ts';
import type { ObjectReflector } from '../reflector.ts';

interface EventSubjectsOptions {
  /** The consumer's. */
  readonly local: Client;
  /** Which objects of the consumer have copies. */
  readonly originals: readonly ObjectReflector[];
}

/** A pod has several Events within a moment. */
const maxRemembered = 4_096;

/** What Events of the provider are about, in this cluster. */
export class EventSubjects {
  readonly #options: EventSubjectsOptions;
  /** Pods here, by the UID of what was made of them there. The least recently asked for first. */
  readonly #pods = new Map<string, EventSubject>();

  constructor(options: EventSubjectsOptions) {
    this.#options = options;
  }

  /** Undefined for an Event about an object that was not made for one of this cluster, or for one that is gone. */
  async find(
    { involvedObject }: Stored<RemoteEvent>,
    namespace: ReflectedNamespace,
    signal: AbortSignal,
  ): Promise<EventSubject | undefined> {
    const { kind = '', name = '', uid } = involvedObject;
    const madeOfPods = [Pod, ShadowPod].find((one) => one.kind === kind);
    if (madeOfPods) return this.#findPod(namespace, { kind: madeOfPods, name, uid }, signal);
    for (const reflector of this.#options.originals) {
      const original = reflector.findOriginal(kind, namespace.name, name);
      if (original) return subjectOf(original.kind, original.object);
    }
    return undefined;
  }

  async #findPod(
    { name: namespace, client, route }: ReflectedNamespace,
    { kind, name, uid = '' }: { kind: Kind; name: string; uid: string | undefined },
    signal: AbortSignal,
  ): Promise<EventSubject | undefined> {
    const known = this.#pods.get(uid);
    if (known) return this.#remember(uid, known);
    const remote = await client.get(kind, { namespace: route.remoteNamespace, name }, signal);
    if (remote?.metadata.uid !== uid || !isReflectedCopy(remote, route)) return undefined;
    const pod = await this.#options.local.get(Pod, { namespace, name }, signal);
    if (!pod || !isMadeFor(remote, pod)) return undefined;
    return this.#remember(uid, subjectOf(Pod, pod));
  }

  #remember(uid: string, subject: EventSubject): EventSubject {
    this.#pods.delete(uid);
    this.#pods.set(uid, subject);
    const [oldest] = this.#pods.keys();
    if (this.#pods.size > maxRemembered && oldest !== undefined) this.#pods.delete(oldest);
    return subject;
  }
}

/** What a virtual kubelet of Liqo has made goes by the name alone. */
function isMadeFor({ metadata }: Stored<KubeObject>, pod: Stored<Pod>): boolean {
  return [undefined, pod.metadata.uid].includes(metadata.annotations?.[annotations.podUid]);
}

function subjectOf(kind: Kind, { metadata }: Stored<KubeObject>): EventSubject {
  const { namespace = '', name, uid } = metadata;
  return { apiVersion: apiVersionOf(kind), kind: kind.kind, metadata: { namespace, name, uid } };
}
