import { ServiceAccount } from '@liqo/kube';
import type { ObjectReference } from 'kubernetes-types/core/v1.d.ts';
import { nameColumn } from '../../rest/table.ts';
import { defineResource } from '../define-resource.ts';
import { changeEach } from '../fill-in.ts';
import { ageColumn } from '../printing/columns.ts';

export const serviceAccounts = defineResource<ServiceAccount>({
  kind: ServiceAccount,
  shortNames: ['sa'],
  subresources: {
    token: {
      kind: 'TokenRequest',
      group: 'authentication.k8s.io',
      version: 'v1',
      verbs: ['create'],
    },
  },
  columns: [nameColumn, ageColumn],
  strategy: {
    generation: 'none',
    onCreate: withBareReferences,
    onUpdate: withBareReferences,
    returnsDeleted: true,
  },
});

/** Of the secrets only the names count: they are in the same namespace. */
function withBareReferences(account: ServiceAccount): ServiceAccount {
  return changeEach(account, 'secrets', ({ name }: ObjectReference): ObjectReference => {
    return name ? { name } : {};
  });
}
