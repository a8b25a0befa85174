import type { KubeObject, Stored } from '@liqo/kube';
import type { ClusterRoleBinding, RoleBinding, Subject } from 'kubernetes-types/rbac/v1.d.ts';
import type { Store } from '../../store/store.ts';
import { FollowedCollection } from '../followed-collection.ts';
import { serviceAccountUserName } from '../service-account-user.ts';
import type { User } from '../user.ts';

/** A RoleBinding, or a ClusterRoleBinding: that one has no namespace. */
export type Binding = Stored<(RoleBinding | ClusterRoleBinding) & KubeObject>;

/** The bindings of one collection by whom they bind, so that a request looks at those of its user only. */
export class BindingIndex {
  readonly #bySubject = new Map<string, Set<Binding>>();
  readonly #followed: FollowedCollection;

  constructor(store: Store, resource: string) {
    this.#followed = new FollowedCollection(store, resource, {
      clear: () => this.#bySubject.clear(),
      add: (item) => this.#add(item as Binding),
      remove: (item) => this.#remove(item as Binding),
    });
  }

  /** Those that bind the user in a namespace (empty: in the cluster), each as often as it names them. */
  *bindingsOf(user: User, namespace: string): Generator<Binding, void, undefined> {
    this.#followed.refresh();
    yield* this.#bySubject.get(userKey(namespace, user.name)) ?? [];
    for (const group of user.groups) {
      yield* this.#bySubject.get(groupKey(namespace, group)) ?? [];
    }
  }

  #add(binding: Binding): void {
    for (const key of keysOf(binding)) {
      const bindings = this.#bySubject.get(key);
      if (bindings) bindings.add(binding);
      else this.#bySubject.set(key, new Set([binding]));
    }
  }

  #remove(binding: Binding): void {
    for (const key of keysOf(binding)) {
      const bindings = this.#bySubject.get(key);
      bindings?.delete(binding);
      if (bindings?.size === 0) this.#bySubject.delete(key);
    }
  }
}

/** The first of a binding's subjects that is the user. */
export function subjectFor(binding: Binding, user: User): Subject | undefined {
  const namespace = binding.metadata.namespace ?? '';
  const keys = [
    userKey(namespace, user.name),
    ...user.groups.map((group) => groupKey(namespace, group)),
  ];
  return binding.subjects?.find((subject) => keys.includes(subjectKey(namespace, subject) ?? ''));
}

function keysOf(binding: Binding): string[] {
  const namespace = binding.metadata.namespace ?? '';
  return (binding.subjects ?? []).flatMap((subject) => subjectKey(namespace, subject) ?? []);
}

function subjectKey(namespace: string, subject: Subject): string | undefined {
  switch (subject.kind) {
    case 'User':
      return userKey(namespace, subject.name);
    case 'Group':
      return groupKey(namespace, subject.name);
    case 'ServiceAccount': {
      const account = { namespace: subject.namespace || namespace, name: subject.name };
      return account.namespace ? userKey(namespace, serviceAccountUserName(account)) : undefined;
    }
    default:
      return undefined;
  }
}

function userKey(namespace: string, name: string): string {
  return `${namespace}/user/${name}`;
}

function groupKey(namespace: string, name: string): string {
  return `${namespace}/group/${name}`;
}
