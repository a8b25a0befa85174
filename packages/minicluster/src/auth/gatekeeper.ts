import { parseFieldSelector } from '@liqo/kube';
import type { ApiRequest } from '../rest/api-request.ts';
import type { Gatekeeper } from '../rest/api-server.ts';
import { forbidden } from '../rest/refusal.ts';
import type { ResourceRequest } from '../rest/request-info.ts';
import type { Access, Authorizer, ResourceAccess } from './access.ts';
import type { Authenticator } from './authenticator.ts';
import { impersonate } from './impersonate.ts';
import { refuseUnlessAllowed } from './refuse-access.ts';

/** Who is asking, and whether they may. */
export function createGatekeeper(authenticator: Authenticator, authorizer: Authorizer): Gatekeeper {
  return {
    async authenticate(incoming) {
      const sender = authenticator.authenticate(incoming);
      return impersonate(sender, incoming.headers ?? {}, authorizer);
    },
    async authorize(request) {
      const access = accessOf(request);
      refuseUnlessAllowed(authorizer, access);
      refuseHiddenStream(authorizer, access);
    },
  };
}

export function accessOf({ user, info, query }: ApiRequest): Access {
  const { verb, resource, path } = info;
  if (!resource) return { user, verb, resource: undefined, path };
  return { user, verb, resource: resourceAccessOf(verb, resource, query), path: '' };
}

function resourceAccessOf(
  verb: string,
  resource: ResourceRequest,
  query: URLSearchParams,
): ResourceAccess {
  const { group, plural, subresource, namespace = '', name = '' } = resource;
  const access = { group, plural, subresource, namespace, name };
  const selector = verb === 'list' || verb === 'watch' ? query.get('fieldSelector') : null;
  return selector ? { ...access, ...narrowedBy(selector) } : access;
}

/** A list or watch of one name counts as access to that name. A selector that means nothing is refused elsewhere. */
function narrowedBy(selector: string): Partial<ResourceAccess> {
  try {
    const fieldSelector = parseFieldSelector(selector);
    const byName = fieldSelector.find(
      ({ field, operator }) => field === 'metadata.name' && operator === '=',
    );
    return { fieldSelector, ...(byName && { name: byName.value }) };
  } catch {
    return {};
  }
}

const streams: readonly string[] = ['exec', 'attach', 'portforward'];

/** A WebSocket opens a stream with a GET; whoever may only read pods must not get a shell by it. */
function refuseHiddenStream(authorizer: Authorizer, access: Access): void {
  const { resource } = access;
  const isPod = resource?.plural === 'pods' && resource.group === '';
  if (!isPod || access.verb !== 'get' || !streams.includes(resource.subresource)) return;
  const { allowed, reason } = authorizer.authorize({ ...access, verb: 'create' });
  if (!allowed) throw forbidden(resource, resource.name, reason);
}
