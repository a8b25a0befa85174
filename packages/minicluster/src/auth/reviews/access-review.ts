import type { KubeObject } from '@liqo/kube';
import type {
  LocalSubjectAccessReview,
  NonResourceAttributes,
  ResourceAttributes,
  SelfSubjectAccessReviewSpec,
  SubjectAccessReview,
  SubjectAccessReviewSpec,
} from 'kubernetes-types/authorization/v1.d.ts';
import type { ObjectMeta } from 'kubernetes-types/meta/v1.d.ts';
import { invalid as invalidField } from '../../resources/validation/field-problem.ts';
import { type FieldProblem, invalid } from '../../rest/refusal.ts';
import type { Access, Authorizer } from '../access.ts';
import type { User } from '../user.ts';
import type { ReviewHandler } from './review-handler.ts';

/** May they? Asked about somebody else. */
export function reviewAccess(authorizer: Authorizer): ReviewHandler {
  return (object) => {
    const { spec } = object as SubjectAccessReview;
    refuse([...targetProblems(spec), ...userProblems(spec), ...metadataProblems(object)]);
    return answer(authorizer, object, accessFrom(userFrom(spec), spec));
  };
}

/** The same for those who may ask about one namespace only. */
export function reviewLocalAccess(authorizer: Authorizer): ReviewHandler {
  return (object) => {
    const { spec, metadata = {} } = object as LocalSubjectAccessReview;
    const namespace = metadata.namespace ?? '';
    refuse([
      ...targetProblems(spec),
      ...userProblems(spec),
      ...metadataProblems(object, ' except for namespace'),
      ...localProblems(spec, namespace),
    ]);
    return answer(authorizer, object, accessFrom(userFrom(spec), spec));
  };
}

/** May I? `kubectl auth can-i`. */
export function reviewSelfAccess(authorizer: Authorizer): ReviewHandler {
  return (object, { user }) => {
    const { spec } = object as { readonly spec: SelfSubjectAccessReviewSpec };
    refuse([...targetProblems(spec), ...metadataProblems(object)]);
    return answer(authorizer, object, accessFrom(user, spec));
  };
}

function answer(authorizer: Authorizer, object: KubeObject, access: Access): KubeObject {
  const { allowed, reason } = authorizer.authorize(access);
  const answered = { ...object, status: { allowed, ...(reason && { reason }) } };
  return answered;
}

interface Target {
  readonly resourceAttributes?: ResourceAttributes;
  readonly nonResourceAttributes?: NonResourceAttributes;
}

function accessFrom(user: User, { resourceAttributes, nonResourceAttributes }: Target): Access {
  if (!resourceAttributes) {
    const { verb = '', path = '' } = nonResourceAttributes ?? {};
    return { user, verb, resource: undefined, path };
  }
  const { verb = '', group = '', resource: plural = '', ...rest } = resourceAttributes;
  const { subresource = '', namespace = '', name = '' } = rest;
  const resource = { group, plural, subresource, namespace, name };
  return { user, verb, resource, path: '' };
}

function userFrom({ user = '', uid, groups = [], extra = {} }: SubjectAccessReviewSpec): User {
  return { name: user, ...(uid && { uid }), groups, extra };
}

function targetProblems({ resourceAttributes, nonResourceAttributes }: Target): FieldProblem[] {
  if (resourceAttributes && nonResourceAttributes) {
    const detail = 'cannot be specified in combination with resourceAttributes';
    const given = showPath(nonResourceAttributes);
    return [invalidField('spec.nonResourceAttributes', given, detail)];
  }
  if (resourceAttributes || nonResourceAttributes) return [];
  const detail = 'exactly one of nonResourceAttributes or resourceAttributes must be specified';
  return [invalidField('spec.resourceAttributes', null, detail)];
}

function userProblems({ user, groups = [] }: SubjectAccessReviewSpec): FieldProblem[] {
  if (user || groups.length > 0) return [];
  return [invalidField('spec.user', '', 'at least one of user or group must be specified')];
}

function metadataProblems({ metadata = {} }: KubeObject, exception = ''): FieldProblem[] {
  const { managedFields: _, namespace, ...rest } = metadata as ObjectMeta;
  const allowsNamespace = exception !== '';
  const isEmpty = Object.keys(rest).length === 0 && (allowsNamespace || !namespace);
  return isEmpty ? [] : [invalidField('metadata', metadata, `must be empty${exception}`)];
}

function localProblems(spec: Target, namespace: string): FieldProblem[] {
  const { resourceAttributes, nonResourceAttributes } = spec;
  const problems: FieldProblem[] = [];
  const given = resourceAttributes?.namespace ?? '';
  if (resourceAttributes && given !== namespace) {
    const field = 'spec.resourceAttributes.namespace';
    problems.push(invalidField(field, given, 'must match metadata.namespace'));
  }
  if (nonResourceAttributes) {
    const shown = showPath(nonResourceAttributes);
    const detail = 'disallowed on this kind of request';
    problems.push(invalidField('spec.nonResourceAttributes', shown, detail));
  }
  return problems;
}

/** As the server's own type has it. */
function showPath({ path = '', verb = '' }: NonResourceAttributes): object {
  return { Path: path, Verb: verb };
}

/** The server forgets to say of which kind the object is that it finds invalid. */
function refuse(problems: readonly FieldProblem[]): void {
  if (problems.length > 0) {
    throw invalid({ group: 'authorization.k8s.io', kind: '' }, '', problems);
  }
}
