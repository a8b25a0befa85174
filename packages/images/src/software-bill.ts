/** A package of others, as it is in the lock file. */
export interface ContainedPackage {
  readonly name: string;
  readonly version: string;
  readonly license: string;
}

export interface SoftwareBill {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly contains: readonly ContainedPackage[];
}

/**
 * What a program contains, as a document of SPDX 2.3 in JSON. The same content gives the same bytes: the time of creation is
 * always the same, and the namespace is a name and a version.
 */
export function forgeSoftwareBill({ name, version, license, contains }: SoftwareBill): string {
  const root = describePackage({ name, version, license });
  const parts = contains.toSorted((a, b) => compare(a.name, b.name)).map(describePackage);
  const document = {
    spdxVersion: 'SPDX-2.3',
    dataLicense: 'CC0-1.0',
    SPDXID: 'SPDXRef-DOCUMENT',
    name: `${name}-${version}`,
    documentNamespace: `urn:spdx:${name}:${version}`,
    creationInfo: { created: '1970-01-01T00:00:00Z', creators: ['Tool: liqo-ts'] },
    packages: [root, ...parts],
    relationships: [
      relate('SPDXRef-DOCUMENT', 'DESCRIBES', root.SPDXID),
      ...parts.map(({ SPDXID }) => relate(root.SPDXID, 'CONTAINS', SPDXID)),
    ],
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

function describePackage({ name, version, license }: ContainedPackage) {
  return {
    SPDXID: `SPDXRef-Package-${name.replaceAll(/[^A-Za-z0-9.-]/g, '-')}-${version}`,
    name,
    versionInfo: version,
    downloadLocation: 'NOASSERTION',
    filesAnalyzed: false,
    licenseConcluded: 'NOASSERTION',
    licenseDeclared: license || 'NOASSERTION',
    copyrightText: 'NOASSERTION',
  };
}

function relate(spdxElementId: string, relationshipType: string, relatedSpdxElement: string) {
  return { spdxElementId, relationshipType, relatedSpdxElement };
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
