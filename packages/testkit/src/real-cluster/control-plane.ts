import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { printKubeconfig } from '@liqo/kube/node';
import type { CertificateAuthority, KeyPair } from './certificate-authority.ts';
import { forgeClusterKubeconfig } from './cluster-kubeconfig.ts';
import { Component, type ComponentName } from './component.ts';
import { ComponentError } from './component-error.ts';
import {
  apiServerFlags,
  controllerManagerFlags,
  etcdFlags,
  type Flags,
  schedulerFlags,
} from './control-plane-flags.ts';
import { type ApiServerAccess, probeApiServer, probeSocket } from './probe.ts';
import type { Site } from './site.ts';

export interface ControlPlanePlan {
  readonly name: string;
  /** The folder of the programs. */
  readonly assets: string;
  /** The folder of the cluster, with its certificates in it. */
  readonly folder: string;
  readonly site: Site;
  readonly ca: CertificateAuthority;
  readonly admin: KeyPair;
  /** Whether somebody acts on the objects: controller manager and scheduler. */
  readonly controllers: boolean;
  /** By component: added to the stock flags, or put in their place. */
  readonly flags: Partial<Record<ComponentName, Flags>>;
}

export interface ControlPlane {
  /** As the administrator. */
  readonly access: ApiServerAccess;
  readonly components: ReadonlyMap<ComponentName, Component<ComponentName>>;
}

const portAttempts = 5;

export async function startControlPlane(
  plan: ControlPlanePlan,
  signal: AbortSignal,
): Promise<ControlPlane> {
  const etcd = forgeComponent(plan, 'etcd', etcdFlags(plan), () =>
    probeSocket(join(plan.folder, 'etcd.sock'), '/health'),
  );
  await etcd.start(signal);
  const { apiServer, access } = await startApiServer(plan, signal);
  const controllers = plan.controllers ? await forgeControllers(plan, access) : [];
  await startTogether(controllers, signal);
  const components = [etcd, apiServer, ...controllers];
  return { access, components: new Map(components.map((each) => [each.name, each])) };
}

/** A port is only ours once it is bound: when another process got it first, take the next. */
async function startApiServer(plan: ControlPlanePlan, signal: AbortSignal) {
  for (let attempt = 1; ; attempt++) {
    const { site, folder } = plan;
    const port = await site.choosePort();
    const server = `https://${site.address}:${port}`;
    const access = { server, ca: plan.ca.certificate, identity: plan.admin };
    const flags = apiServerFlags({ ...site, folder, port });
    const apiServer = forgeComponent(plan, 'kube-apiserver', flags, async () => {
      await probeApiServer(access, '/readyz');
      await probeApiServer(access, '/api/v1/namespaces/default');
    });
    try {
      await apiServer.start(signal);
      return { apiServer, access };
    } catch (error) {
      if (attempt === portAttempts || !isPortTaken(error)) throw error;
    }
  }
}

function isPortTaken(error: unknown): boolean {
  return error instanceof ComponentError && error.failure.tail.includes('address already in use');
}

/** Neither says of itself that it works, so both are waited for by what the first of them does for every namespace. */
async function forgeControllers(plan: ControlPlanePlan, access: ApiServerAccess) {
  const layout = { folder: plan.folder, podRange: plan.site.podRange };
  const defaultAccount = '/api/v1/namespaces/default/serviceaccounts/default';
  const checkReady = () => probeApiServer(access, defaultAccount);
  await writeKubeconfig(plan, access, 'controller-manager');
  await writeKubeconfig(plan, access, 'scheduler');
  return [
    forgeComponent(plan, 'kube-controller-manager', controllerManagerFlags(layout), checkReady),
    forgeComponent(plan, 'kube-scheduler', schedulerFlags(layout), checkReady),
  ];
}

async function writeKubeconfig(plan: ControlPlanePlan, access: ApiServerAccess, who: string) {
  const identity = await plan.ca.issueClient({ name: `system:kube-${who}`, groups: [] });
  const text = printKubeconfig(forgeClusterKubeconfig(plan.name, { ...access, identity }));
  writeFileSync(join(plan.folder, `${who}.conf`), text);
}

function forgeComponent(
  plan: ControlPlanePlan,
  name: ComponentName,
  stockFlags: Flags,
  checkReady: () => Promise<void>,
): Component<ComponentName> {
  return new Component({
    name,
    command: [...plan.site.entrance, join(plan.assets, name)],
    flags: { ...stockFlags, ...plan.flags[name] },
    folder: plan.folder,
    checkReady,
  });
}

/** When one fails the others are not waited for, and the first failure is the one to be told. */
async function startTogether(components: readonly Component[], signal: AbortSignal) {
  const failure = new AbortController();
  const either = AbortSignal.any([signal, failure.signal]);
  const start = (component: Component) =>
    component.start(either).catch((error) => {
      failure.abort(error);
      throw error;
    });
  await Promise.all(components.map(start));
}
