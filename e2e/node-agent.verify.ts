import { readFileSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { connectKubeconfig, parseKubeconfig } from '@liqo/kube/node';
import { systemClock, systemRandom } from '@liqo/runtime';
import { connectSubject, nodeAgent, type SubjectWithUsers } from '@liqo/testkit/cluster';
import { createCertificateAuthority } from '@liqo/testkit/faults';
import { type RealCluster, startRealCluster } from '@liqo/testkit/real-cluster';
import { afterAll, beforeAll, describe } from 'vitest';
import { startNode } from '../packages/minicluster/src/node/start-node.ts';

const surroundings = { clock: systemClock, random: systemRandom };
const name = 'worker';

/** A real API server passes nothing on to loopback. */
const address = Object.values(networkInterfaces())
  .flat()
  .find((one) => one && !one.internal && one.family === 'IPv4')?.address;

describe('a real Kubernetes with a node of minicluster', () => {
  const started: AsyncDisposable[] = [];
  const keep = <T extends AsyncDisposable>(one: T): T => {
    started.unshift(one);
    return one;
  };
  let subject: SubjectWithUsers;

  beforeAll(async () => {
    const cluster = keep(await startRealCluster({}));
    const client = keep(await connectAsNode(cluster));
    const authority = await createCertificateAuthority(name);
    const host = address ?? '127.0.0.1';
    const pair = await authority.issueServer(name, [host]);
    const clientCa = readFileSync(join(cluster.folder, 'pki/ca.crt'), 'utf8');
    const serving = { ...pair, clientCa };
    keep(await startNode({ ...surroundings, client, name, address: host, serving }));
    const forgetHistory = async () => undefined;
    subject = await connectSubject(cluster, { ...surroundings, forgetHistory });
    keep(subject.client);
  });
  afterAll(async () => {
    for (const one of started) await one[Symbol.asyncDispose]();
  });

  nodeAgent(() => ({ ...subject, nodeName: name }));
});

/** With the rights of a kubelet, and no others. */
async function connectAsNode(cluster: RealCluster) {
  const user = { name: `system:node:${name}`, groups: ['system:nodes'] };
  const config = parseKubeconfig(await cluster.kubeconfigFor(user), 'kubeconfig');
  return connectKubeconfig(config, surroundings);
}
