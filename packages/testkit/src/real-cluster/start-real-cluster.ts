import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { allOrNone } from './all-or-none.ts';
import { writeClusterCertificates } from './cluster-certificates.ts';
import { ComponentError } from './component-error.ts';
import { startControlPlane } from './control-plane.ts';
import { startHollowNodes } from './hollow/hollow-nodes.ts';
import { startClusterNetwork } from './network/cluster-network.ts';
import { bootNodes, forgeNodes } from './node/boot-nodes.ts';
import { type ClusterPlan, planCluster, type RealClusterOptions } from './plan-cluster.ts';
import { presentCluster, type RunningCluster } from './present-cluster.ts';
import type { RealCluster } from './real-cluster.ts';
import { type Reaper, startReaper } from './reaper.ts';
import { apiServerPort, loopbackSite, networkSite } from './site.ts';

export type { RealClusterOptions } from './plan-cluster.ts';

const admin = { name: 'kubernetes-admin', groups: ['system:masters'] };

/**
 * Starts a cluster, ready to be used: the API server is ready, pods may be created in the namespace `default`, and every
 * node that was asked for is ready to run them. Start as many as memory allows; they share nothing.
 */
export async function startRealCluster(
  options: RealClusterOptions = {},
  signal: AbortSignal = new AbortController().signal,
): Promise<RealCluster> {
  const plan = planCluster(options);
  const folder = join(tmpdir(), `liqo-ts-${plan.name}-${randomBytes(4).toString('hex')}`);
  const reaper = await startReaper(folder);
  try {
    return await presentCluster(await startIn(reaper, plan, signal));
  } catch (error) {
    const lasting = error instanceof ComponentError ? error.keepLog() : error;
    await reaper[Symbol.asyncDispose]();
    throw lasting;
  }
}

async function startIn(
  reaper: Reaper,
  plan: ClusterPlan,
  signal: AbortSignal,
): Promise<RunningCluster> {
  const { name, assets, nodeNames, options } = plan;
  const { folder } = reaper;
  const network = nodeNames.length > 0 ? await startClusterNetwork(folder, signal) : undefined;
  const site = network ? networkSite(network) : loopbackSite(options.choosePort);
  const ca = await writeClusterCertificates(folder, site.hosts);
  const identity = await ca.issueClient(admin);
  const { kubeletConfig = {} } = options;
  const server = `https://${site.address}:${apiServerPort}`;
  const access = { server, ca: ca.certificate, identity };
  const nodePlan = { folder, assets, ca, access, kubeletConfig };
  const nodes = network ? forgeNodes(nodeNames, { ...nodePlan, network }) : [];
  const [plane] = await allOrNone(
    [
      (either) => startControlPlane({ ...plan, folder, site, ca, admin: identity }, either),
      (either) => bootNodes(nodes, folder, either),
    ],
    signal,
  );
  await allOrNone(
    nodes.map((node) => (either: AbortSignal) => node.start(either)),
    signal,
  );
  const hollow = { ...nodePlan, name, access: plane.access, entrance: site.entrance };
  const tainted = nodes.length > 0;
  await startHollowNodes({ ...hollow, count: plan.hollowNodes, tainted }, signal);
  return { name, assets, reaper, ca, plane, nodes, network };
}
