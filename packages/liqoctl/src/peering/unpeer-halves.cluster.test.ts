import {
  ForeignCluster,
  forgeCustomResourceDefinition,
  Identity,
  NamespaceMap,
  Quota,
  Renew,
  type Resource,
  ResourceSlice,
  ShadowPod,
  Tenant,
  VirtualNode,
} from '@liqo/api';
import {
  type Client,
  CustomResourceDefinition,
  Deployment,
  isConditionTrue,
  mergePatch,
  Node,
} from '@liqo/kube';
import { systemClock } from '@liqo/runtime';
import { eventually } from '@liqo/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Interruption } from '../surroundings.ts';
import { listLeftovers } from '../testing/leftovers.ts';
import { type PeeringWorld, startPeeringWorld } from '../testing/peering-world.ts';
import { successful } from '../testing/run-here.ts';
import { closeShop, deployShop, patient, shopRuns } from '../testing/shop.ts';

const slice = { namespace: 'liqo-tenant-milan', name: 'milan' };
const peer = 'peer --networking-disabled --cpu 4 --pods 10 --timeout 60s';
/** From the command until the last object is gone. */
const limitMs = 60_000;
const timeoutMs = 300_000;

type Side = 'rome' | 'milan';

/** What makes a peering a half of one. */
interface Half {
  readonly name: string;
  readonly make: (world: PeeringWorld) => Promise<void>;
  /** Makes the clusters whole again for the next one. */
  readonly mend?: (world: PeeringWorld) => Promise<void>;
}

async function whole(world: PeeringWorld): Promise<void> {
  await successful(world.atBoth(peer));
  await deployShop(world);
  await shopRuns(world);
}

/** Interrupts `liqoctl peer` as soon as this is there. */
function interruptedWhen(name: string, isThere: (world: PeeringWorld) => Promise<unknown>): Half {
  return {
    name,
    async make(world) {
      const stop = new AbortController();
      const running = world.atBoth(peer, { signal: stop.signal });
      await eventually(async () => expect(await isThere(world)).toBeDefined(), {
        ...patient,
        intervalMs: 5,
      });
      stop.abort(new Interruption(130));
      await running;
    },
  };
}

function kindGone(side: Side, kind: Resource): Half {
  const name = `${kind.plural}.${kind.group}`;
  return {
    name: `whose ${side === 'rome' ? 'consumer' : 'provider'} has lost the kind ${kind.kind}`,
    async make(world) {
      await whole(world);
      await world[side].client.delete(CustomResourceDefinition, { name });
    },
    mend: (world) => serve(world[side].client, kind),
  };
}

/** As an administrator who repairs the cluster. */
async function serve(client: Client, kind: Resource): Promise<void> {
  const definition = forgeCustomResourceDefinition(kind);
  const name = definition.metadata?.name ?? '';
  await eventually(async () => {
    expect(await client.get(CustomResourceDefinition, { name })).toBeUndefined();
  }, patient);
  await client.create(CustomResourceDefinition, definition);
  await eventually(async () => {
    const found = await client.get(CustomResourceDefinition, { name });
    expect(isConditionTrue(found?.status?.conditions, 'Established')).toBe(true);
  }, patient);
}

async function scaleWebhooks(world: PeeringWorld, replicas: number): Promise<void> {
  for (const { client } of [world.rome, world.milan]) {
    const key = { namespace: 'liqo', name: 'liqo-webhook' };
    await client.patch(Deployment, key, mergePatch({ spec: { replicas } }));
    await eventually(async () => {
      const { readyReplicas = 0 } = (await client.get(Deployment, key))?.status ?? {};
      expect(readyReplicas).toBe(replicas);
    }, patient);
  }
}

/** With UNPEER_HALVES=all also those that add little to the others, and every kind of a peering. */
const isWhole = process.env.UNPEER_HALVES === 'all';
const lost: Readonly<Record<Side, readonly Resource[]>> = isWhole
  ? {
      rome: [ForeignCluster, Identity, NamespaceMap, Renew, ResourceSlice, VirtualNode],
      milan: [NamespaceMap, Quota, Renew, ResourceSlice, ShadowPod, Tenant],
    }
  : { rome: [ResourceSlice], milan: [Tenant] };

const furtherHalves: readonly Half[] = [
  interruptedWhen('whose virtual node has just been made', ({ rome }) =>
    rome.client.get(VirtualNode, slice),
  ),
  {
    name: 'whose Node has just been made',
    async make(world) {
      await successful(world.atBoth(peer));
      await eventually(async () => {
        expect(await world.rome.client.get(Node, { name: 'milan' })).toBeDefined();
      }, patient);
    },
  },
];

const halves: readonly Half[] = [
  { name: 'that is whole', make: whole },
  interruptedWhen('that has its slice only', ({ rome }) => rome.client.get(ResourceSlice, slice)),
  {
    name: 'whose consumer is drained',
    async make(world) {
      await whole(world);
      await successful(world.atMilan('drain tenant rome --skip-confirm --timeout 60s'));
    },
  },
  {
    name: 'without the webhooks of both clusters',
    async make(world) {
      await whole(world);
      await scaleWebhooks(world, 0);
    },
    mend: (world) => scaleWebhooks(world, 1),
  },
  ...(isWhole ? furtherHalves : []),
  ...lost.rome.map((kind) => kindGone('rome', kind)),
  ...lost.milan.map((kind) => kindGone('milan', kind)),
];

describe('unpeer ends within a minute and leaves nothing of a peering', () => {
  let world: PeeringWorld;

  beforeAll(async () => {
    world = await startPeeringWorld();
  }, timeoutMs);

  afterAll(() => world?.[Symbol.asyncDispose]());

  async function leftovers(): Promise<readonly string[]> {
    return [
      ...(await listLeftovers(world.rome.client)),
      ...(await listLeftovers(world.milan.client)),
    ];
  }

  test.each(halves)(
    '$name',
    async ({ make, mend }) => {
      await make(world);
      const startedMs = systemClock.monotonicMs();
      await successful(world.atBoth('unpeer --delete-namespaces --timeout 60s'));
      await eventually(async () => expect(await leftovers()).toEqual([]), patient);
      expect(systemClock.monotonicMs() - startedMs).toBeLessThan(limitMs);
      await mend?.(world);
      await closeShop(world);
    },
    timeoutMs,
  );
});

describe('when the provider is gone', () => {
  let world: PeeringWorld;

  beforeAll(async () => {
    world = await startPeeringWorld();
    await successful(world.atBoth(peer));
  }, timeoutMs);

  afterAll(() => world?.[Symbol.asyncDispose]());

  test('unpeer says so, and force unpeer leaves nothing', async () => {
    const path = await world.file('milan.kubeconfig', world.milan.kubeconfigText);
    await world.milan[Symbol.asyncDispose]();
    const startedMs = systemClock.monotonicMs();
    const line = `unpeer --delete-namespaces --timeout 60s --remote-kubeconfig ${path}`;
    const { code, stderr } = await world.atRome(line);
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('cannot reach') });
    await successful(world.atRome('force unpeer milan --skip-confirm --timeout 60s'));
    await eventually(async () => {
      expect(await listLeftovers(world.rome.client)).toEqual([]);
    }, patient);
    expect(systemClock.monotonicMs() - startedMs).toBeLessThan(limitMs);
  });
});
