import type { PolicyRule } from 'kubernetes-types/rbac/v1.d.ts';
import type { Store } from '../../store/store.ts';
import {
  type Access,
  type Authorizer,
  noOpinion,
  type ResourceAccess,
  type Verdict,
} from '../access.ts';
import { ruleAllows } from '../rbac/policy-rule.ts';
import type { User } from '../user.ts';
import { NodeRelations } from './node-relations.ts';

const allowed: Verdict = { allowed: true, reason: '' };
const readVerbs: readonly string[] = ['get', 'list', 'watch'];
const ownVerbs: readonly string[] = ['get', 'create', 'update', 'patch', 'delete'];

/** The name of the node that a user is, or undefined for anybody else. */
export function nodeNameOf({ name, groups }: User): string | undefined {
  const prefix = 'system:node:';
  const isNode = name.startsWith(prefix) && groups.includes('system:nodes');
  return isNode ? name.slice(prefix.length) : undefined;
}

/**
 * Lets a kubelet do what its node needs, and nothing about other nodes: itself, its lease, the pods bound to it, and
 * what these refer to. Other resources it may use as the role `system:node` says. What a kubelet creates or changes is
 * looked at more closely by admission (NodeRestriction).
 */
export class NodeAuthorizer implements Authorizer {
  readonly #relations: NodeRelations;
  readonly #rules: readonly PolicyRule[];

  constructor(store: Store, rules: readonly PolicyRule[]) {
    this.#relations = new NodeRelations(store);
    this.#rules = rules;
  }

  authorize(access: Access): Verdict {
    const node = nodeNameOf(access.user);
    if (node === undefined) return noOpinion;
    if (node === '') return no(`unknown node for user ${JSON.stringify(access.user.name)}`);
    const { resource, verb } = access;
    const special = resource && this.#decideSpecial(node, verb, resource);
    if (special) return special;
    return this.#rules.some((rule) => ruleAllows(rule, access)) ? allowed : noOpinion;
  }

  /** Undefined for resources that are the same to all nodes. */
  #decideSpecial(node: string, verb: string, resource: ResourceAccess): Verdict | undefined {
    const { group, plural } = resource;
    switch (group ? `${plural}.${group}` : plural) {
      case 'secrets':
      case 'configmaps':
        return this.#mayRead(node, verb, resource);
      case 'persistentvolumeclaims':
        return this.#mayUseClaim(node, verb, resource);
      case 'persistentvolumes':
        return this.#mayGet(node, verb, resource);
      case 'serviceaccounts':
        return this.#mayUseAccount(node, verb, resource);
      case 'pods':
        return this.#mayUsePod(node, verb, resource);
      case 'nodes':
        return mayUseNode(node, verb, resource);
      case 'leases.coordination.k8s.io':
        return mayUseLease(node, verb, resource);
      case 'csinodes.storage.k8s.io':
        return mayUseCsiNode(node, verb, resource);
      default:
        return undefined;
    }
  }

  #mayRead(node: string, verb: string, resource: ResourceAccess): Verdict {
    if (!readVerbs.includes(verb)) return no('can only read resources of this type');
    if (resource.subresource) return no('cannot read subresource');
    if (!resource.namespace) return no('can only read namespaced object of this type');
    return this.#ifRelated(node, resource);
  }

  #mayGet(node: string, verb: string, resource: ResourceAccess): Verdict {
    if (verb !== 'get') return no('can only get individual resources of this type');
    if (resource.subresource) return no('cannot get subresource');
    return this.#ifRelated(node, resource);
  }

  #mayUseClaim(node: string, verb: string, resource: ResourceAccess): Verdict {
    if (resource.subresource !== 'status') return this.#mayGet(node, verb, resource);
    if (verb === 'update' || verb === 'patch') return this.#ifRelated(node, resource);
    return no('can only get/update/patch this type');
  }

  #mayUseAccount(node: string, verb: string, resource: ResourceAccess): Verdict {
    if (verb === 'get' && !resource.subresource) return this.#mayRead(node, verb, resource);
    if (verb !== 'create' || !resource.name) {
      return no('can only create tokens for individual service accounts');
    }
    if (resource.subresource === 'token') return this.#ifRelated(node, resource);
    return no('can only create token subresource of serviceaccount');
  }

  #mayUsePod(node: string, verb: string, resource: ResourceAccess): Verdict {
    switch (`${verb} ${resource.subresource}`) {
      case 'get ':
        return this.#mayGet(node, verb, resource);
      case 'list ':
      case 'watch ':
        return this.#maySelectPods(node, resource);
      case 'create ':
      case 'delete ':
      case 'update status':
      case 'patch status':
      case 'create eviction':
        return allowed;
      default:
        return noOpinion;
    }
  }

  #maySelectPods(node: string, resource: ResourceAccess): Verdict {
    const ofThisNode = resource.fieldSelector?.some(
      ({ field, operator, value }) =>
        field === 'spec.nodeName' && operator === '=' && value === node,
    );
    if (ofThisNode) return allowed;
    if (resource.name) return this.#ifRelated(node, resource);
    return no('can only list/watch pods with spec.nodeName field selector');
  }

  #ifRelated(node: string, { plural, namespace, name }: ResourceAccess): Verdict {
    if (!name) return no('No Object name found');
    if (this.#relations.has(node, plural, namespace, name)) return allowed;
    return no(`no relationship found between node '${node}' and this object`);
  }
}

function mayUseNode(node: string, verb: string, resource: ResourceAccess): Verdict {
  const { subresource, name } = resource;
  if (verb === 'update' || verb === 'patch') {
    return subresource === '' || subresource === 'status' ? allowed : noOpinion;
  }
  if (subresource) return noOpinion;
  if (verb === 'create') return allowed;
  if (!readVerbs.includes(verb)) return noOpinion;
  if (name === node) return allowed;
  const read = name ? `'${name}'` : 'all nodes';
  return no(`node '${node}' cannot read ${read}, only its own Node object`);
}

const leaseNamespace = 'kube-node-lease';

function mayUseLease(node: string, verb: string, { namespace, name }: ResourceAccess): Verdict {
  if (!ownVerbs.includes(verb)) {
    return no('can only get, create, update, patch, or delete a node lease');
  }
  if (namespace !== leaseNamespace) {
    return no(`can only access leases in the "${leaseNamespace}" system namespace`);
  }
  if (verb === 'create' || name === node) return allowed;
  return no('can only access node lease with the same name as the requesting node');
}

function mayUseCsiNode(node: string, verb: string, resource: ResourceAccess): Verdict {
  if (!ownVerbs.includes(verb)) {
    return no('can only get, create, update, patch, or delete a CSINode');
  }
  if (resource.subresource) return no('cannot authorize CSINode subresources');
  if (verb === 'create' || resource.name === node) return allowed;
  return no('can only access CSINode with the same name as the requesting node');
}

function no(reason: string): Verdict {
  return { allowed: false, reason };
}
