import type { KubeObject } from '@liqo/kube';
import type { Decoded } from '../schema/decode.ts';
import type { Schemas, TypeSchema } from '../schema/type-schema.ts';
import type { Item } from '../store/collection.ts';
import type { ApiAnswer, ApiRequest } from './api-request.ts';
import type { FieldProblem } from './refusal.ts';

/** A resource the server serves: its names, its type, and what is particular about its life. */
export interface Resource {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly listKind: string;
  readonly plural: string;
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  readonly schemas: Schemas;
  readonly schema: TypeSchema;
  /** How a value becomes an object of it, if not by the built-in rules: custom resources are pruned and defaulted. */
  readonly decode?: (value: unknown) => Decoded;
  /** Fields besides `metadata.name` and `metadata.namespace` that lists and watches can be selected by. */
  readonly selectableFields: Readonly<Record<string, (object: KubeObject) => string>>;
  readonly strategy: Strategy;
  /** `status` and `scale` are served for every resource that names them; others bring their own handler. */
  readonly subresources: ReadonlyMap<string, Subresource>;
  /** Where the scale subresource finds its numbers. */
  readonly scale?: ScalePaths;
  /** All columns of `kubectl get`, the name among them: `nameColumn` comes first for nearly everything. */
  readonly columns: readonly TableColumn[];
  /** Answers a creation of something that is not kept: a review. The object is in its namespace. */
  readonly review?: (object: KubeObject, request: ApiRequest) => KubeObject;
  /** Of a CustomResourceDefinition. */
  readonly custom?: boolean;
  /** Another resource's collection that this one is a view of, as `events.k8s.io` is of core events. */
  readonly viewOf?: StorageView;
}

export interface ScalePaths {
  /** Of the member that holds how many are wanted. */
  readonly replicasPath: readonly string[];
  specReplicas(object: Item): number;
  statusReplicas(object: Item): number;
  /** In its string form. */
  selector(object: Item): string;
  withReplicas(object: Item, replicas: number): KubeObject;
}

export interface StorageView {
  readonly group: string;
  readonly plural: string;
  fromStorage(object: Item): Item;
  toStorage(object: KubeObject): KubeObject;
}

export interface TableColumn {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'date';
  readonly format?: string;
  readonly description?: string;
  /** Above zero only with `-o wide`. */
  readonly priority: number;
  /** The value, as the server prints it: durations are words ("5m") as of `nowMs`. */
  cell(object: Item, nowMs: number): unknown;
}

/** What a subresource is; its verbs say what it can be asked. */
export interface Subresource {
  readonly kind: string;
  readonly group: string;
  readonly version: string;
  readonly verbs: readonly string[];
  /** Absent for the ones every resource has in the same way. */
  readonly handle?: (request: ApiRequest, resource: Resource) => Promise<ApiAnswer>;
}

/**
 * The hooks of a resource's life, in the order in which a write meets them. All are pure: they take objects and give
 * objects. What is absent is as for any resource: no defaults, no checks beyond the metadata.
 */
export interface Strategy {
  /** What clients see of an object, where that is not all that is stored. */
  onRead?(object: Item): Item;
  /** Fills in what was left out. Runs on everything that is read from a client. */
  withDefaults?(object: KubeObject): KubeObject;
  /** Resets what a creator may not set, such as the status. */
  onCreate?(object: KubeObject): KubeObject;
  /** Resets what an update may not change. Not called for subresources. */
  onUpdate?(next: KubeObject, previous: Item): KubeObject;
  /** Keeps everything but the status of `previous`. Default: `{...previous, status: next.status}`. */
  onStatusUpdate?(next: KubeObject, previous: Item): KubeObject;
  /** `found`, here and below, is what is wrong with the metadata: it is told anyway. */
  validate?(object: KubeObject, found?: readonly FieldProblem[]): readonly FieldProblem[];
  /** What is wrong besides with an object that is new. */
  validateCreate?(object: KubeObject): readonly FieldProblem[];
  validateUpdate?(
    next: KubeObject,
    previous: Item,
    found?: readonly FieldProblem[],
  ): readonly FieldProblem[];
  /** What is told, and not refused, of an object that is valid. Not of a status. */
  warnings?(next: KubeObject, previous: KubeObject | undefined): readonly string[];
  /** The same of an update of the status. */
  statusWarnings?(next: KubeObject): readonly string[];
  /** Whether an update is told what it may not change before it is told what is wrong with the result. */
  readonly tellsChangesFirst?: boolean;
  validateStatusUpdate?(
    next: KubeObject,
    previous: Item,
    found?: readonly FieldProblem[],
  ): readonly FieldProblem[];
  /** By name, subresources through which a part of the object is written that cannot be written otherwise. */
  readonly parts?: Readonly<Record<string, PartStrategy>>;
  /** Whether an update with another spec counts `metadata.generation` up. Default: everything but metadata and status. */
  readonly generation?: 'spec' | 'spec and annotations' | 'none';
  /** Whether something other than `metadata.finalizers` holds an object that was deleted. */
  isHeld?(object: KubeObject): boolean;
  /** What a deletion changes in an object that stays for a while. */
  onDelete?(object: KubeObject): KubeObject;
  /** For kinds that do not die at once: how long to wait, given what the deleter asked for. */
  gracePeriodSeconds?(object: Item, asked: number | undefined): number;
  /** Names that are checked in another way than as an RFC 1123 subdomain. */
  validateName?(name: string, prefix: boolean): readonly string[];
  /** Whether a DELETE that removes at once answers with the object instead of a Status. */
  readonly returnsDeleted?: boolean;
  /** Whether a deletion that says nothing about dependents leaves them alone. */
  readonly orphansByDefault?: boolean;
  /** Whether a PUT of an absent object creates it. */
  readonly createsOnUpdate?: boolean;
  /** Whether updates need a resourceVersion. */
  readonly requiresVersion?: boolean;
  /** Runs after the object was removed or created, for allocations that live beside it (cluster IPs). */
  readonly allocations?: Allocations;
}

/** What is particular about a subresource that writes a part of an object, such as `resize` of pods. */
export interface PartStrategy {
  /** Takes the part of `next`, and everything else of `previous`. */
  onUpdate(next: KubeObject, previous: Item): KubeObject;
  /** Of the whole object and of what has changed. */
  validateUpdate(next: KubeObject, previous: Item): readonly FieldProblem[];
}

export interface Allocations {
  /** Reserves what the object needs and writes it into it; throws an `ApiError` when there is none left. */
  allocate(object: KubeObject, previous: Item | undefined): KubeObject;
  /**
   * What `allocate` would give: nothing is reserved, and `previous` keeps what it has. For dry runs, and asked before
   * an object is validated: that it cannot have what it wants is told first, and alone.
   */
  tryOut(object: KubeObject, previous: Item | undefined): KubeObject;
  release(object: Item): void;
}
