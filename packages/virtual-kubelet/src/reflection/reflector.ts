import type { Kind, KubeObject, ObjectKey, Stored } from '@liqo/kube';
import {
  type ReflectionNames,
  type ReflectionPlan,
  type ReflectionPolicy,
  type ReflectionRoute,
  sameNames,
} from '@liqo/model';
import {
  type Controller,
  done,
  external,
  type InformerOptions,
  type Outcome,
  type ReconcileContext,
  type StopOptions,
  type Stoppable,
  startController,
} from '@liqo/runtime';
import type { KubeletContext } from '../kubelet-context.ts';
import { reconcileReflected } from './reconcile-reflected.ts';
import { NamespaceCaches, type ReflectedNamespace } from './reflected-namespace.ts';
import { type ReflectionReport, resourceOf } from './reflection-report.ts';
import type { RelatedCaches } from './related-caches.ts';
import { RepeatedWrites } from './repeated-writes.ts';

export interface ReflectorOptions<L extends KubeObject, R extends KubeObject = L> {
  /** Writes to the consumer's cluster only while this process leads. */
  readonly context: KubeletContext;
  readonly kind: Kind<L>;
  /** Of the copies; the same kind when absent. */
  readonly remoteKind?: Kind<R>;
  readonly plan: ReflectionPlan<L, R>;
  /** The same on both sides when absent. */
  readonly names?: ReflectionNames;
  /** What is kept of an object of the consumer; everything but `managedFields` when absent. */
  readonly readLocal?: InformerOptions<L>['transform'];
  /** What is kept of a copy; when absent, digests in the place of long texts. */
  readonly readRemote?: InformerOptions<R>['transform'];
  /** Told why a side cannot be listed or watched; `undefined` when it can be again. */
  readonly onFailure?: (namespace: string, side: Side, failure: unknown) => void;
  /** Told of every object why it is not reflected as the user wants it, and that it is. */
  readonly report: Report;
  /** Watches what the plan depends on besides both objects; nothing when absent. */
  readonly watchRelated?: (namespace: string, changes: RelatedChanges<L>) => RelatedCaches;
  /** What remains to be done once the copy is as wanted; may be repeated. */
  readonly finish?: (object: FinishedObject<L, R>, run: ReconcileContext) => Promise<Outcome>;
  readonly policy: ReflectionPolicy;
  /** How many objects are worked on at a time. */
  readonly workers: number;
}

/** Where an object is, from the point of view of the consumer. */
export type Side = 'local' | 'remote';

type Report = Pick<ReflectionReport, 'note'>;

interface RelatedChanges<L extends KubeObject> {
  /** Looks again at the objects of the consumer that a change beside them affects. */
  readonly lookAt: (isAffected: (local: Stored<L>) => boolean) => void;
  /** The same for one object of that name, which need not exist any more. */
  readonly enqueue: (name: string) => void;
}

interface FinishedObject<L extends KubeObject, R extends KubeObject> {
  readonly key: ObjectKey;
  readonly local: Stored<L> | undefined;
  readonly remote: Stored<R> | undefined;
  readonly route: ReflectionRoute;
}

/** Reflects the objects of one kind, in the namespaces that it is given. */
export interface Reflector extends Stoppable {
  begin(namespace: ReflectedNamespace): void;
  /** Its copies stay. */
  end(namespace: string): void;
  /** Something beside the objects has changed: all of the namespace are looked at again. */
  lookAtAll(namespace: string): void;
}

/** One whose objects have copies at the provider. */
export interface ObjectReflector extends Reflector {
  /** Of the object at the provider that has this kind and name there; undefined if it is no copy. */
  findOriginal(kind: string, namespace: string, remoteName: string): Original | undefined;
}

interface Original {
  readonly kind: Kind;
  readonly object: Stored<KubeObject>;
}

/** One controller for a kind; its keys are those of the consumer's objects, whichever side has changed. */
export function startReflector<L extends KubeObject, R extends KubeObject = L>(
  options: ReflectorOptions<L, R>,
): ObjectReflector {
  return new KindReflector(options);
}

class KindReflector<L extends KubeObject, R extends KubeObject> implements ObjectReflector {
  readonly #options: ReflectorOptions<L, R>;
  readonly #names: ReflectionNames;
  readonly #namespaces = new Map<string, NamespaceCaches<L, R>>();
  readonly #ending = new Set<Promise<void>>();
  readonly #changes = external();
  readonly #writes: RepeatedWrites;
  readonly #controller: Controller;

