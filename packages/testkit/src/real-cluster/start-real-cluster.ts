import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectKubeconfig, printKubeconfig } from '@liqo/kube/node';
import { systemClock, systemRandom } from '@liqo/runtime';
import { findAssets } from './assets-folder.ts';
import type { CertificateAuthority } from './certificate-authority.ts';
import { writeClusterCertificates } from './cluster-certificates.ts';
import { forgeClusterKubeconfig } from './cluster-kubeconfig.ts';
import type { Component, ComponentName } from './component.ts';
import { ComponentError } from './component-error.ts';
import { type ControlPlane, startControlPlane } from './control-plane.ts';
import { apiServerHosts, type Flags } from './control-plane-flags.ts';
import { chooseFreePort } from './free-port.ts';
import type { RealCluster } from './real-cluster.ts';
import { type Reaper, startReaper } from './reaper.ts';

export interface RealClusterOptions {
  /** A DNS label: in the names of folder, kubeconfig context and user. */
  readonly name?: string;
  /** `api-only` is etcd and the API server: quicker, but nobody acts on the objects. */
  readonly components?: 'control-plane' | 'api-only';
  /** Added to the stock flags, or put in their place: `{ 'goaway-chance': '0.02' }`. */
  readonly apiServerFlags?: Flags;
  readonly controllerManagerFlags?: Flags;
  /** Where the port of the API server comes from; asked again when somebody else was quicker to take it. */
  readonly choosePort?: () => Promise<number>;
}

const address = '127.0.0.1';
const admin = { name: 'kubernetes-admin', groups: ['system:masters'] };
const apiPrograms = ['etcd', 'kube-apiserver', 'kubectl'];
const controllerPrograms = ['kube-controller-manager', 'kube-scheduler'];

/**
 * Starts a control plane, ready to be used: the API server is ready, and pods may be created in the namespace `default`.
 * Start as many as memory allows; they share nothing.
 */
export async function startRealCluster(
  options: RealClusterOptions = {},
  signal: AbortSignal = new AbortController().signal,
): Promise<RealCluster> {
  const name = checkName(options.name ?? 'kubernetes');
  const controllers = options.components !== 'api-only';
  const programs = controllers ? [...apiPrograms, ...controllerPrograms] : apiPrograms;
  const assets = findAssets(programs, process.env);
  const reaper = await startReaper(
    join(tmpdir(), `liqo-ts-${name}-${randomBytes(4).toString('hex')}`),
  );
  try {
    const { folder } = reaper;
    const ca = await writeClusterCertificates(folder, [...apiServerHosts, address]);
    const plane = await startControlPlane(
      {
        name,
        assets,
        folder,
        address,
        choosePort: options.choosePort ?? (() => chooseFreePort(address)),
        ca,
        admin: await ca.issueClient(admin),
        controllers,
        flags: chooseFlags(options),
      },
      signal,
    );
    return await present({ name, assets, reaper, ca, plane });
  } catch (error) {
    const lasting = error instanceof ComponentError ? error.keepLog() : error;
    await reaper[Symbol.asyncDispose]();
    throw lasting;
  }
}

function checkName(name: string): string {
  if (/^[a-z0-9]([a-z0-9-]{0,30}[a-z0-9])?$/.test(name)) return name;
  throw new Error(
    `Cannot start cluster "${name}": a name is at most 32 lower-case letters, digits and inner dashes`,
  );
}

function chooseFlags(options: RealClusterOptions): Partial<Record<ComponentName, Flags>> {
  // Without the controller that makes service accounts, their admission would refuse every pod.
  const admission: Flags =
    options.components === 'api-only' ? { 'disable-admission-plugins': 'ServiceAccount' } : {};
  return {
    'kube-apiserver': { ...admission, ...options.apiServerFlags },
    'kube-controller-manager': options.controllerManagerFlags ?? {},
  };
}

interface RunningCluster {
  readonly name: string;
  readonly assets: string;
  readonly reaper: Reaper;
  readonly ca: CertificateAuthority;
  readonly plane: ControlPlane;
}

async function present(cluster: RunningCluster): Promise<RealCluster> {
  const { name, assets, reaper, ca, plane } = cluster;
  const config = forgeClusterKubeconfig(name, plane.access);
  const kubeconfig = join(reaper.folder, 'kubeconfig');
  writeFileSync(kubeconfig, printKubeconfig(config));
  const client = await connectKubeconfig(config, {
    clock: systemClock,
    random: systemRandom,
    fieldManager: 'testkit',
  });
  const component = (wanted: ComponentName) => findComponent(cluster, wanted);
  return {
    name,
    server: plane.access.server,
    kubeconfig,
    kubeconfigText: printKubeconfig(config),
    client,
    folder: reaper.folder,
    assets,
    component,
    kubeconfigFor: async (user) => {
      const identity = await ca.issueClient(user);
      return printKubeconfig(forgeClusterKubeconfig(name, { ...plane.access, identity }));
    },
    restartApiServer: async () => {
      await component('kube-apiserver').stop();
      await component('kube-apiserver').start();
    },
    [Symbol.asyncDispose]: async () => {
      try {
        await client[Symbol.asyncDispose]();
      } finally {
        await reaper[Symbol.asyncDispose]();
      }
    },
  };
}

function findComponent({ name, plane }: RunningCluster, wanted: ComponentName): Component {
  const found = plane.components.get(wanted);
  if (found) return found;
  throw new Error(`Cannot find ${wanted}: cluster "${name}" was started without it`);
}
