import type { PolicyRule } from 'kubernetes-types/rbac/v1.d.ts';
import { type Access, combinedResource, type ResourceAccess } from '../access.ts';

/** Whether a rule allows an access. Rules are read as they are stored: what is absent matches nothing, except names. */
export function ruleAllows(rule: PolicyRule, access: Access): boolean {
  if (!allows(rule.verbs, access.verb)) return false;
  const { resource } = access;
  if (!resource) return allowsPath(rule.nonResourceURLs, access.path);
  return (
    allows(rule.apiGroups, resource.group) &&
    allowsResource(rule.resources, resource) &&
    allowsName(rule.resourceNames, resource.name)
  );
}

function allows(listed: readonly string[] | undefined, wanted: string): boolean {
  return listed?.includes(wanted) === true || listed?.includes('*') === true;
}

function allowsResource(listed: readonly string[] | undefined, resource: ResourceAccess): boolean {
  if (allows(listed, combinedResource(resource))) return true;
  return resource.subresource !== '' && listed?.includes(`*/${resource.subresource}`) === true;
}

function allowsName(listed: readonly string[] | undefined, wanted: string): boolean {
  return !listed || listed.length === 0 || listed.includes(wanted);
}

function allowsPath(listed: readonly string[] | undefined, path: string): boolean {
  return listed?.some((url) => coversPath(url, path)) === true;
}

/** `/healthz` is itself; `/api/*` is everything that begins with `/api/`. */
export function coversPath(url: string, path: string): boolean {
  return url === path || (url.endsWith('*') && path.startsWith(url.replace(/\*+$/, '')));
}
