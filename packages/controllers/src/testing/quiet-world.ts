import type { Resource } from '@liqo/api';
import * as testkit from '@liqo/testkit/cluster';
import { controllersIdentity, installRights } from './installation.ts';

/** A quiet world whose client has the rights of the controllers, and no others. */
export function startQuietWorld(
  namespaces: readonly string[],
  kinds: readonly Resource[] = [],
): Promise<testkit.QuietWorld> {
  const grant: testkit.Rights['grant'] = (admin) => installRights(admin, 'rome');
  return testkit.startQuietWorld(namespaces, kinds, { user: controllersIdentity, grant });
}
