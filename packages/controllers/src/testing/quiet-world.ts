import type { Resource } from '@liqo/api';
import * as testkit from '@liqo/testkit/cluster';
import { controllersIdentity, grantTenantAccess, installRights } from './installation.ts';

/** A quiet world whose client has the rights of the controllers, and no others. */
export function startQuietWorld(
  namespaces: readonly string[],
  kinds: readonly Resource[] = [],
): Promise<testkit.QuietWorld> {
  const grant: testkit.Rights['grant'] = async (admin) => {
    await installRights(admin, 'rome');
    for (const namespace of namespaces.filter((name) => name.startsWith('liqo-tenant-'))) {
      await grantTenantAccess(admin, namespace);
    }
  };
  return testkit.startQuietWorld(namespaces, kinds, { user: controllersIdentity, grant });
}
