import { fixedNames } from '@liqo/api';
import { isForbidden, isNotFound, type Kind, type VersionedResource } from '@liqo/kube';
import {
  type CustomObject,
  planCustomResource,
  type ReflectedCustomResource,
  type ReflectionProblem,
  readCustomCopy,
  whyKindNotReflected,
  withStatusOwners,
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
} from '@liqo/runtime';
import { CustomStatus } from './custom-status.ts';
import type { ReflectedNamespace } from './reflected-namespace.ts';
import { type ReflectionReport, resourceOf } from './reflection-report.ts';
import {
  type ObjectReflector,
  type Reflector,
  type ReflectorOptions,
  type Side,
  startReflector,
} from './reflector.ts';

interface CustomResourceOptions extends Pick<ReflectorOptions<never>, 'context' | 'workers'> {
  readonly report: ReflectionReport;
  readonly resource: ReflectedCustomResource;
}

/** A definition that appears emits no event to a client that may not read definitions. */
const lookAgainMs = 30_000;

/** Reflects a kind that either cluster may not have, or not yet, or not any more. */
export function startCustomResourceReflector(options: CustomResourceOptions): Reflector {
  return new CustomResourceReflector(options);
}

/** The kind as both clusters have it, and what reflects it in the namespaces that have begun. */
interface Reflecting {
  readonly served: VersionedResource;
  readonly reflector: ObjectReflector;
  readonly namespaces: Set<string>;
}

class CustomResourceReflector implements Reflector {
  readonly #options: CustomResourceOptions;
  readonly #name: string;
  readonly #namespaces = new Map<string, ReflectedNamespace>();
  /** Why a side cannot be listed, by namespace and side. */
  readonly #failures = new Map<string, ReflectionProblem>();
  readonly #checks = external();
  readonly #controller: Controller;
  #reflecting: Reflecting | undefined;

  constructor(options: CustomResourceOptions) {
    const { clock, random, log, metrics } = options.context;
    this.#options = options;
    this.#name = resourceOf(options.resource);
    this.#controller = startController({
      name: 'customresource-reflection',
      clock,
      random,
      log: log.with({ resource: this.#name }),
      ...(metrics && { metrics }),
      sources: [this.#checks],
      reconcile: (_, run) => this.#check(run),
    });
  }

  begin(namespace: ReflectedNamespace): void {
    this.#namespaces.set(namespace.name, namespace);
    this.#lookAtKind();
  }

  end(namespace: string): void {
    this.#namespaces.delete(namespace);
    for (const side of sides) this.#failures.delete(`${side} ${namespace}`);
    if (this.#reflecting?.namespaces.delete(namespace)) {
      this.#reflecting.reflector.end(namespace);
    }
  }

  lookAtAll(namespace: string): void {
    this.#reflecting?.reflector.lookAtAll(namespace);
    this.#lookAtKind();
  }

  whyNotReady(): string | undefined {
    return this.#controller.whyNotReady();
  }

  async stop(options: StopOptions): Promise<void> {
    await this.#controller.stop(options);
    await this.#reflecting?.reflector.stop?.(options);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#controller[Symbol.asyncDispose]();
    await this.#endReflecting();
  }

  #lookAtKind(): void {
    this.#checks.enqueue({ name: this.#name });
  }

  async #check({ signal, log }: ReconcileContext): Promise<Outcome> {
    const { context, resource } = this.#options;
    const [namespace] = this.#namespaces.values();
    if (!namespace?.isReachable()) return done;
    const local = await context.local.discoverResource(resource, signal);
    const remote = await namespace.client.discoverResource(resource, signal);
    const problem = whyKindNotReflected(resource, { local, remote }, context.providerClusterID);
    if (problem || !local) {
      if (this.#reflecting) log.warn('The reflection of a kind ends', { reason: problem?.reason });
      await this.#endReflecting();
      this.#report(problem);
      return requeueAfter(lookAgainMs, problem?.message ?? 'waiting for the kind');
    }
    if (this.#reflecting && !isSameKind(this.#reflecting.served, local))
      await this.#endReflecting();
    this.#reflecting ??= this.#beginReflecting(local);
    const { reflector, namespaces } = this.#reflecting;
    for (const one of this.#namespaces.values()) {
      if (!namespaces.has(one.name)) reflector.begin(one);
      namespaces.add(one.name);
    }
    this.#report(undefined);
    return done;
  }

  #beginReflecting(served: VersionedResource): Reflecting {
    const { context, report, resource, workers } = this.#options;
    const { group, version, plural, policy } = resource;
    const kind: Kind<CustomObject> = {
      group,
      version,
      plural,
      kind: served.kind,
      namespaced: true,
    };
    const plan = planCustomResource(kind);
    const status = served.hasStatus ? new CustomStatus({ context, report, kind }) : undefined;
    const reflector = startReflector<CustomObject>({
      context,
      kind,
      plan,
      policy,
      report,
      workers,
      readLocal: withStatusOwners,
      readRemote: readCustomCopy,
      onFailure: (namespace, side, failure) => this.#noteFailure(namespace, side, failure),
      ...(status && {
        // News of a copy that has just been written come by themselves.
        finish: async (pair, run) => {
          const isAsWanted = plan(pair.local, pair.remote, pair.route).type === 'nothing';
          return isAsWanted ? status.takeOver(pair, run) : done;
        },
      }),
    });
    return { served, reflector, namespaces: new Set() };
  }

  async #endReflecting(): Promise<void> {
    const reflecting = this.#reflecting;
    this.#reflecting = undefined;
    this.#failures.clear();
    await reflecting?.reflector[Symbol.asyncDispose]();
  }

  /** A kind that is not served any more is looked for until it is; a right that is missing is waited for by the watches. */
  #noteFailure(namespace: string, side: Side, failure: unknown): void {
    if (!this.#namespaces.has(namespace)) return;
    const key = `${side} ${namespace}`;
    if (isNotFound(failure)) this.#lookAtKind();
    if (isForbidden(failure)) this.#failures.set(key, this.#describeMissingRight(side));
    else if (!this.#failures.delete(key)) return;
    this.#reportOf(namespace, undefined);
  }

  #describeMissingRight(side: Side): ReflectionProblem {
    const { providerClusterID } = this.#options.context;
    const [whose, role] =
      side === 'remote'
        ? [`Provider "${providerClusterID}"`, fixedNames.customRemoteRole]
        : ['This cluster', fixedNames.customReflectionRole];
    const message = `${whose} does not grant the right to ${this.#name}: its ClusterRole "${role}" must name the resource`;
    return { reason: 'NotGranted', message };
  }

  #report(problem: ReflectionProblem | undefined): void {
    for (const namespace of this.#namespaces.keys()) this.#reportOf(namespace, problem);
  }

  #reportOf(namespace: string, problem: ReflectionProblem | undefined): void {
    const failure = sides.map((side) => this.#failures.get(`${side} ${namespace}`)).find(Boolean);
    this.#options.report.noteKind(namespace, this.#name, problem ?? failure);
  }
}

const sides: readonly Side[] = ['local', 'remote'];

function isSameKind(one: VersionedResource, other: VersionedResource): boolean {
  return one.kind === other.kind && one.hasStatus === other.hasStatus;
}
