import { createHash } from 'node:crypto';
import type { Resource, Subresource } from '../rest/resource.ts';
import { type ApiGroup, type GroupVersion, groupVersionOf } from './group-versions.ts';

/** The documents of discovery in their old form: one for each group and each of its versions. */

export function apiVersions(groups: readonly ApiGroup[], serverAddress: string): object {
  const core = groups.find(({ name }) => name === '');
  return {
    kind: 'APIVersions',
    versions: (core?.versions ?? []).map(({ version }) => version),
    serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress }],
  };
}

export function apiGroupList(groups: readonly ApiGroup[]): object {
  const named = groups.filter(({ name }) => name !== '');
  return { kind: 'APIGroupList', apiVersion: 'v1', groups: named.map(describeGroup) };
}

export function apiGroup(group: ApiGroup): object {
  return { kind: 'APIGroup', apiVersion: 'v1', ...describeGroup(group) };
}

function describeGroup({ name, versions }: ApiGroup): object {
  const described = versions.map((one) => ({
    groupVersion: groupVersionOf(one),
    version: one.version,
  }));
  return { name, versions: described, preferredVersion: described[0] };
}

export function apiResourceList(served: GroupVersion): object {
  const resources = served.resources.flatMap((resource) => [
    describeResource(resource),
    ...[...resource.subresources].map(([name, subresource]) =>
      describeSubresource(resource, name, subresource),
    ),
  ]);
  return {
    kind: 'APIResourceList',
    // The list of the core group was there before lists had versions.
    ...(served.group && { apiVersion: 'v1' }),
    groupVersion: groupVersionOf(served),
    resources,
  };
}

function describeResource(resource: Resource): object {
  const { plural, singular, namespaced, kind, verbs, shortNames, categories } = resource;
  return {
    name: plural,
    singularName: singular,
    namespaced,
    kind,
    verbs,
    ...(shortNames.length > 0 && { shortNames }),
    ...(categories.length > 0 && { categories }),
    ...(verbs.includes('get') && { storageVersionHash: storageHash(resource) }),
  };
}

/** Kinds that the server still stores in an earlier version than any it serves. */
const storedVersions: Readonly<Record<string, string>> = { CustomResourceDefinition: 'v1beta1' };

/** Tells clients when objects begin to be stored in another version. */
function storageHash({ viewOf, group, version, kind }: Resource): string {
  const stored = `${viewOf?.group ?? group}/${storedVersions[kind] ?? version}/${kind}`;
  return createHash('sha256').update(stored).digest().subarray(0, 8).toString('base64');
}

function describeSubresource(resource: Resource, name: string, subresource: Subresource): object {
  const { kind, group, version, verbs } = subresource;
  const isElsewhere = group !== resource.group || version !== resource.version;
  return {
    name: `${resource.plural}/${name}`,
    singularName: '',
    namespaced: resource.namespaced,
    ...(isElsewhere && { group, version }),
    kind,
    verbs,
  };
}
