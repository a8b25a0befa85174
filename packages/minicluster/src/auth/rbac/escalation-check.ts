import { deepEqual, type KubeObject } from '@liqo/kube';
import type { ClusterRole, PolicyRule, RoleRef } from 'kubernetes-types/rbac/v1.d.ts';
import type { Admission, AdmissionAttributes } from '../../admission/admission.ts';
import { forbidden, notFound } from '../../rest/refusal.ts';
import type { Item } from '../../store/collection.ts';
import type { Authorizer } from '../access.ts';
import { joinErrors } from '../join-errors.ts';
import { mastersGroup } from '../user.ts';
import { describeRules, quoteList } from './describe-rules.ts';
import type { RbacAuthorizer } from './rbac-authorizer.ts';
import { uncoveredRules } from './rule-coverage.ts';

const group = 'rbac.authorization.k8s.io';
const roleResources: readonly string[] = ['roles', 'clusterroles'];
const bindingResources: readonly string[] = ['rolebindings', 'clusterrolebindings'];

const fullAuthority: readonly PolicyRule[] = [
  { apiGroups: ['*'], resources: ['*'], verbs: ['*'] },
  { nonResourceURLs: ['*'], verbs: ['*'] },
];

/**
 * Nobody gives away more than they have: writing a role takes the rights in it, or `escalate`; binding one takes its
 * rights, or `bind`. The real server checks this after everything that changes objects and before validation, so this
 * has to be the last of the plugins that change.
 */
export class EscalationCheck implements Admission {
  readonly name = 'EscalationCheck';
  readonly #authorizer: Authorizer;
  readonly #rbac: RbacAuthorizer;

  constructor(authorizer: Authorizer, rbac: RbacAuthorizer) {
    this.#authorizer = authorizer;
    this.#rbac = rbac;
  }

  async mutate(attributes: AdmissionAttributes): Promise<KubeObject | undefined> {
    const { resource, operation, object, user } = attributes;
    const concerns = resource.group === group && (operation === 'CREATE' || operation === 'UPDATE');
    if (!concerns || !object || user.groups.includes(mastersGroup)) return object;
    if (roleResources.includes(resource.plural)) this.#checkRole(attributes, object as ClusterRole);
    if (bindingResources.includes(resource.plural)) {
      this.#checkBinding(attributes, (object as { roleRef: RoleRef }).roleRef);
    }
    return object;
  }

  #checkRole(attributes: AdmissionAttributes, role: ClusterRole): void {
    const { resource, operation, name, namespace = '', previous } = attributes;
    // The path of a creation has no name, so a right to escalate named roles is of no use there.
    const target = { plural: resource.plural, namespace, name: operation === 'CREATE' ? '' : name };
    if (this.#may(attributes, 'escalate', target) || leavesContent(attributes)) return;
    const missing = this.#missing(attributes, role.rules ?? []);
    if (missing) throw forbidden(resource, name, missing);
    if (!aggregates(role) && !aggregates(previous as ClusterRole | undefined)) return;
    if (!this.#missing(attributes, fullAuthority)) return;
    const why = 'must have cluster-admin privileges to use the aggregationRule';
    throw forbidden(resource, name, why);
  }

  #checkBinding(attributes: AdmissionAttributes, roleRef: RoleRef): void {
    const { resource, name, namespace = '' } = attributes;
    if (leavesContent(attributes)) return;
    const plural = roleRef.kind === 'Role' ? 'roles' : 'clusterroles';
    if (this.#may(attributes, 'bind', { plural, namespace, name: roleRef.name })) return;
    const rules = this.#rbac.rulesOfRole(roleRef, namespace);
    if (!rules) throw notFound(resource, roleRef.name);
    const missing = this.#missing(attributes, rules);
    if (missing) throw forbidden(resource, name, missing);
  }

  #may(
    { user }: AdmissionAttributes,
    verb: string,
    target: { readonly plural: string; readonly namespace: string; readonly name: string },
  ): boolean {
    const resource = { group, subresource: '', ...target };
    return this.#authorizer.authorize({ user, verb, resource, path: '' }).allowed;
  }

  /** What the user would give without having it, as a sentence; undefined when that is nothing. */
  #missing(
    { user, namespace = '' }: AdmissionAttributes,
    wanted: readonly PolicyRule[],
  ): string | undefined {
    const { rules, errors } = this.#rbac.rulesFor(user, namespace);
    const missing = uncoveredRules(rules, wanted);
    if (missing.length === 0) return undefined;
    const who = `user ${JSON.stringify(user.name)} (groups=${quoteList(user.groups)})`;
    const what = `is attempting to grant RBAC permissions not currently held:\n${describeRules(missing)}`;
    const unresolved = errors.length > 0 ? `; resolution errors: [${joinErrors(errors)}]` : '';
    return `${who} ${what}${unresolved}`;
  }
}

function aggregates(role: ClusterRole | undefined): boolean {
  return (role?.aggregationRule?.clusterRoleSelectors?.length ?? 0) > 0;
}

/** Owners and finalizers may change without any rights: the object could not be deleted otherwise. */
function leavesContent({ object, previous }: AdmissionAttributes): boolean {
  return previous !== undefined && deepEqual(withBookkeepingOf(object, previous), previous);
}

function withBookkeepingOf(object: KubeObject | undefined, previous: Item): KubeObject {
  const {
    ownerReferences: _,
    finalizers: __,
    managedFields: ___,
    ...metadata
  } = object?.metadata ?? {};
  const { ownerReferences, finalizers, managedFields } = previous.metadata;
  return {
    ...object,
    metadata: {
      ...metadata,
      ...(ownerReferences && { ownerReferences }),
      ...(finalizers && { finalizers }),
      ...(managedFields && { managedFields }),
    },
  };
}
