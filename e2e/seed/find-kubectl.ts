import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { assetsFolder } from '@liqo/testkit/real-cluster';

/** The kubectl that `npm run kubernetes` has built, or else the one on the PATH; undefined where there is none. */
export function findKubectl(env: NodeJS.ProcessEnv = process.env): string | undefined {
  const built = env.KUBEBUILDER_ASSETS || assetsFolder(env);
  const folders = [built, ...(env.PATH ?? '').split(delimiter)];
  return folders.map((folder) => join(folder, 'kubectl')).find(isProgram);
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
