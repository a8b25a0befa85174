import { isJsonObject } from './json.ts';

/** A kind the server has. */
export interface DiscoveredResource {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly singular: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly subresources: readonly string[];
}

/** Everything the server has, the preferred version of each group first. */
export type Discovery = readonly DiscoveredResource[];

type GetJson = <T>(path: string, accept: string) => Promise<T>;

const aggregated = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

/** Two requests whatever the number of groups: the aggregated form, which every server since 1.30 speaks. */
export async function discover(getJson: GetJson): Promise<Discovery> {
  const documents = await Promise.all(
    ['/api', '/apis'].map((path) => getJson<GroupDiscoveryList>(path, aggregated)),
  );
  for (const document of documents) {
    if (document.kind === 'APIGroupDiscoveryList') continue;
    throw new Error(
      `Cannot read what the server offers: it answered "${document.kind}", not the aggregated discovery of Kubernetes 1.30 or newer`,
    );
  }
  return documents.flatMap(({ items }) => (items ?? []).flatMap(resourcesOfGroup));
}

interface GroupDiscoveryList {
  readonly kind: string;
  readonly items: readonly GroupDiscovery[] | null;
}

interface GroupDiscovery {
  readonly metadata?: { readonly name?: string };
  readonly versions: readonly VersionDiscovery[];
}

interface VersionDiscovery {
  readonly version: string;
  readonly resources?: readonly ResourceDiscovery[];
}

interface ResourceDiscovery {
  readonly resource: string;
  /** Absent or empty for a path that has nothing but subresources. */
  readonly responseKind?: { readonly kind: string } | null;
  readonly scope: 'Cluster' | 'Namespaced';
  readonly singularResource: string;
  readonly verbs: readonly string[];
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly subresources?: readonly { readonly subresource: string }[];
}

function resourcesOfGroup(group: GroupDiscovery): DiscoveredResource[] {
  return group.versions.flatMap(({ version, resources = [] }) =>
    resources
      .filter(({ responseKind }) => responseKind?.kind)
      .map((resource) => ({
        group: group.metadata?.name ?? '',
        version,
        kind: resource.responseKind?.kind ?? '',
        plural: resource.resource,
        singular: resource.singularResource,
        namespaced: resource.scope === 'Namespaced',
        verbs: resource.verbs,
        shortNames: resource.shortNames ?? [],
        categories: resource.categories ?? [],
        subresources: (resource.subresources ?? []).map(({ subresource }) => subresource),
      })),
  );
}

/** A kind of one version of one group, as the older form of discovery describes it. */
export interface VersionedResource {
  readonly kind: string;
  readonly plural: string;
  readonly namespaced: boolean;
  readonly hasStatus: boolean;
}

interface ResourceList {
  readonly resources?: unknown;
}

/** The resource of a version of a group, undefined if that is not served. One small request. A server may answer anything. */
export async function discoverResource(
  getJson: GetJson,
  { group, version, plural }: { group: string; version: string; plural: string },
): Promise<VersionedResource | undefined> {
  const list = await getJson<ResourceList | null>(
    `/apis/${encodeURIComponent(group)}/${encodeURIComponent(version)}`,
    'application/json',
  );
  const resources = Array.isArray(list?.resources) ? list.resources.filter(isJsonObject) : [];
  const found = resources.find(({ name }) => name === plural);
  if (typeof found?.kind !== 'string') return undefined;
  return {
    kind: found.kind,
    plural,
    namespaced: found.namespaced === true,
    hasStatus: resources.some(({ name }) => name === `${plural}/status`),
  };
}
