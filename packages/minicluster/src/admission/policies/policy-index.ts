import {
  type Stored,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
} from '@liqo/kube';
import { FollowedCollection } from '../../auth/followed-collection.ts';
import { qualified } from '../../rest/refusal.ts';
import type { Collection } from '../../store/collection.ts';
import type { Store } from '../../store/store.ts';
import { readAll } from '../read-store.ts';
import { type CompiledPolicy, compilePolicy } from './compile-policy.ts';

type Policy = Stored<ValidatingAdmissionPolicy>;
export type Binding = Stored<ValidatingAdmissionPolicyBinding>;

/** A policy that is in force: at least one binding names it. */
export interface BoundPolicy {
  readonly policy: Policy;
  readonly bindings: readonly Binding[];
  readonly compiled: CompiledPolicy;
}

interface Compilation {
  readonly generation: number | undefined;
  readonly compiled: CompiledPolicy;
}

/** The policies in force, in the order of their names. A change of one counts from the next request on. */
export class PolicyIndex {
  readonly #store: Store;
  readonly #policies: FollowedCollection;
  readonly #bindings: FollowedCollection;
  readonly #bindingItems: Collection;
  /** By the UID of the policy. */
  #compilations = new Map<string, Compilation>();
  #bound: readonly BoundPolicy[] | undefined;

  constructor(store: Store) {
    const forget = () => {
      this.#bound = undefined;
    };
    const derived = { clear: forget, add: forget, remove: forget };
    const follow = (resource: string) => new FollowedCollection(store, resource, derived);
    this.#store = store;
    this.#policies = follow(qualified(ValidatingAdmissionPolicy));
    this.#bindings = follow(qualified(ValidatingAdmissionPolicyBinding));
    this.#bindingItems = store.collection(qualified(ValidatingAdmissionPolicyBinding));
  }

  bound(): readonly BoundPolicy[] {
    if (this.#bindingItems.size === 0) return [];
    this.#policies.refresh();
    this.#bindings.refresh();
    this.#bound ??= this.#bind();
    return this.#bound;
  }

  #bind(): readonly BoundPolicy[] {
    const bindings = readAll(this.#store, ValidatingAdmissionPolicyBinding);
    const known = this.#compilations;
    this.#compilations = new Map();
    return readAll(this.#store, ValidatingAdmissionPolicy).flatMap((policy) => {
      const { name } = policy.metadata;
      const own = bindings.filter(({ spec }) => spec?.policyName === name);
      if (own.length === 0) return [];
      return [{ policy, bindings: own, compiled: this.#compile(policy, known) }];
    });
  }

  #compile(
    { metadata, spec = {} }: Policy,
    known: ReadonlyMap<string, Compilation>,
  ): CompiledPolicy {
    const { uid, generation } = metadata;
    const before = known.get(uid);
    const compilation =
      before && before.generation === generation
        ? before
        : { generation, compiled: compilePolicy(spec) };
    this.#compilations.set(uid, compilation);
    return compilation.compiled;
  }
}
