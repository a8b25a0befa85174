import {
  Advertisement,
  advertisementName,
  ClusterConfig,
  fixedNames,
  offerVirtualNodeName,
  tenantNamespaceName,
} from '@liqo/api';
import { type Client, type Clock, isConditionTrue, mergePatch, Node, Pod } from '@liqo/kube';
import type { WorldCluster } from './kubernetes.ts';
import { listWords } from './list-words.ts';
import { type Step, slowHint } from './step.ts';
import { until } from './until.ts';
import { waitForNode } from './virtual-node.ts';
import type { Wish } from './wish.ts';

/** Every provider of the wish offers a share of what is free, one after the other, and the consumer accepts the first ones. */
export function offerCapacity<C extends WorldCluster<C>>(wish: Wish): readonly Step<C>[] {
  const { consumer, providers, offers } = wish;
  if (!offers) return [];
  return [
    acceptAtMost<C>(consumer, offers.most),
    ...providers.map((provider, index) =>
      index < offers.most
        ? offerAccepted<C>(wish, provider, offers.percentage)
        : offerRefused<C>(wish, provider, offers.percentage),
    ),
  ];
}

/** The first provider takes its offer back, and the place goes to the oldest one that was refused. */
export function withdrawOffer<C extends WorldCluster<C>>(wish: Wish): readonly Step<C>[] {
  const { consumer, providers, offers, apps = [] } = wish;
  const [first = ''] = providers;
  const next = offers && providers[offers.most];
  if (!next) return [];
  const left = providers.slice(1, offers.most + 1);
  const nodes = left.map(offerVirtualNodeName);
  return [
    {
      name: `withdraw the offer of ${first}`,
      done: `${first} withdraws its offer, and ${next} takes its place as a node`,
      hint: slowHint,
      async run(world, signal) {
        const { clock } = world.kubernetes;
        const { client } = world.cluster(consumer);
        const outgoingConfig = { enableBroadcaster: false };
        await configure(world.cluster(first).client, { outgoingConfig }, signal);
        const name = offerVirtualNodeName(first);
        const look = async () => {
          const node = await client.get(Node, { name }, signal);
          return node && `the Node "${name}" is still there`;
        };
        await until(clock, look, signal);
        await waitForNode(client, { name: offerVirtualNodeName(next), clock }, signal);
      },
    },
    ...apps.map(
      (app) =>
        ({
          name: `run the app "${app.name}" on the other nodes`,
          done: `The ${app.replicas} pods of "${app.name}" are Running at ${listWords(left)}`,
          hint: slowHint,
          async run(world, signal) {
            const { client } = world.cluster(consumer);
            const { clock } = world.kubernetes;
            await until(clock, () => findUnready(client, app, nodes, signal), signal);
          },
        }) satisfies Step<C>,
    ),
  ];
}

function acceptAtMost<C extends WorldCluster<C>>(consumer: string, most: number): Step<C> {
  return {
    name: `limit the offers that ${consumer} accepts`,
    done: `${consumer} accepts at most ${most} offers, by its ClusterConfig`,
    hint: slowHint,
    async run(world, signal) {
      const ingoingConfig = { maxAcceptableAdvertisements: most };
      await configure(world.cluster(consumer).client, { ingoingConfig }, signal);
    },
  };
}

function offerAccepted<C extends WorldCluster<C>>(
  { consumer }: Wish,
  provider: string,
  percentage: number,
): Step<C> {
  const name = offerVirtualNodeName(provider);
  return {
    name: `offer ${consumer} capacity of ${provider}`,
    done: `${provider} offers ${percentage} % of what is free, and is the node "${name}" of ${consumer}`,
    hint: slowHint,
    async run(world, signal) {
      const { client } = world.cluster(consumer);
      const { clock } = world.kubernetes;
      await offer(world.cluster(provider).client, percentage, signal);
      await isDecided({ client, clock, provider, value: 'Accepted' }, signal);
      await waitForNode(client, { name, clock }, signal);
    },
  };
}

function offerRefused<C extends WorldCluster<C>>(
  { consumer }: Wish,
  provider: string,
  percentage: number,
): Step<C> {
  return {
    name: `offer ${consumer} more than it accepts`,
    done: `${provider} offers as much, and is refused: MaxReached`,
    hint: slowHint,
    async run(world, signal) {
      const { client } = world.cluster(consumer);
      const { clock } = world.kubernetes;
      await offer(world.cluster(provider).client, percentage, signal);
      await isDecided({ client, clock, provider, value: 'Refused' }, signal);
    },
  };
}

function offer(client: Client, percentage: number, signal: AbortSignal): Promise<void> {
  const outgoingConfig = { enableBroadcaster: true, resourceSharingPercentage: percentage };
  return configure(client, { outgoingConfig }, signal);
}

async function configure(
  client: Client,
  advertisementConfig: object,
  signal: AbortSignal,
): Promise<void> {
  const key = { name: fixedNames.clusterConfig };
  const spec = { advertisementConfig } as ClusterConfig['spec'];
  if (await client.get(ClusterConfig, key, signal)) {
    await client.patch(ClusterConfig, key, mergePatch({ spec } as never), signal);
  } else {
    await client.create(ClusterConfig, { metadata: key, spec }, signal);
  }
}

interface DecisionWork {
  /** Of the consumer. */
  readonly client: Client;
  readonly clock: Clock;
  readonly provider: string;
  readonly value: 'Accepted' | 'Refused';
}

async function isDecided(
  { client, clock, provider, value }: DecisionWork,
  signal: AbortSignal,
): Promise<void> {
  const key = { namespace: tenantNamespaceName(provider), name: advertisementName(provider) };
  const look = async () => {
    const found = await client.get(Advertisement, key, signal);
    if (!found) return `the offer of "${provider}" has not arrived`;
    const { phase = 'Pending', decision } = found.status ?? {};
    if (phase === value) return undefined;
    return `the offer of "${provider}" is ${phase}: ${decision?.reason ?? 'nothing says why'}`;
  };
  await until(clock, look, signal);
}

/** Of an app whose pods have left a node. */
async function findUnready(
  client: Client,
  { name, namespace, replicas }: NonNullable<Wish['apps']>[number],
  nodes: readonly string[],
  signal: AbortSignal,
): Promise<string | undefined> {
  const { items } = await client.list(Pod, { namespace, labelSelector: `app=${name}`, signal });
  const running = items.filter(
    ({ spec, status }) =>
      nodes.includes(spec?.nodeName ?? '') && isConditionTrue(status?.conditions, 'Ready'),
  ).length;
  return running < replicas ? `${running} of ${replicas} pods of "${name}" are ready` : undefined;
}