  constructor(options: ReflectorOptions<L, R>) {
    const { context, kind, workers } = options;
    const { clock, random, log, metrics } = context;
    this.#options = options;
    this.#names = options.names ?? sameNames;
    this.#writes = new RepeatedWrites({ clock, random });
    this.#controller = startController({
      name: `${kind.kind.toLowerCase()}-reflection`,
      clock,
      random,
      log,
      ...(metrics && { metrics }),
      concurrency: workers,
      sources: [this.#changes],
      reconcile: (key, run) => this.#reconcile(key, run),
    });
  }

  begin(namespace: ReflectedNamespace): void {
    const { context, kind, readLocal, readRemote, onFailure, watchRelated } = this.#options;
    const remoteKind = this.#options.remoteKind ?? (kind as unknown as Kind<R>);
    const { name, route } = namespace;
    const related = watchRelated?.(name, {
      lookAt: (isAffected) => {
        const affected = caches?.hasSynced ? caches.local.list().filter(isAffected) : [];
        for (const { metadata } of affected) this.#enqueue(caches, metadata.name);
      },
      enqueue: (one) => this.#enqueue(caches, one),
    });
    const caches: NamespaceCaches<L, R> = new NamespaceCaches<L, R>({
      ...(related && { related }),
      context,
      namespace,
      kind,
      remoteKind,
      readLocal,
      readRemote,
      onFailure: (side, failure) => onFailure?.(name, side, failure),
      onLocal: (object) => this.#enqueue(caches, object.metadata.name),
      onRemote: (object) =>
        this.#enqueue(caches, this.#names.localName(object.metadata.name, route)),
    });
    this.#namespaces.set(name, caches);
    caches.synced().then(() => this.lookAtAll(name), stoppedEarly);
  }

  end(namespace: string): void {
    const caches = this.#namespaces.get(namespace);
    if (!caches) return;
    this.#namespaces.delete(namespace);
    const ended = caches[Symbol.asyncDispose]().finally(() => this.#ending.delete(ended));
    this.#ending.add(ended);
  }

  lookAtAll(namespace: string): void {
    const caches = this.#namespaces.get(namespace);
    if (!caches?.hasSynced) return;
    const { route } = caches.namespace;
    for (const { metadata } of caches.local.list()) this.#enqueue(caches, metadata.name);
    for (const { metadata } of caches.remote.list()) {
      this.#enqueue(caches, this.#names.localName(metadata.name, route));
    }
    for (const name of caches.furtherNames) this.#enqueue(caches, name);
  }

  findOriginal(kind: string, namespace: string, remoteName: string): Original | undefined {
    const { kind: ofObject, remoteKind = ofObject } = this.#options;
    const caches = this.#namespaces.get(namespace);
    if (kind !== remoteKind.kind || !caches?.hasSynced) return undefined;
    const { route } = caches.namespace;
    const name = this.#names.localName(remoteName, route);
    const copy = caches.remote.get({ namespace: route.remoteNamespace, name: remoteName });
    const object = name === undefined || !copy ? undefined : caches.local.get({ namespace, name });
    return object && { kind: ofObject, object };
  }

  whyNotReady(): string | undefined {
    return this.#controller.whyNotReady();
  }

  async stop(options: StopOptions): Promise<void> {
    await this.#controller.stop(options);
    await this.#disconnect();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#controller[Symbol.asyncDispose]();
    await this.#disconnect();
  }

  async #disconnect(): Promise<void> {
    for (const name of [...this.#namespaces.keys()]) this.end(name);
    await Promise.all(this.#ending);
  }

  /** Before the caches have synced nothing can be decided; then everything is looked at. */
  #enqueue(caches: NamespaceCaches<L, R>, name: string | undefined): void {
    if (name === undefined || !caches.hasSynced) return;
    this.#changes.enqueue({ namespace: caches.namespace.name, name });
  }

  async #reconcile(key: ObjectKey, run: ReconcileContext): Promise<Outcome> {
    const caches = this.#namespaces.get(key.namespace ?? '');
    if (!caches?.hasSynced || !caches.namespace.isReachable()) return done;
    const { context, kind, plan, policy, finish, report, onFailure } = this.#options;
    const { namespace } = caches;
    const route = { ...namespace.route, policy };
    const remoteName = this.#names.remoteName(key.name, route);
    const remoteKey = { namespace: route.remoteNamespace, name: remoteName ?? key.name };
    const local = caches.local.get(key);
    const remote = remoteName === undefined ? undefined : caches.remote.get(remoteKey);
    const outcome = await reconcileReflected(
      {
        context,
        client: namespace.client,
        kind,
        remoteKind: this.#options.remoteKind ?? (kind as unknown as Kind<R>),
        writes: this.#writes,
        cache: caches.remote,
        key,
        remoteKey,
        local,
        remote,
        plan: (original, copy) => plan(original, copy, route),
        report: (problem) => report.note({ key, resource: resourceOf(kind) }, problem),
        onGone: (error) => onFailure?.(namespace.name, 'remote', error),
      },
      run,
    );
    return outcome === done && finish ? finish({ key, local, remote, route }, run) : outcome;
  }
}

function stoppedEarly(): void {
  // Disposed of before it had seen everything.
}
