import {
  type Clock,
  CustomResourceDefinition,
  deepEqual,
  formatTime,
  type Stored,
  type Timer,
} from '@liqo/kube';
import type { CustomResourceDefinitionStatus } from 'kubernetes-types/apiextensions/v1.d.ts';
import type { Admission, AdmissionAttributes } from '../admission/admission.ts';
import { recordUpdate } from '../patch/managed-fields.ts';
import { forbidden } from '../rest/refusal.ts';
import type { Registry } from '../rest/registry.ts';
import type { Resource } from '../rest/resource.ts';
import type { Collection } from '../store/collection.ts';
import type { Store } from '../store/store.ts';
import { buildResources } from './build-resources.ts';
import { isEstablished, planStatus } from './plan-definition.ts';
import {
  beginTermination,
  deleteInstances,
  deletionInProgress,
  hasCleanup,
} from './terminate-definition.ts';

type Crd = Stored<CustomResourceDefinition>;

/** A definition and what came of it. */
export interface ServedDefinition {
  readonly crd: Crd;
  readonly resources: readonly Resource[];
}

export interface CustomResourcesParts {
  readonly store: Store;
  readonly registry: Registry;
  readonly clock: Clock;
  /** What the definitions in the store have come to already: it is not made again. */
  readonly from?: DefinitionsSnapshot | undefined;
}

/** By the name of the definition. */
export type DefinitionsSnapshot = ReadonlyMap<string, ServedDefinition>;

const definitions = 'customresourcedefinitions.apiextensions.k8s.io';

/**
 * Serves what CustomResourceDefinitions define. It follows their collection in the store: it decides their names,
 * establishes them, adds their resources to the registry and takes them out again, and lets a definition go only when
 * the last of its objects is gone. All of this happens within the write that caused it, so that a definition can be used
 * as soon as its creation is answered.
 *
 * `admission` is part of it: without it in the chain, definitions are deleted at once and their objects stay behind.
 */
export class CustomResources implements Disposable {
  readonly admission: Admission;
  readonly #parts: CustomResourcesParts;
  readonly #definitions: Collection;
  readonly #served: Map<string, ServedDefinition>;
  readonly #stopFollowing: (() => void)[] = [];
  readonly #followed = new Set<string>();
  /** Definitions whose deletion is still to be answered: only then their objects go. */
  readonly #unanswered = new Map<string, Timer>();
  #isBusy = false;
  #isStale = true;

