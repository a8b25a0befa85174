import { VirtualNode } from '@liqo/api';
import { Deployment } from '@liqo/kube';
import { together } from '@liqo/runtime';
import { isWrite } from '@liqo/testkit/faults';
import { expect, test } from 'vitest';
import { drawConsumer, OfferWorld } from '../testing/offers/offer-world.ts';
import { startVirtualNodeController } from '../virtual-nodes/virtual-node-controller.ts';
import { startOfferController } from './offer-controller.ts';
import { startOfferKeepalive } from './offer-keepalive.ts';

const providers = Array.from({ length: 50 }, (_, index) => `p${String(index).padStart(2, '0')}`);
const refreshMs = 10 * 60_000;

const settledWithinMs = 5_000;

/** Not the time of a clock: other tests have the processor, too. */
function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

test('50 offers under a maximum of 20 that is raised to 40 are settled in 5 s, and cause at most 0.02 writes/s each at rest', async () => {
  await using world = await OfferWorld.start({
    from: await drawConsumer(providers),
    operator: (context) =>
      together([
        startOfferController(context),
        startOfferKeepalive(context),
        startVirtualNodeController(context, { drainTimeoutMs: 60_000 }),
      ]),
  });
  const count = async () => {
    const phases = await Promise.all(providers.map((provider) => world.phase(provider)));
    const { items: nodes } = await world.admin.list(VirtualNode);
    const { items: kubelets } = await world.admin.list(Deployment);
    const accepted = phases.filter((phase) => phase === 'Accepted').length;
    return [accepted, nodes.length, kubelets.length];
  };
  await world.configure({ maxAcceptableAdvertisements: 20 });
  for (const provider of providers) await world.lend(provider);
  await Promise.all(providers.map((provider) => world.publish(provider)));
  await world.pass(settledWithinMs);
  expect(await count()).toEqual([20, 20, 20]);

  const startedMs = processorMs();
  await world.configure({ maxAcceptableAdvertisements: 40 });
  const waitedMs = 1_000;
  await world.pass(waitedMs);
  expect(waitedMs + processorMs() - startedMs).toBeLessThan(settledWithinMs);
  expect(await count()).toEqual([40, 40, 40]);

  await world.pass(60_000);
  const before = world.faults.calls.filter(isWrite).length;
  for (const provider of providers) await world.refresh(provider);
  await world.pass(refreshMs - providers.length * 100);
  // Those of the provider for its refreshes count, too.
  const writes = world.faults.calls.filter(isWrite).length - before + providers.length;
  expect(writes / (refreshMs / 1_000) / providers.length).toBeLessThanOrEqual(0.02);
});
