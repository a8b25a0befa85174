import { ApiError } from '@liqo/kube';
import { forbidden } from '../rest/refusal.ts';
import { type Access, type Authorizer, combinedResource } from './access.ts';

/** Throws what the server answers to somebody who may not. */
export function refuseUnlessAllowed(authorizer: Authorizer, access: Access): void {
  const { allowed, reason } = authorizer.authorize(access);
  if (!allowed) throw refuseAccess(access, reason);
}

function refuseAccess(access: Access, reason: string): ApiError {
  const why = reason ? `${describeAccess(access)}: ${reason}` : describeAccess(access);
  const { resource } = access;
  if (resource) return forbidden(resource, resource.name, why);
  const message = `forbidden: ${why}`;
  return new ApiError({ status: 'Failure', code: 403, reason: 'Forbidden', message, details: {} });
}

function describeAccess({ user, verb, resource, path }: Access): string {
  const who = `User ${quoted(user.name)} cannot ${verb}`;
  if (!resource) return escapeHtml(`${who} path ${quoted(path)}`);
  const what = `resource ${quoted(combinedResource(resource))} in API group ${quoted(resource.group)}`;
  const { namespace } = resource;
  const where = namespace ? `in the namespace ${quoted(namespace)}` : 'at the cluster scope';
  return escapeHtml(`${who} ${what} ${where}`);
}

function quoted(text: string): string {
  return JSON.stringify(text);
}

/** The message repeats what a client sent, and may end up in a browser. */
function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
