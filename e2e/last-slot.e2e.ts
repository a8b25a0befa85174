import { Client } from '@liqo/kube';
import { HttpTransport, parseKubeconfig, resolveConnection, selectContext } from '@liqo/kube/node';
import {
  SharedInformers,
  silentLogger,
  startEventRecorder,
  systemClock,
  systemRandom,
} from '@liqo/runtime';
import { FaultyCalls } from '@liqo/testkit/faults';
import { startRealCluster } from '@liqo/testkit/real-cluster';
import { describe } from 'vitest';
import {
  controllersIdentity,
  controllersUser,
  installRights,
  liqoNamespace,
} from '../packages/controllers/src/testing/installation.ts';
import { lastSlotSuite } from '../packages/controllers/src/testing/last-slot-suite.ts';
import {
  type QuotaCluster,
  startQuotaWorld,
} from '../packages/controllers/src/testing/quota-world.ts';
import { installKinds } from '../packages/controllers/src/testing/start-cluster.ts';

/** `QUOTA_ROUNDS=20` for more of them. */
const rounds = Number(process.env.QUOTA_ROUNDS ?? 6);

/**
 * Not the 500 ms between the two of the embedded cluster: with those, one of 14 rounds on a busy machine had 5 pods at a time
 * for 3 slots. That a request of the former leader came late explains it, and is not proven.
 */
const lease = { leaseDurationMs: 4_000, renewDeadlineMs: 1_500 };

const clock = systemClock;
const random = systemRandom;
const log = silentLogger;

/** Real control planes without nodes: the pods are never scheduled, which is all the same to a quota. */
async function startMilan(): Promise<QuotaCluster> {
  const cluster = await startRealCluster({ name: 'milan' });
  const admin = cluster.client;
  await installKinds(admin);
  await installRights(admin, 'milan');
  const calls = new FaultyCalls({ clock });
  const { name, groups = [] } = controllersIdentity;
  const kubeconfig = await cluster.kubeconfigFor({ name, groups: [...groups] });
  const context = selectContext(parseKubeconfig(kubeconfig, 'controllers'), {});
  const connection = await resolveConnection(context, { clock });
  const transport = calls.under(new HttpTransport(connection, clock), controllersUser);
  const client = new Client({ transport, clock, random });
  const reporter = { controller: 'liqo.io/controller-manager', instance: 'test' };
  const events = startEventRecorder({ client, clock, random, log, reporter });
  return {
    client: admin,
    calls,
    context: {
      client,
      caches: new SharedInformers({ client, clock, random, log }),
      clusterID: 'milan',
      liqoNamespace,
      clock,
      random,
      log,
      events,
      connectPeer: () => Promise.reject(new Error('Cannot connect: there is no peer')),
    },
    async [Symbol.asyncDispose]() {
      await events[Symbol.asyncDispose]();
      await client[Symbol.asyncDispose]();
      await cluster[Symbol.asyncDispose]();
    },
  };
}

describe('on a real Kubernetes', () => {
  lastSlotSuite(() => startQuotaWorld(startMilan), { rounds, lease });
});
