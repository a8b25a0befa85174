import type { Registry } from '../rest/registry.ts';
import type { Resource } from '../rest/resource.ts';
import { compareVersions } from './compare-versions.ts';

/** One version of a group, and what it serves, by name. */
export interface GroupVersion {
  readonly group: string;
  readonly version: string;
  readonly resources: readonly Resource[];
}

/** A group with its versions, the preferred one first. The core group has no name. */
export interface ApiGroup {
  readonly name: string;
  readonly versions: readonly GroupVersion[];
}

/** Where the server's own groups stand in lists. Those of custom resources follow. */
const ownGroups: readonly string[] = [
  '',
  'apps',
  'events.k8s.io',
  'authentication.k8s.io',
  'authorization.k8s.io',
  'autoscaling',
  'batch',
  'certificates.k8s.io',
  'networking.k8s.io',
  'policy',
  'rbac.authorization.k8s.io',
  'storage.k8s.io',
  'admissionregistration.k8s.io',
  'apiextensions.k8s.io',
  'scheduling.k8s.io',
  'coordination.k8s.io',
  'node.k8s.io',
  'discovery.k8s.io',
];

/** What is served right now. */
export function apiGroups(registry: Registry): readonly ApiGroup[] {
  const groups = grouped(registry.all(), ({ group }) => group);
  return [...groups]
    .map(([name, resources]) => ({ name, versions: versionsOf(name, resources) }))
    .sort((a, b) => placeOf(a.name) - placeOf(b.name) || (a.name < b.name ? -1 : 1));
}

export function groupVersionOf({
  group,
  version,
}: Pick<GroupVersion, 'group' | 'version'>): string {
  return group ? `${group}/${version}` : version;
}

function placeOf(group: string): number {
  const place = ownGroups.indexOf(group);
  return place < 0 ? ownGroups.length : place;
}

function versionsOf(group: string, resources: readonly Resource[]): GroupVersion[] {
  const versions = grouped(resources, ({ version }) => version);
  return [...versions]
    .sort(([a], [b]) => compareVersions(a, b))
    .map(([version, served]) => ({ group, version, resources: served.toSorted(byPlural) }));
}

function grouped(
  resources: readonly Resource[],
  keyOf: (resource: Resource) => string,
): ReadonlyMap<string, readonly Resource[]> {
  const groups = new Map<string, Resource[]>();
  for (const resource of resources) {
    const key = keyOf(resource);
    groups.set(key, [...(groups.get(key) ?? []), resource]);
  }
  return groups;
}

function byPlural(a: Resource, b: Resource): number {
  return a.plural < b.plural ? -1 : 1;
}
