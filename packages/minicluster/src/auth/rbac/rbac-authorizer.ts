import type { PolicyRule, RoleRef, Subject } from 'kubernetes-types/rbac/v1.d.ts';
import type { Collection } from '../../store/collection.ts';
import type { Store } from '../../store/store.ts';
import type { Access, Authorizer, Verdict } from '../access.ts';
import { joinErrors } from '../join-errors.ts';
import type { User } from '../user.ts';
import { type Binding, BindingIndex, subjectFor } from './binding-index.ts';
import { ruleAllows } from './policy-rule.ts';

const group = 'rbac.authorization.k8s.io';

interface RulesOfUser {
  readonly rules: readonly PolicyRule[];
  /** Roles that are bound but not there. */
  readonly errors: readonly string[];
}

/**
 * Allows what the roles bound to a user allow. Everything is read from the store at the moment of asking: a change of
 * policy holds from the next request on. Stored rules are matched as they are; what makes it cheap is that only the
 * bindings of the user are looked at.
 */
export class RbacAuthorizer implements Authorizer {
  readonly #roles: Collection;
  readonly #clusterRoles: Collection;
  readonly #bindings: BindingIndex;
  readonly #clusterBindings: BindingIndex;

  constructor(store: Store) {
    this.#roles = store.collection(`roles.${group}`);
    this.#clusterRoles = store.collection(`clusterroles.${group}`);
    this.#bindings = new BindingIndex(store, `rolebindings.${group}`);
    this.#clusterBindings = new BindingIndex(store, `clusterrolebindings.${group}`);
  }

  authorize(access: Access): Verdict {
    const missing: string[] = [];
    for (const binding of this.#bindingsOf(access.user, access.resource?.namespace ?? '')) {
      const rules = this.#boundRules(binding);
      if (!rules) missing.push(describeMissing(binding));
      else if (rules.some((rule) => ruleAllows(rule, access))) {
        return allowedBy(binding, access.user);
      }
    }
    return { allowed: false, reason: missing.length > 0 ? `RBAC: ${joinErrors(missing)}` : '' };
  }

  /** All that a user may do in a namespace, or in the whole cluster when it is empty. */
  rulesFor(user: User, namespace: string): RulesOfUser {
    const bindings = [...new Set(this.#bindingsOf(user, namespace))];
    return {
      rules: bindings.flatMap((binding) => this.#boundRules(binding) ?? []),
      errors: bindings.filter((binding) => !this.#boundRules(binding)).map(describeMissing),
    };
  }

  /** Undefined when there is no such role. */
  rulesOfRole(roleRef: RoleRef, namespace: string): readonly PolicyRule[] | undefined {
    const isRole = roleRef.kind === 'Role';
    const role = isRole
      ? this.#roles.get(`${namespace}/${roleRef.name}`)
      : this.#clusterRoles.get(roleRef.name);
    return role && ((role as { rules?: readonly PolicyRule[] }).rules ?? []);
  }

  *#bindingsOf(user: User, namespace: string): Generator<Binding, void, undefined> {
    yield* this.#clusterBindings.bindingsOf(user, '');
    if (namespace) yield* this.#bindings.bindingsOf(user, namespace);
  }

  #boundRules(binding: Binding): readonly PolicyRule[] | undefined {
    return this.rulesOfRole(binding.roleRef, binding.metadata.namespace ?? '');
  }
}

/** Few who are allowed ask why: it is put into words only for them. */
function allowedBy(binding: Binding, user: User): Verdict {
  return {
    allowed: true,
    get reason() {
      return `RBAC: allowed by ${describe(binding, user)}`;
    },
  };
}

function describeMissing({ roleRef }: Binding): string {
  return `${roleRef.kind.toLowerCase()}.${group} "${roleRef.name}" not found`;
}

function describe(binding: Binding, user: User): string {
  const { name, namespace } = binding.metadata;
  const { kind, name: role } = binding.roleRef;
  const bound = namespace ? `RoleBinding "${name}/${namespace}"` : `ClusterRoleBinding "${name}"`;
  const subject = subjectFor(binding, user);
  return `${bound} of ${kind} "${role}" to ${subject ? describeSubject(subject, namespace) : ''}`;
}

function describeSubject({ kind, name, namespace }: Subject, bindingNamespace = ''): string {
  if (kind !== 'ServiceAccount') return `${kind} "${name}"`;
  return `${kind} "${name}/${namespace || bindingNamespace}"`;
}
