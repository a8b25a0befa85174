import { Advertisement, advertisementName, ClusterConfig, labels, VirtualNode } from '@liqo/api';
import { mergePatch, Namespace, Secret, type Stored } from '@liqo/kube';
import { forgeTenantNamespace, isOfOffer, judgeOffers } from '@liqo/model';
import type { Stoppable } from '@liqo/runtime';
import { seededRandom } from '@liqo/testkit';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startTenantAccessController } from '../tenant-access/tenant-access-controller.ts';
import { type ConsumerWorld, startConsumerWorld } from '../testing/consumer-world.ts';
import { startOfferController } from './offer-controller.ts';

type Offer = Stored<Advertisement>;
type Ingoing = ClusterConfig['spec']['advertisementConfig']['ingoingConfig'];

const steps = Number(process.env.RANDOM_OFFER_STEPS ?? 60);
const seed = Number(process.env.RANDOM_OFFER_SEED ?? 1);
const providers = ['p1', 'p2', 'p3', 'p4', 'p5', 'p6'];
const configuration = { name: 'configuration' };

let world: ConsumerWorld;
let running: Stoppable[] = [];

beforeEach(async () => {
  world = await startConsumerWorld();
  for (const provider of providers) {
    await admin().create(Namespace, forgeTenantNamespace(provider));
    const marks = { [labels.remoteClusterID]: provider };
    await admin().create(Secret, {
      metadata: { namespace: `liqo-tenant-${provider}`, name: 'kubeconfig-offer', labels: marks },
      data: { kubeconfig: Buffer.from('clusters:').toString('base64') },
    });
  }
  start();
  await world.pass(2_000);
});

afterEach(async () => {
  await stop();
  await world[Symbol.asyncDispose]();
});

const admin = () => world.rome.admin;
const keyOf = (provider: string) => ({
  namespace: `liqo-tenant-${provider}`,
  name: advertisementName(provider),
});

function start(): void {
  const connectPeer = async () => world.rome.clientOf('peer');
  const context = { ...world.context, connectPeer };
  running = [startTenantAccessController(context), startOfferController(context)];
}

async function stop(): Promise<void> {
  for (const part of running) await part[Symbol.asyncDispose]();
  running = [];
}

function times(validMs: number) {
  const now = world.rome.clock.now();
  return {
    timestamp: new Date(now).toISOString(),
    timeToLive: new Date(now + validMs).toISOString(),
  };
}

/** What may happen to one provider, or to all of them. */
function actionsOn(provider: string, pick: <T>(values: readonly T[]) => T) {
  const key = keyOf(provider);
  const validMs = pick([60_000, 10 * 60_000, 60 * 60_000]);
  const patchSpec = async (spec: object) => {
    if (await admin().get(Advertisement, key)) {
      await admin().patch(Advertisement, key, mergePatch({ spec } as never));
    }
  };
  return {
    async offer() {
      if (await admin().get(Advertisement, key)) return;
      await admin().create(Advertisement, {
        metadata: key,
        spec: {
          providerClusterID: provider,
          consumerClusterID: pick(['rome', 'rome', 'rome', 'oslo']),
          resourceQuota: { hard: { cpu: pick(['1', '4']) } },
          kubeConfigRef: { name: 'kubeconfig-offer' },
          ...times(validMs),
        },
      });
    },
    refresh: () =>
      patchSpec({ ...times(validMs), resourceQuota: { hard: { cpu: pick(['1', '2', '8']) } } }),
    spoil: () => patchSpec({ ...times(validMs), resourceQuota: { hard: { 'no name!': '1' } } }),
    withdraw: () => patchSpec({ withdrawalTimestamp: times(0).timestamp }),
    async remove() {
      if (await admin().get(Advertisement, key)) await admin().delete(Advertisement, key);
    },
    async decide() {
      if (!(await admin().get(Advertisement, key))) return;
      const value = pick(['Accepted', 'Pending', 'Refused']);
      const decision = { value, source: 'Manual', reason: null, time: null };
      const patch = mergePatch({ status: { decision } } as never);
      await admin().patch(Advertisement, key, patch, { subresource: 'status' });
    },
    async removeNode() {
      const { items } = await admin().list(VirtualNode, { namespace: key.namespace });
      for (const { metadata } of items) {
        await admin().delete(VirtualNode, { namespace: key.namespace, name: metadata.name });
      }
    },
    async configure() {
      const ingoingConfig = {
        acceptPolicy: pick(['AutoAcceptMax', 'AutoAcceptMax', 'ManualAccept']),
        maxAcceptableAdvertisements: pick([0, 1, 2, 3, 5]),
        deniedClusterIDs: pick([[], [], ['p1'], ['p2', 'p3']]),
      };
      const spec = { advertisementConfig: { ingoingConfig } } as ClusterConfig['spec'];
      if (await admin().get(ClusterConfig, configuration)) {
        await admin().patch(ClusterConfig, configuration, mergePatch({ spec } as never));
      } else {
        await admin().create(ClusterConfig, { metadata: configuration, spec });
      }
    },
    async unconfigure() {
      if (await admin().get(ClusterConfig, configuration)) {
        await admin().delete(ClusterConfig, configuration);
      }
    },
    async restart() {
      await stop();
      start();
    },
    wait: () => world.pass(pick([30_000, 5 * 60_000, 15 * 60_000])),
  };
}

