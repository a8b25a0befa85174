import { apiVersionOf, type KubeObject } from '@liqo/kube';
import type { User } from '../../auth/user.ts';
import type { Resource } from '../../rest/resource.ts';
import { scaleOf } from '../../rest/scale.ts';
import type { Item } from '../../store/collection.ts';
import type { AdmissionAttributes } from '../admission.ts';
import { namespaceOf } from '../request-scope.ts';
import { convertObject } from './review-target.ts';

interface GroupVersionKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

interface GroupVersionResource {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
}

interface UserInfo {
  readonly username: string;
  readonly uid?: string;
  readonly groups?: readonly string[];
  readonly extra?: User['extra'];
}

/** `request` of an AdmissionReview. Published types have none. */
export interface AdmissionRequest {
  readonly uid: string;
  readonly kind: GroupVersionKind;
  readonly resource: GroupVersionResource;
  readonly subResource?: string;
  readonly requestKind: GroupVersionKind;
  readonly requestResource: GroupVersionResource;
  readonly requestSubResource?: string;
  readonly name?: string;
  readonly namespace?: string;
  readonly operation: AdmissionAttributes['operation'];
  readonly userInfo: UserInfo;
  readonly object: KubeObject | null;
  readonly oldObject: KubeObject | null;
  readonly dryRun: boolean;
  readonly options: KubeObject | null;
}

/** The question to a webhook, with the objects in the form of `target`. */
export function forgeRequest(
  attributes: AdmissionAttributes,
  target: Resource,
  uid: string,
): AdmissionRequest {
  const { resource, subresource, name, operation, dryRun, options } = attributes;
  const namespace = namespaceOf(attributes);
  const inForm = (object: KubeObject | undefined) => {
    if (!object) return undefined;
    const { scale } = resource;
    if (subresource === 'scale' && scale) return scaleOf(scale, object as Item);
    return typed(convertObject(object, resource, target), target, subresource);
  };
  return {
    uid,
    kind: kindOf(target, subresource),
    resource: resourceOf(target),
    ...(subresource && { subResource: subresource }),
    requestKind: kindOf(resource, subresource),
    requestResource: resourceOf(resource),
    ...(subresource && { requestSubResource: subresource }),
    ...(name && { name }),
    ...(namespace && { namespace }),
    operation,
    userInfo: userInfoOf(attributes),
    object: inForm(attributes.object) ?? null,
    oldObject: inForm(attributes.previous) ?? null,
    dryRun,
    options: options ?? null,
  };
}

function kindOf(resource: Resource, subresource: string): GroupVersionKind {
  const { group, version, kind } = resource.subresources.get(subresource) ?? resource;
  return { group, version, kind };
}

function resourceOf({ group, version, plural }: Resource): GroupVersionResource {
  return { group, version, resource: plural };
}

function typed(object: KubeObject, target: Resource, subresource: string): KubeObject {
  const kind = kindOf(target, subresource);
  return { kind: kind.kind, apiVersion: apiVersionOf(kind), ...object };
}

function userInfoOf({ user }: AdmissionAttributes): UserInfo {
  const { name, uid, groups, extra } = user;
  return {
    username: name,
    ...(uid && { uid }),
    ...(groups.length > 0 && { groups }),
    ...(Object.keys(extra).length > 0 && { extra }),
  };
}
