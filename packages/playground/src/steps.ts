import { deployApp } from './deploy-app.ts';
import { createKubeconfig, introduce } from './introduce.ts';
import type { WorldCluster } from './kubernetes.ts';
import { listWords } from './list-words.ts';
import { offloadNamespace } from './offload-namespace.ts';
import { createVirtualNode } from './virtual-node.ts';
import type { WantedApp, WantedNode, Wish } from './wish.ts';
import type { World } from './world.ts';

/** One thing that happens in a world, in words and in deed. */
export interface Step<C extends WorldCluster<C>> {
  /** What is done, after "Cannot": `start the clusters "rome" and "milan"`. */
  readonly name: string;
  /** What there is when it is done. */
  readonly done: string;
  /** What to do when it fails. */
  readonly hint: string;
  run(world: World<C>, signal: AbortSignal): Promise<void>;
}

const slowHint =
  'The machine may be busy: close what else runs on it, and try again; if it stays so, please report it';

/** The Secret with credentials of the consumer at a provider, in the tenant namespace of that provider. */
export const providerSecretName = 'kubeconfig-resourceslice-mypool';

/** How a wish comes true, in this order. */
export function planSteps<C extends WorldCluster<C>>(wish: Wish): readonly Step<C>[] {
  const { bare = false, virtualNodes = [], offloaded = [], apps = [] } = wish;
  if (bare) return [startClusters(wish)];
  return [
    startClusters(wish),
    installProduct(),
    introduceAll(wish),
    ...virtualNodes.map((node) => lendNode<C>(wish, node)),
    ...offloaded.map((namespace) => offload<C>(wish, namespace)),
    ...apps.map((app) => deploy<C>(wish, app)),
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

function installProduct<C extends WorldCluster<C>>(): Step<C> {
  return {
    name: 'install Liqo in the clusters',
    done: 'Liqo is installed in all of them',
    hint: slowHint,
    async run({ clusters, kubernetes }, signal) {
      await Promise.all(clusters.map((cluster) => kubernetes.install(cluster, signal)));
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

function lendNode<C extends WorldCluster<C>>({ consumer }: Wish, node: WantedNode): Step<C> {
  const { name, provider } = node;
  return {
    name: `make ${provider} the node "${name}" of ${consumer}`,
    done: `${provider} is the node "${name}" of ${consumer}, by a VirtualNode and a Secret`,
    hint: slowHint,
    async run(world, signal) {
      const home = world.cluster(consumer);
      const credentials = {
        name: providerSecretName,
        user: `mypool-${consumer}`,
      };
      await createKubeconfig(home, world.cluster(provider), credentials);
      const { clock } = world.kubernetes;
      await createVirtualNode(home.client, { ...node, secret: credentials.name, clock }, signal);
    },
  };
}

function offload<C extends WorldCluster<C>>(
  { consumer, providers }: Wish,
  namespace: string,
): Step<C> {
  const there = listWords(providers);
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

function deploy<C extends WorldCluster<C>>({ consumer, providers }: Wish, app: WantedApp): Step<C> {
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
