import type { CustomResourceDefinition } from '@liqo/kube';
import type { Resource } from '../../rest/resource.ts';
import { validateDefinition, validateDefinitionUpdate } from './validate-definition.ts';

/** The built-in resource of CustomResourceDefinitions, with checks that read their schemas and rules. */
export function withDefinitionRules(resource: Resource): Resource {
  return {
    ...resource,
    strategy: {
      ...resource.strategy,
      validate: (object) => validateDefinition(object as CustomResourceDefinition),
      validateUpdate: (next, previous) =>
        validateDefinitionUpdate(
          next as CustomResourceDefinition,
          previous as CustomResourceDefinition,
        ),
    },
  };
}
