import { join } from 'node:path';
import { assetsFolder } from '@liqo/testkit/real-cluster';

/** Where `npm run kubernetes` puts kubectl, whether or not it has been run. */
export function builtKubectl(env: Readonly<Record<string, string | undefined>>): string {
  return join(env.KUBEBUILDER_ASSETS || assetsFolder(env), 'kubectl');
}
