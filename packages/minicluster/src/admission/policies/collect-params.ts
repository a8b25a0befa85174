import {
  type KubeObject,
  labelQueryFromSelector,
  matchesLabels,
  parseApiVersion,
} from '@liqo/kube';
import { ObjectStore } from '../../rest/object-store.ts';
import type { Registry } from '../../rest/registry.ts';
import type { Resource } from '../../rest/resource.ts';
import type { Item } from '../../store/collection.ts';
import type { Store } from '../../store/store.ts';
import type { ParamKind, ParamRef } from './policy-spec.ts';

/** The parameter objects of a binding, one evaluation each: undefined stands for none. */
export type Params = readonly (KubeObject | undefined)[] | { readonly error: string };

/** The resource of a kind of parameters. */
export function findParamResource(registry: Registry, kind: ParamKind): Resource | undefined {
  const { group, version } = parseApiVersion(kind.apiVersion ?? '');
  return registry
    .all()
    .find((one) => one.group === group && one.version === version && one.kind === kind.kind);
}

export function collectParams(
  store: Store,
  resource: Resource,
  ref: ParamRef,
  requestNamespace: string,
): Params {
  if (!resource.namespaced && ref.namespace) {
    return { error: 'paramRef.namespace must not be provided for a cluster-scoped `paramKind`' };
  }
  const namespace = ref.namespace || requestNamespace;
  if (resource.namespaced && !namespace) {
    return {
      error:
        'cannot use namespaced paramRef in policy binding that matches cluster-scoped resources',
    };
  }
  const params = find(new ObjectStore(store, resource), resource, ref, namespace);
  if (params.length > 0 || ref.parameterNotFoundAction !== 'Deny') {
    return params.map((param) => typed(param, resource));
  }
  return {
    error: 'no params found for policy binding with `Deny` parameterNotFoundAction',
  };
}

function find(
  objects: ObjectStore,
  { namespaced }: Resource,
  { name, selector }: ParamRef,
  namespace: string,
): readonly Item[] {
  if (name) {
    const item = objects.get(namespaced ? `${namespace}/${name}` : name);
    return item ? [item] : [];
  }
  const query = labelQueryFromSelector(selector);
  return objects.collection
    .list()
    .filter(({ metadata }) => !namespaced || metadata.namespace === namespace)
    .filter(({ metadata }) => matchesLabels(query, metadata.labels));
}

function typed(param: Item, { group, version, kind }: Resource): KubeObject {
  return { ...param, apiVersion: group ? `${group}/${version}` : version, kind };
}
