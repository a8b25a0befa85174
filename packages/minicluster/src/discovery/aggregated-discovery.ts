import type { Resource, Subresource } from '../rest/resource.ts';
import type { ApiGroup, GroupVersion } from './group-versions.ts';

/** All of discovery in one document, which newer clients ask for: `apidiscovery.k8s.io/v2`. */
export function groupDiscoveryList(groups: readonly ApiGroup[]): object {
  return {
    kind: 'APIGroupDiscoveryList',
    apiVersion: 'apidiscovery.k8s.io/v2',
    metadata: {},
    items: groups.map(({ name, versions }) => ({
      metadata: name ? { name } : {},
      versions: versions.map(describeVersion),
    })),
  };
}

function describeVersion({ version, resources }: GroupVersion): object {
  return { version, resources: resources.map(describeResource), freshness: 'Current' };
}

function describeResource(resource: Resource): object {
  const { plural, singular, namespaced, verbs, shortNames, categories } = resource;
  const subresources = [...resource.subresources].map(([name, subresource]) => ({
    subresource: name,
    responseKind: responseKind(resource, subresource),
    verbs: subresource.verbs,
  }));
  return {
    resource: plural,
    responseKind: responseKind(resource, resource),
    scope: namespaced ? 'Namespaced' : 'Cluster',
    singularResource: singular,
    verbs,
    ...(shortNames.length > 0 && { shortNames }),
    ...(categories.length > 0 && { categories }),
    ...(subresources.length > 0 && { subresources }),
  };
}

type Named = Pick<Subresource, 'group' | 'version' | 'kind'>;

/** The server leaves the group of its own kinds out where it is that of the list; of custom kinds it does not. */
function responseKind(resource: Resource, { group, version, kind }: Named): Named {
  const isHere = group === resource.group && version === resource.version;
  return isHere && !resource.custom ? { group: '', version: '', kind } : { group, version, kind };
}
