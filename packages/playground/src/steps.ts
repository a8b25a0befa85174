import { deployApp } from './deploy-app.ts';
import { deploySettings } from './deploy-settings.ts';
import { introduce } from './introduce.ts';
import type { WorldCluster } from './kubernetes.ts';
import { lendNodes } from './lend-nodes.ts';
import { listWords } from './list-words.ts';
import { offerCapacity, withdrawOffer } from './offer-capacity.ts';
import { offloadNamespace } from './offload-namespace.ts';
import { peerClusters } from './peer-clusters.ts';
import { type Step, slowHint } from './step.ts';
import type { WantedApp, Wish } from './wish.ts';

/** How a wish comes true, in this order. */
export function planSteps<C extends WorldCluster<C>>(wish: Wish): readonly Step<C>[] {
  const { bare = false, unpeered = false, byHand = false, offloaded = [], apps = [] } = wish;
  if (bare) return [startClusters(wish)];
  if (unpeered) return [startClusters(wish), installProduct(wish)];
  return [
    startClusters(wish),
    installProduct(wish),
    byHand ? introduceAll(wish) : peerAll(wish),
    ...lendNodes<C>(wish),
    ...offerCapacity<C>(wish),
    ...offloaded.map((namespace) => offload<C>(wish, namespace)),
    ...apps.filter(({ hasSettings }) => hasSettings).map((app) => reflect<C>(wish, app)),
    ...apps.map((app) => deploy<C>(wish, app)),
    ...withdrawOffer<C>(wish),
  ];
}

function startClusters<C extends WorldCluster<C>>({ consumer, providers }: Wish): Step<C> {
  const names = [consumer, ...providers];
  return {
    name: `start the clusters ${listWords(names)}`,
    done: `${listWords(names)} run, a Kubernetes with one node each`,
    hint: 'Check that there is free memory and that programs may listen on 127.0.0.1, and try again',
    async run(world, signal) {
      await world.start(names, signal);
      for (const name of providers) {
        await world.kubernetes.connect(world.cluster(consumer), world.cluster(name));
      }
    },
  };
}

function installProduct<C extends WorldCluster<C>>({ consumer, providers }: Wish): Step<C> {
  return {
    name: 'install Liqo in the clusters',
    done: 'Liqo is installed in all of them',
    hint: slowHint,
    async run(world, signal) {
      const { kubernetes } = world;
      const own = world.cluster(consumer);
      const peers = providers.map((name) =>
        kubernetes.install(world.cluster(name), { consumer: own, signal }),
      );
      await Promise.all([kubernetes.install(own, { signal }), ...peers]);
    },
  };
}

function peerAll<C extends WorldCluster<C>>({ consumer, providers }: Wish): Step<C> {
  const names = listWords(providers);
  return {
    name: `make ${consumer} a peer of ${names}`,
    done: `${consumer} is a peer of ${names}, as "liqoctl peer" makes it`,
    hint: slowHint,
    async run(world, signal) {
      const own = world.cluster(consumer);
      const { clock } = world.kubernetes;
      for (const name of providers) {
        await peerClusters<C>({ consumer: own, provider: world.cluster(name), clock, signal });
      }
    },
  };
}

function introduceAll<C extends WorldCluster<C>>({ consumer, providers }: Wish): Step<C> {
  return {
    name: `introduce ${consumer} to ${listWords(providers)}`,
    done: `${consumer} has an identity at ${listWords(providers)}`,
    hint: slowHint,
    async run(world) {
      for (const name of providers) await introduce(world.cluster(consumer), world.cluster(name));
    },
  };
}

/** Those that run pods of the consumer. */
function lendersOf({ providers, offers }: Wish): readonly string[] {
  return offers ? providers.slice(0, offers.most) : providers;
}

function offload<C extends WorldCluster<C>>(wish: Wish, namespace: string): Step<C> {
  const { consumer } = wish;
  const there = listWords(lendersOf(wish));
  return {
    name: `offload the namespace "${namespace}"`,
    done: `Namespace "${namespace}" extends to ${there}, as "${namespace}-${consumer}"`,
    hint: slowHint,
    async run(world, signal) {
      const { client } = world.cluster(consumer);
      await offloadNamespace(client, { namespace, clock: world.kubernetes.clock }, signal);
    },
  };
}

function reflect<C extends WorldCluster<C>>(wish: Wish, app: WantedApp): Step<C> {
  const { consumer } = wish;
  const providers = lendersOf(wish);
  const { name, namespace } = app;
  return {
    name: `reflect the settings of the app "${name}"`,
    done: `Service, ConfigMap and Secret "${name}" are at ${listWords(providers)} too`,
    hint: slowHint,
    async run(world, signal) {
      const { clock } = world.kubernetes;
      const copies = providers.map((provider) => ({
        client: world.cluster(provider).client,
        namespace: `${namespace}-${consumer}`,
      }));
      await deploySettings(world.cluster(consumer).client, { app, copies, clock }, signal);
    },
  };
}

function deploy<C extends WorldCluster<C>>(wish: Wish, app: WantedApp): Step<C> {
  const { consumer } = wish;
  const providers = lendersOf(wish);
  const { name, replicas } = app;
  const run = replicas === 1 ? `The pod of "${name}" is` : `The ${replicas} pods of "${name}" are`;
  return {
    name: `run the app "${name}"`,
    done: `${run} Running at ${listWords(providers)}`,
    hint: slowHint,
    async run(world, signal) {
      const { clock, website } = world.kubernetes;
      await deployApp(world.cluster(consumer).client, { ...app, website, clock }, signal);
    },
  };
}
