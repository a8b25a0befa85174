import { ConfigMap, Secret } from '@liqo/kube';
import { done, type Informer, primary, SharedInformers, silentLogger } from '@liqo/runtime';
import { startTestCluster } from '@liqo/testkit/cluster';
import { delayed, faultOn } from '@liqo/testkit/faults';
import { expect, onTestFinished, test } from 'vitest';
import { ControlLoop } from './control-loop.ts';

const slowMs = 3_000;

/** A loop about Secrets that also looks at ConfigMaps, which are slow to come. */
async function startLoop(look: (loop: ControlLoop) => Pick<Informer<ConfigMap>, 'hasSynced'>) {
  const cluster = await startTestCluster({ namespaces: ['shop'] });
  onTestFinished(() => cluster[Symbol.asyncDispose]());
  const { admin, clock, random, faults } = cluster;
  await admin.create(Secret, { metadata: { namespace: 'shop', name: 'web' } });
  faults.plan = faultOn(({ resource }) => resource === 'configmaps', delayed(slowMs, 0));
  const client = cluster.clientOf('controller');
  const log = silentLogger;
  const loop = new ControlLoop({
    client,
    caches: new SharedInformers({ client, clock, random, log }),
    clusterID: 'rome',
    liqoNamespace: 'liqo',
    clock,
    random,
    log,
    events: { record: () => undefined, [Symbol.asyncDispose]: async () => undefined },
    connectPeer: async () => client,
  });
  const configMaps = look(loop);
  const secrets = loop.watch(Secret);
  const runs: boolean[] = [];
  loop.run({
    name: 'test',
    sources: [primary(secrets)],
    reconcile: async () => {
      runs.push(configMaps.hasSynced);
      return done;
    },
  });
  onTestFinished(() => loop[Symbol.asyncDispose]());
  return { clock, runs };
}

test.each([
  ['it shares', (loop: ControlLoop) => loop.watch(ConfigMap)],
  ['of its own', (loop: ControlLoop) => loop.watchAlone(ConfigMap, {})],
])('ControlLoop does not run before a cache %s is complete', async (_, look) => {
  const { clock, runs } = await startLoop(look);
  await clock.advance(slowMs - 1);
  expect(runs).toEqual([]);
  await clock.advance(slowMs);
  expect(runs).toEqual([true]);
});
