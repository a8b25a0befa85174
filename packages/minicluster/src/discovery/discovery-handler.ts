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
  let known: KnownGroups | undefined;
  registry.onChange(() => {
    known = undefined;
  });
  return (request) => {
    if (!/^\/apis?(\/|$)/.test(request.info.path)) return undefined;
    known ??= { groups: apiGroups(registry), aggregated: new Map() };
    const document = documentOf(request, known, serverAddress());
    return document && Promise.resolve(document());
  };
}

/** What is served, until that changes. */
interface KnownGroups {
  readonly groups: readonly ApiGroup[];
  /** The document that says all at once, by its path. */
  readonly aggregated: Map<string, AggregatedDocument>;
}

interface AggregatedDocument {
  readonly body: object;
  readonly etag: string;
}

function documentOf(
  request: ApiRequest,
  known: KnownGroups,
  serverAddress: string,
): (() => ApiAnswer) | undefined {
  const [root, ...rest] = request.info.path.split('/').filter(Boolean);
  const ofCore = known.groups.filter(({ name }) => (name === '') === (root === 'api'));
  if (rest.length === 0) {
    if (readDiscoveryForm(request) !== 'legacy') {
      return () => answerAggregated(request, aggregate(known, request.info.path, ofCore));
    }
    const legacy = root === 'api' ? apiVersions(ofCore, serverAddress) : apiGroupList(ofCore);
    return () => ({ status: 200, body: legacy });
  }
  const [groupName = '', version] = root === 'api' ? ['', rest[0]] : rest;
  const group = ofCore.find(({ name }) => name === groupName);
  if (!group || rest.length > 2 || (root === 'api' && rest.length > 1)) return undefined;
  if (version === undefined) return () => ({ status: 200, body: apiGroup(group) });
  const served = group.versions.find((one) => one.version === version);
  return served && (() => ({ status: 200, body: apiResourceList(served) }));
}

function aggregate(
  { aggregated }: KnownGroups,
  path: string,
  groups: readonly ApiGroup[],
): AggregatedDocument {
  const made = aggregated.get(path);
  if (made) return made;
  const body = groupDiscoveryList(groups);
  const digest = createHash('sha512').update(JSON.stringify(body)).digest('hex');
  const etag = `"${digest.toUpperCase()}"`;
  aggregated.set(path, { body, etag });
  return { body, etag };
}

function answerAggregated(request: ApiRequest, { body, etag }: AggregatedDocument): ApiAnswer {
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
