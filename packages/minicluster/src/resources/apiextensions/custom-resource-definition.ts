import { CustomResourceDefinition, type Stored } from '@liqo/kube';
import type { CustomResourceDefinitionSpec } from 'kubernetes-types/apiextensions/v1.d.ts';
import {
  validateDefinition,
  validateDefinitionUpdate,
} from '../../crd/definition/validate-definition.ts';
import { defineResource, partOf } from '../define-resource.ts';
import { changeIn, fillIn } from '../fill-in.ts';

type Crd = CustomResourceDefinition;

export const customResourceDefinitions = defineResource<Crd>({
  kind: CustomResourceDefinition,
  shortNames: ['crd', 'crds'],
  categories: ['api-extensions'],
  subresources: { status: partOf(CustomResourceDefinition) },
  freshStatus: { conditions: null, acceptedNames: { plural: '', kind: '' }, storedVersions: null },
  strategy: {
    withDefaults: (crd: Crd) => ({ ...crd, spec: defaultSpec(crd.spec) }),
    onCreate: withStoredVersion,
    onUpdate: withStoredVersion,
    validate: validateDefinition,
    validateUpdate: (next: Crd, previous: Stored<Crd>) => validateDefinitionUpdate(next, previous),
    requiresVersion: true,
  },
});

function defaultSpec(spec: CustomResourceDefinitionSpec): CustomResourceDefinitionSpec {
  const { kind } = spec.names;
  const names = fillIn(spec.names, {
    ...(kind && { singular: kind.toLowerCase(), listKind: `${kind}List` }),
  });
  const complete = fillIn({ ...spec, names }, { conversion: { strategy: 'None' } });
  return changeIn(complete, 'conversion', (conversion) =>
    changeIn(conversion, 'webhook', (webhook) =>
      changeIn(webhook, 'clientConfig', (config) =>
        changeIn(config, 'service', (service) => fillIn(service, { port: 443 })),
      ),
    ),
  );
}

/** Every version that objects were ever stored in is remembered until somebody says that none is left. */
function withStoredVersion(crd: Crd): Crd {
  const current = crd.spec.versions?.find(({ storage }) => storage)?.name;
  const stored = crd.status?.storedVersions ?? [];
  if (current === undefined || stored.includes(current)) return crd;
  return changeIn(crd, 'status', (status) => ({ ...status, storedVersions: [...stored, current] }));
}
