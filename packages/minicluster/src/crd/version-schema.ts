import type { CustomResourceDefinitionVersion } from 'kubernetes-types/apiextensions/v1.d.ts';
import type { TypeSchema } from '../schema/type-schema.ts';

/** The schema of a version in the form of our own types: it is the same JSON. */
export function schemaOf({ schema }: CustomResourceDefinitionVersion): TypeSchema | undefined {
  return schema?.openAPIV3Schema as unknown as TypeSchema | undefined;
}
