import type {
  CustomResourceDefinition,
  CustomResourceDefinitionVersion,
} from 'kubernetes-types/apiextensions/v1.d.ts';
import type { Resource, ResourceDefinition } from './resource.ts';
import { type StructuralSchema, withFieldDefaults } from './schema.ts';

/** The object that teaches an API server one of our kinds. */
export function forgeCustomResourceDefinition(resource: Resource): CustomResourceDefinition {
  const { group, kind, plural, namespaced, definition } = resource;
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      names: {
        kind,
        listKind: `${kind}List`,
        plural,
        singular: kind.toLowerCase(),
        ...(definition.shortNames.length > 0 && { shortNames: [...definition.shortNames] }),
        categories: ['liqo'],
      },
      scope: namespaced ? 'Namespaced' : 'Cluster',
      versions: [forgeVersion(resource.version, definition)],
    },
  };
}

function forgeVersion(
  name: string,
  definition: ResourceDefinition,
): CustomResourceDefinitionVersion {
  const { columns, status } = definition;
  return {
    name,
    served: true,
    storage: true,
    ...(columns.length > 0 && { additionalPrinterColumns: [...columns] }),
    ...(status && { subresources: { status: {} } }),
    schema: { openAPIV3Schema: forgeObjectSchema(definition) },
  };
}

/** A spec that may be empty is filled in when a manifest has none; one with mandatory fields must be there. */
function forgeObjectSchema({ description, spec, status }: ResourceDefinition): StructuralSchema {
  const mayBeEmpty = spec.required === undefined;
  return {
    type: 'object',
    description,
    ...(!mayBeEmpty && { required: ['spec'] }),
    properties: {
      apiVersion: { type: 'string' },
      kind: { type: 'string' },
      metadata: { type: 'object' },
      spec: mayBeEmpty ? withFieldDefaults(spec) : spec,
      ...(status && { status }),
    },
  };
}