async function read() {
  const { items: offers } = await admin().list(Advertisement);
  const { items: nodes } = await admin().list(VirtualNode);
  const config = await admin().get(ClusterConfig, configuration);
  return { offers, nodes, ingoing: config?.spec.advertisementConfig.ingoingConfig };
}

const isAccepted = ({ status }: Offer) => status?.phase === 'Accepted';
const isByPolicy = (offer: Offer) =>
  isAccepted(offer) && offer.status?.decision?.source === 'Policy';

/** What the decision function says of all offers, once nothing happens any more. */
function expectDecided(offers: readonly Offer[], config: Ingoing | undefined): void {
  const verdicts = judgeOffers(offers, {
    config,
    placeOf: () => ({ ownClusterID: 'rome', misplaced: undefined }),
  });
  for (const offer of offers) {
    const { value, reason } = verdicts.get(offer.metadata.uid) ?? {};
    const { decision, phase } = offer.status ?? {};
    expect({ name: offer.metadata.name, phase, reason: decision?.reason }).toEqual({
      name: offer.metadata.name,
      phase: value,
      reason,
    });
  }
}

function expectNodes(offers: readonly Offer[], nodes: readonly Stored<VirtualNode>[]): void {
  const wanted = offers.filter(
    (offer) => isAccepted(offer) && offer.spec.withdrawalTimestamp === undefined,
  );
  const withNode = wanted.filter((offer) => nodes.some((node) => isOfOffer(node, offer)));
  const without = wanted.filter(
    (offer) => !withNode.includes(offer) && !('no name!' in (offer.spec.resourceQuota.hard ?? {})),
  );
  expect(without.map(({ metadata }) => metadata.name)).toEqual([]);
  const orphans = nodes.filter((node) => !wanted.some((offer) => isOfOffer(node, offer)));
  expect(orphans.map(({ metadata }) => metadata.name)).toEqual([]);
}

test(`offers are decided as the decision function says, whatever happens (seed ${seed}, ${steps} steps)`, async () => {
  const random = seededRandom(seed);
  const pick = <T>(values: readonly T[]) => values[Math.floor(random() * values.length)] as T;
  const names = [
    ...['offer', 'offer', 'offer', 'refresh', 'refresh', 'spoil', 'withdraw', 'remove'],
    ...['decide', 'removeNode', 'configure', 'configure', 'unconfigure', 'restart', 'wait'],
  ] as (keyof ReturnType<typeof actionsOn>)[];
  const history: string[] = [];
  let before: readonly Offer[] = [];
  try {
    for (let step = 0; step < steps; step++) {
      const [name, provider] = [pick(names), pick(providers)];
      history.push(`${name} ${provider}`);
      await actionsOn(provider, pick)[name]();
      await world.pass(12_000);
      const { offers, nodes, ingoing } = await read();
      expectDecided(offers, ingoing);
      expectNodes(offers, nodes);
      const known = new Set(before.filter(isAccepted).map(({ metadata }) => metadata.uid));
      const isNew = ({ metadata }: Offer) => !known.has(metadata.uid);
      const accepted = offers.filter(isByPolicy);
      if (accepted.some(isNew)) {
        const places = offers.filter(
          (offer) => isAccepted(offer) && offer.spec.withdrawalTimestamp === undefined,
        );
        expect(places.length).toBeLessThanOrEqual(ingoing?.maxAcceptableAdvertisements ?? 0);
      }
      before = offers;
    }
  } catch (error) {
    throw new Error(`After ${history.slice(-6).join(', ')}`, { cause: error });
  }
}, 3_600_000);
