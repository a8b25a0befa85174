import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { printKubeconfig } from '@liqo/kube/node';
import type { CertificateAuthority } from '../certificate-authority.ts';
import { forgeClusterKubeconfig } from '../cluster-kubeconfig.ts';
import { Component } from '../component.ts';
import { isNodeReady } from '../node/is-node-ready.ts';
import { type ApiServerAccess, createOnApiServer, readApiServer } from '../probe.ts';
import { forgeHollowNode, hollowLabel } from './forge-hollow-node.ts';

export interface HollowPlan {
  /** Of the cluster. */
  readonly name: string;
  readonly count: number;
  readonly folder: string;
  readonly assets: string;
  readonly access: ApiServerAccess;
  readonly ca: CertificateAuthority;
  /** Whether pods come here only when they say that they do not mind. */
  readonly tainted: boolean;
  readonly entrance: readonly string[];
}

/** What becomes of nodes and pods, in the folder of the programs; without it nothing does. */
const stages = ['node', 'node-heartbeat-with-lease', 'pod-fast'].map(
  (stage) => `kwok-stages/${stage}.yaml`,
);

export const hollowPrograms: readonly string[] = ['kwok', ...stages];

const createdAtOnce = 20;

/** Nodes that say of every pod that it runs, without running it: as many as the API server can bear. */
export async function startHollowNodes(plan: HollowPlan, signal: AbortSignal): Promise<void> {
  if (plan.count === 0) return;
  await writeKubeconfig(plan);
  await createNodes(plan, signal);
  await forgeKwok(plan).start(signal);
}

async function writeKubeconfig({ name, folder, access, ca }: HollowPlan): Promise<void> {
  const identity = await ca.issueClient({ name: 'kwok', groups: ['system:masters'] });
  const text = printKubeconfig(forgeClusterKubeconfig(name, { ...access, identity }));
  writeFileSync(join(folder, 'kwok.conf'), text);
}

async function createNodes(plan: HollowPlan, signal: AbortSignal): Promise<void> {
  let made = 0;
  const createSome = async () => {
    while (made < plan.count) {
      const node = forgeHollowNode(`${plan.name}-hollow-${++made}`, plan.tainted);
      await createOnApiServer(plan.access, '/api/v1/nodes', node, signal);
    }
  };
  await Promise.all(Array.from({ length: createdAtOnce }, createSome));
}

function forgeKwok(plan: HollowPlan): Component {
  const { assets, folder, entrance } = plan;
  return new Component({
    name: 'kwok',
    command: [...entrance, join(assets, 'kwok')],
    flags: {
      // More than any number of pods needs, and used by nobody else.
      cidr: '100.64.0.0/10',
      config: stages.map((stage) => join(assets, stage)).join(','),
      kubeconfig: join(folder, 'kwok.conf'),
      'manage-nodes-with-label-selector': hollowLabel,
      'node-lease-duration-seconds': '40',
    },
    folder,
    checkReady: () => expectAllReady(plan),
  });
}

async function expectAllReady({ access, count }: HollowPlan): Promise<void> {
  const path = `/api/v1/nodes?resourceVersion=0&labelSelector=${encodeURIComponent(hollowLabel)}`;
  const { items } = (await readApiServer(access, path)) as { readonly items: readonly object[] };
  const ready = items.filter(isNodeReady).length;
  if (ready < count) throw new Error(`${ready} of ${count} nodes are ready`);
}
