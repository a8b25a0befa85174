import { createHash } from 'node:crypto';
import type { ApiAnswer, ApiRequest } from '../rest/api-request.ts';
import type { PathHandler } from '../rest/api-server.ts';
import type { Registry } from '../rest/registry.ts';
import { groupDiscoveryList } from './aggregated-discovery.ts';
import { aggregatedType, readDiscoveryForm } from './discovery-form.ts';
import { type ApiGroup, apiGroups } from './group-versions.ts';
import { apiGroup, apiGroupList, apiResourceList, apiVersions } from './legacy-discovery.ts';

/** What there is: `/api`, `/apis`, `/apis/<group>` and `/apis/<group>/<version>`. */
export function discoveryHandler(registry: Registry, serverAddress: () => string): PathHandler {
  return (request) => {
    const groups = apiGroups(registry);
    const document = documentOf(request, groups, serverAddress());
    return document && Promise.resolve(document());
  };
}

function documentOf(
  request: ApiRequest,
  groups: readonly ApiGroup[],
  serverAddress: string,
): (() => ApiAnswer) | undefined {
  const [root, ...rest] = request.info.path.split('/').filter(Boolean);
  if (root !== 'api' && root !== 'apis') return undefined;
  const ofCore = groups.filter(({ name }) => (name === '') === (root === 'api'));
  if (rest.length === 0) {
    const legacy = root === 'api' ? apiVersions(ofCore, serverAddress) : apiGroupList(ofCore);
    return () => negotiated(request, ofCore, legacy);
  }
  const [groupName = '', version] = root === 'api' ? ['', rest[0]] : rest;
  const group = ofCore.find(({ name }) => name === groupName);
  if (!group || rest.length > 2 || (root === 'api' && rest.length > 1)) return undefined;
  if (version === undefined) return () => ({ status: 200, body: apiGroup(group) });
  const served = group.versions.find((one) => one.version === version);
  return served && (() => ({ status: 200, body: apiResourceList(served) }));
}

function negotiated(request: ApiRequest, groups: readonly ApiGroup[], legacy: object): ApiAnswer {
  if (readDiscoveryForm(request) === 'legacy') return { status: 200, body: legacy };
  const body = JSON.stringify(groupDiscoveryList(groups));
  const etag = `"${createHash('sha512').update(body).digest('hex').toUpperCase()}"`;
  // Clients that keep answers take the headers of a 304 for those of the kept one: the type must be the same.
  const headers = {
    'cache-control': 'public',
    'content-type': aggregatedType,
    etag,
    vary: 'Accept',
  };
  if (request.headers['if-none-match'] === etag) return { status: 304, headers };
  return { status: 200, headers, body };
}
