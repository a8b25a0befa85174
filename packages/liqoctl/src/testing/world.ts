import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Minicluster } from '@liqo/minicluster';
import { createKubeconfig, embeddedKubernetes, startWorld as startPeers } from '@liqo/playground';
import { systemClock, systemRandom } from '@liqo/runtime';
import { type Outcome, runHere } from './run-here.ts';

/** Two clusters with Liqo in them that know each other, and a folder for kubeconfigs. */
export interface World extends AsyncDisposable {
  readonly rome: Minicluster;
  readonly milan: Minicluster;
  /** Writes a file into the folder, and gives its path. */
  readonly file: (name: string, text: string) => Promise<string>;
  /** liqoctl as an administrator of rome. */
  readonly liqoctl: (...args: string[]) => Promise<Outcome>;
}

export async function startWorld(): Promise<World> {
  const kubernetes = await embeddedKubernetes({ clock: systemClock, random: systemRandom });
  const peers = await startPeers({
    kubernetes,
    consumer: 'rome',
    providers: ['milan'],
    byHand: true,
  });
  const [rome, milan] = [peers.cluster('rome'), peers.cluster('milan')];
  await createKubeconfig(rome, milan, { name: 'way-to-milan', user: 'mypool-rome' });
  const folder = await mkdtemp(join(tmpdir(), 'liqoctl-'));
  return {
    rome,
    milan,
    file: async (name, text) => {
      const path = join(folder, name);
      await writeFile(path, text);
      return path;
    },
    liqoctl: (...args) => runHere(args, { env: { KUBECONFIG: rome.kubeconfig } }),
    [Symbol.asyncDispose]: async () => {
      await peers[Symbol.asyncDispose]();
      await rm(folder, { recursive: true });
    },
  };
}
