import { fixedNames, NamespaceOffloading } from '@liqo/api';
import {
  deepEqual,
  formatTime,
  isForbidden,
  isNotFound,
  type Kind,
  type ObjectKey,
  ownMember,
} from '@liqo/kube';
import {
  type ReflectedKindReport,
  type ReflectionProblem,
  reflectionConditions,
} from '@liqo/model';
import {
  type Controller,
  done,
  external,
  type Outcome,
  type ReconcileContext,
  requeueAfter,
  type StopOptions,
  startController,
  writeStatus,
} from '@liqo/runtime';
import type { KubeletContext } from '../kubelet-context.ts';
import type { ReflectedNamespace } from './reflected-namespace.ts';
import type { Reflector } from './reflector.ts';

interface KindProblems {
  whole: ReflectionProblem | undefined;
  isAlwaysReported: boolean;
  readonly objects: Map<string, ReflectionProblem>;
}

interface NamespaceState {
  readonly kinds: Map<string, KindProblems>;
  /** When what has changed is written. */
  dueMs: number | undefined;
}

/** Changes within this time are one write. */
const coalesceMs = 1_000;
/** Until then every object has been looked at, as a rule: what a predecessor has written is not taken back before. */
const firstReportMs = 5_000;
/** The condition names one of them. */
const mostProblems = 1_000;

/** The resource as kubectl names it. */
export function resourceOf({ plural, group }: Pick<Kind, 'plural' | 'group'>): string {
  return group ? `${plural}.${group}` : plural;
}

/** Says in the NamespaceOffloading of each namespace what of it is not reflected, and why. */
export class ReflectionReport implements Reflector {
  readonly #context: KubeletContext;
  readonly #namespaces = new Map<string, NamespaceState>();
  readonly #changes = external();
  readonly #controller: Controller;

  constructor(context: KubeletContext) {
    const { clock, random, log, metrics } = context;
    this.#context = context;
    this.#controller = startController({
      name: 'reflection-report',
      clock,
      random,
      log,
      ...(metrics && { metrics }),
      sources: [this.#changes],
      reconcile: (key, run) => this.#reconcile(key, run),
    });
  }

  begin({ name }: ReflectedNamespace): void {
    const state = this.#namespaces.get(name) ?? { kinds: new Map(), dueMs: undefined };
    this.#namespaces.set(name, state);
    this.#schedule(name, state, firstReportMs);
  }

  /** The controllers remove what is said of a namespace that is not offloaded any more. */
  end(namespace: string): void {
    this.#namespaces.delete(namespace);
  }

  lookAtAll(): void {
    // There is nothing to look at besides what it is told.
  }

  /** What is the matter with one object; nothing when it is reflected, or is not there any more. */
  note(
    { key, resource }: { readonly key: ObjectKey; readonly resource: string },
    problem: ReflectionProblem | undefined,
  ): void {
    const namespace = key.namespace ?? '';
    const state = this.#namespaces.get(namespace);
    if (!state) return;
    const kind = state.kinds.get(resource);
    const known = kind?.objects.get(key.name);
    if (deepEqual(known, problem)) return;
    const { objects } = kind ?? this.#kindOf(state, resource);
    if (!problem) objects.delete(key.name);
    else if (known || objects.size < mostProblems) {
      const { reason, message } = problem;
      objects.set(key.name, { reason, message });
    } else return;
    this.#schedule(namespace, state, coalesceMs);
  }

  /** What is the matter with all objects of a kind that the user has named. */
  noteKind(namespace: string, resource: string, problem: ReflectionProblem | undefined): void {
    const state = this.#namespaces.get(namespace);
    if (!state) return;
    const kind = this.#kindOf(state, resource);
    if (kind.isAlwaysReported && deepEqual(kind.whole, problem)) return;
    kind.isAlwaysReported = true;
    kind.whole = problem;
    this.#schedule(namespace, state, coalesceMs);
  }

  whyNotReady(): string | undefined {
    return this.#controller.whyNotReady();
  }

  stop(options: StopOptions): Promise<void> {
    return this.#controller.stop(options);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#controller[Symbol.asyncDispose]();
  }

  #kindOf({ kinds }: NamespaceState, resource: string): KindProblems {
    const kind = kinds.get(resource) ?? {
      whole: undefined,
      isAlwaysReported: false,
      objects: new Map<string, ReflectionProblem>(),
    };
    kinds.set(resource, kind);
    return kind;
  }

  #schedule(namespace: string, state: NamespaceState, inMs: number): void {
    if (state.dueMs !== undefined) return;
    state.dueMs = this.#context.clock.monotonicMs() + inMs;
    this.#changes.enqueue({ namespace, name: fixedNames.namespaceOffloading });
  }

  async #reconcile(key: ObjectKey, { signal, log }: ReconcileContext): Promise<Outcome> {
    const state = this.#namespaces.get(key.namespace ?? '');
    if (state?.dueMs === undefined) return done;
    const waitMs = state.dueMs - this.#context.clock.monotonicMs();
    if (waitMs > 0) return requeueAfter(waitMs, 'waiting for further changes');
    const { dueMs } = state;
    // What changes from here on is another report.
    state.dueMs = undefined;
    try {
      await this.#write(key, state, signal);
    } catch (error) {
      // The namespace is being taken back, or the roles of this cluster are those of an older version.
      if (isNotFound(error) || isForbidden(error)) {
        log.debug('Cannot report what is not reflected', { err: error });
        return done;
      }
      state.dueMs ??= dueMs;
      throw error;
    }
    return done;
  }

  async #write(key: ObjectKey, { kinds }: NamespaceState, signal: AbortSignal): Promise<void> {
    const { local, clock, providerClusterID } = this.#context;
    const offloading = await local.get(NamespaceOffloading, key, signal);
    if (!offloading) return;
    const before = ownMember(offloading.status?.reflectionConditions, providerClusterID) ?? [];
    const reports = [...kinds].map(([resource, kind]) => reportOf(resource, kind));
    const conditions = reflectionConditions(before, reports, formatTime(clock.now()));
    if (deepEqual(before, conditions)) return;
    const all = { ...offloading.status?.reflectionConditions, [providerClusterID]: conditions };
    const status = { ...offloading.status, reflectionConditions: all };
    await writeStatus(local, NamespaceOffloading, offloading, status, signal);
  }
}

function reportOf(
  resource: string,
  { whole, objects, isAlwaysReported }: KindProblems,
): ReflectedKindReport {
  return { resource, problem: whole, problems: objects, isAlwaysReported };
}