  constructor(parts: CustomResourcesParts) {
    this.#parts = parts;
    this.#definitions = parts.store.collection(definitions);
    this.#served = new Map(parts.from);
    for (const { resources } of this.#served.values()) this.#register(resources);
    this.admission = {
      name: 'CustomResourceDefinitions',
      validate: (attributes) => this.#admit(attributes),
    };
    this.#follow(this.#definitions);
    this.#settle();
  }

  [Symbol.dispose](): void {
    for (const stop of this.#stopFollowing) stop();
    for (const timer of this.#unanswered.values()) timer.cancel();
  }

  snapshot(): DefinitionsSnapshot {
    return new Map(this.#served);
  }

  #follow(collection: Collection): void {
    this.#stopFollowing.push(collection.log.subscribe(() => this.#wake()));
  }

  #wake(): void {
    this.#isStale = true;
    this.#settle();
  }

  /** Until nothing changes any more. The writes made here wake it again, from within: those wait for the next round. */
  #settle(): void {
    if (this.#isBusy) return;
    this.#isBusy = true;
    try {
      while (this.#isStale) {
        this.#isStale = false;
        const current = this.#definitions.list().map((item) => item as Crd);
        this.#forgetAbsent(current);
        for (const crd of current) this.#reconcile(crd, current);
      }
    } finally {
      this.#isBusy = false;
    }
  }

  #reconcile(crd: Crd, all: readonly Crd[]): void {
    if (crd.metadata.deletionTimestamp) this.#terminate(crd);
    else this.#advance(crd, all);
    const latest = this.#definitions.get(crd.metadata.name) as Crd | undefined;
    if (latest && isEstablished(latest)) this.#serve(latest);
  }

  #advance(crd: Crd, all: readonly Crd[]): void {
    const { group } = crd.spec;
    const rivals = all.filter((other) => other.spec.group === group && other !== crd);
    const held = rivals.flatMap(({ status }) => status?.acceptedNames ?? []);
    const status = planStatus(crd, held, this.#now());
    if (status) this.#write(crd, { ...crd, status });
  }

  #terminate(crd: Crd): void {
    if (!hasCleanup(crd) || this.#unanswered.has(crd.metadata.uid)) return;
    const marked = deletionInProgress(crd, this.#now());
    if (!deepEqual(marked, crd)) {
      this.#write(crd, marked);
      return;
    }
    const instances = this.#instancesOf(crd);
    if (isEstablished(crd)) deleteInstances(instances, this.#now());
    if (instances.size > 0 && isEstablished(crd)) return;
    const finalizers = (crd.metadata.finalizers ?? []).filter((one) => !hasCleanup(one));
    if (finalizers.length === 0) this.#definitions.remove(crd.metadata.name, crd);
    else this.#write(crd, { ...crd, metadata: { ...crd.metadata, finalizers } });
  }

  /** Followed from the first time that somebody waits for its end. */
  #instancesOf({ spec }: Crd): Collection {
    const name = `${spec.names.plural}.${spec.group}`;
    const collection = this.#parts.store.collection(name);
    if (!this.#followed.has(name)) this.#follow(collection);
    this.#followed.add(name);
    return collection;
  }

  /** Only what has really changed is built anew: status writes come and go. */
  #serve(crd: Crd): void {
    const { name } = crd.metadata;
    const before = this.#served.get(name);
    if (before && isServedAlike(before.crd, crd)) return;
    const resources = buildResources(crd);
    const { registry } = this.#parts;
    for (const resource of before?.resources ?? []) {
      if (!resources.some((one) => one.version === resource.version)) registry.remove(resource);
    }
    this.#register(resources);
    this.#served.set(name, { crd, resources });
  }

  #register(resources: readonly Resource[]): void {
    for (const resource of resources) this.#parts.registry.add(resource);
  }

  #forgetAbsent(current: readonly Crd[]): void {
    const present = new Set(current.map((crd) => crd.metadata.name));
    for (const [name, { resources }] of this.#served) {
      if (present.has(name)) continue;
      for (const resource of resources) this.#parts.registry.remove(resource);
      this.#served.delete(name);
    }
  }

  async #admit(attributes: AdmissionAttributes): Promise<void> {
    const { operation, resource, name, dryRun } = attributes;
    if (resource.custom && operation === 'CREATE') this.#refuseWhenTerminating(resource, name);
    const isDefinition = `${resource.plural}.${resource.group}` === definitions;
    if (!isDefinition || operation !== 'DELETE' || dryRun) return;
    const crd = this.#definitions.get(name) as Crd | undefined;
    if (!crd || crd.metadata.deletionTimestamp) return;
    this.#answerFirst(crd.metadata.uid);
    this.#definitions.put(name, crd, beginTermination(crd, this.#now()));
  }

  #answerFirst(uid: string): void {
    const timer = this.#parts.clock.after(0, () => {
      this.#unanswered.delete(uid);
      this.#wake();
    });
    this.#unanswered.set(uid, timer);
  }

  #refuseWhenTerminating(resource: Resource, name: string): void {
    const crd = this.#definitions.get(`${resource.plural}.${resource.group}`);
    if (!crd?.metadata.deletionTimestamp) return;
    const why = 'create not allowed while custom resource definition is terminating';
    throw forbidden(resource, name, why);
  }

  #write(crd: Crd, next: CustomResourceDefinition): void {
    const resource = this.#parts.registry.find(
      CustomResourceDefinition.group,
      CustomResourceDefinition.version,
      CustomResourceDefinition.plural,
    );
    const by = {
      manager: 'kube-apiserver',
      apiVersion: 'apiextensions.k8s.io/v1',
      time: this.#now(),
      subresource: 'status',
    };
    const owned = resource ? recordUpdate(resource.schemas, resource.schema, crd, next, by) : next;
    this.#definitions.put(crd.metadata.name, crd, owned);
  }

  #now(): string {
    return formatTime(this.#parts.clock.now());
  }
}

function isServedAlike(before: Crd, after: Crd): boolean {
  const namesOf = (status: CustomResourceDefinitionStatus | undefined) => status?.acceptedNames;
  return (
    deepEqual(before.spec, after.spec) && deepEqual(namesOf(before.status), namesOf(after.status))
  );
}
