import {
  type ApiError,
  deepEqual,
  parseApiVersion,
  ValidatingAdmissionPolicy,
  type ValidatingAdmissionPolicyBinding,
} from '@liqo/kube';
import type { ResourceAccess } from '../../auth/access.ts';
import { mastersGroup, type User } from '../../auth/user.ts';
import { forbidden } from '../../resources/validation/field-problem.ts';
import { invalid } from '../../rest/refusal.ts';
import type { AdmissionAttributes } from '../admission.ts';
import { readOne } from '../read-store.ts';
import { findParamResource } from './collect-params.ts';
import type { PolicyParts } from './policy-parts.ts';
import type { ParamKind } from './policy-spec.ts';

type Policy = ValidatingAdmissionPolicy;
type Binding = ValidatingAdmissionPolicyBinding;

/**
 * Refuses parameters that the writer of a policy or binding may not read, and would learn about through the policy. A
 * `paramKind` requires `get` on all objects of the kind; a `paramRef` requires `get` on the object, or `list` for a
 * selector.
 */
export function refuseUnreadableParams(parts: PolicyParts, attributes: AdmissionAttributes): void {
  const { object, previous, operation, subresource, user } = attributes;
  const isWrite = operation === 'CREATE' || operation === 'UPDATE';
  if (!isWrite || subresource !== '' || !object || user.groups.includes(mastersGroup)) return;
  if (attributes.resource.kind === ValidatingAdmissionPolicy.kind) {
    checkPolicy(parts, attributes, object as Policy, previous as Policy | undefined);
  } else {
    checkBinding(parts, attributes, object as Binding, previous as Binding | undefined);
  }
}

function checkPolicy(
  parts: PolicyParts,
  attributes: AdmissionAttributes,
  { spec }: Policy,
  previous: Policy | undefined,
): void {
  const { paramKind } = spec ?? {};
  if (!paramKind || deepEqual(paramKind, previous?.spec?.paramKind)) return;
  const target = { ...targetOf(parts, paramKind), namespace: '*', name: '*' };
  if (may(parts, attributes.user, 'get', target)) return;
  const { apiVersion, kind } = paramKind;
  const user = printUser(attributes.user);
  const why = `user ${user} must have "get" permission on all objects of the referenced paramKind (kind=${kind}, apiVersion=${apiVersion})`;
  throw refuse(attributes, 'spec.paramKind', why);
}

function checkBinding(
  parts: PolicyParts,
  attributes: AdmissionAttributes,
  { spec }: Binding,
  previous: Binding | undefined,
): void {
  const { paramRef, policyName = '' } = spec ?? {};
  const isSame =
    deepEqual(paramRef, previous?.spec?.paramRef) && policyName === previous?.spec?.policyName;
  if (!paramRef || isSame) return;
  const policy = readOne(parts.store, ValidatingAdmissionPolicy, { name: policyName });
  const { name = '', namespace = '' } = paramRef;
  const verb = name ? 'get' : 'list';
  const kind = policy?.spec?.paramKind;
  const target = { ...(kind ? targetOf(parts, kind) : anything), namespace, name };
  if (may(parts, attributes.user, verb, target)) return;
  const user = printUser(attributes.user);
  const why = policy
    ? `user ${user} does not have "${verb}" permission on the object referenced by paramRef`
    : `unable to get policy ${policyName} to determine minimum required permissions and user ${user} does not have "${verb}" permission for all groups, versions and resources`;
  throw refuse(attributes, 'spec.paramRef', why);
}

type Target = Pick<ResourceAccess, 'group' | 'plural' | 'subresource'>;

const anything: Target = { group: '*', plural: '*', subresource: '' };

function targetOf({ registry }: PolicyParts, kind: ParamKind): Target {
  const { group } = parseApiVersion(kind.apiVersion ?? '');
  return { group, plural: findParamResource(registry, kind)?.plural ?? '*', subresource: '' };
}

function may(
  { authorizer }: PolicyParts,
  user: User,
  verb: string,
  resource: ResourceAccess,
): boolean {
  return authorizer.authorize({ user, verb, resource, path: '' }).allowed;
}

function refuse({ resource, name }: AdmissionAttributes, field: string, why: string): ApiError {
  return invalid(resource, name, [forbidden(field, why)]);
}

/** As Go prints it. */
function printUser({ name, uid = '', groups, extra }: User): string {
  const entries = Object.entries(extra).sort(([a], [b]) => (a < b ? -1 : 1));
  const shown = entries.map(([key, values]) => `${key}:[${values.join(' ')}]`);
  return `&{${name} ${uid} [${groups.join(' ')}] map[${shown.join(' ')}]}`;
}
