import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Minicluster } from '@liqo/minicluster';
import { embeddedKubernetes } from '@liqo/playground';
import { systemClock, systemRandom } from '@liqo/runtime';
import type { Surroundings } from '../surroundings.ts';
import { type Outcome, runHere } from './run-here.ts';

/** Two clusters with Liqo in them that do not know each other. */
export interface PeeringWorld extends AsyncDisposable {
  readonly rome: Minicluster;
  readonly milan: Minicluster;
  /** Writes a file, and gives its path. */
  readonly file: (name: string, text: string) => Promise<string>;
  /** liqoctl as an administrator of rome, or of milan. */
  readonly atRome: (line: string, options?: Partial<Surroundings>) => Promise<Outcome>;
  readonly atMilan: (line: string, options?: Partial<Surroundings>) => Promise<Outcome>;
  /** liqoctl as an administrator of both: rome is local, milan is remote. */
  readonly atBoth: (line: string, options?: Partial<Surroundings>) => Promise<Outcome>;
}

export async function startPeeringWorld(): Promise<PeeringWorld> {
  const kubernetes = await embeddedKubernetes({ clock: systemClock, random: systemRandom });
  const start = async (name: string) => {
    const cluster = await kubernetes.startCluster(name);
    await kubernetes.install(cluster);
    return cluster;
  };
  const [rome, milan] = await Promise.all([start('rome'), start('milan')]);
  const folder = await mkdtemp(join(tmpdir(), 'liqoctl-'));
  const at = (kubeconfig: string, more = '') => {
    return (line: string, options: Partial<Surroundings> = {}) =>
      runHere(`${line}${more}`.split(' '), { ...options, env: { KUBECONFIG: kubeconfig } });
  };
  return {
    rome,
    milan,
    file: async (name, text) => {
      const path = join(folder, name);
      await writeFile(path, text);
      return path;
    },
    atRome: at(rome.kubeconfig),
    atMilan: at(milan.kubeconfig),
    atBoth: at(rome.kubeconfig, ` --remote-kubeconfig ${milan.kubeconfig}`),
    [Symbol.asyncDispose]: async () => {
      await Promise.all([rome, milan].map((cluster) => cluster[Symbol.asyncDispose]()));
      await rm(folder, { recursive: true });
    },
  };
}
