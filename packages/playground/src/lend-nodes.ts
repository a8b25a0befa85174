import { kubeconfigSecretName, resourceSliceIdentityName } from '@liqo/api';
import { createKubeconfig } from './introduce.ts';
import type { WorldCluster } from './kubernetes.ts';
import { obtainSlice } from './peer-clusters.ts';
import { type Step, slowHint } from './step.ts';
import { createVirtualNode, readGrant, waitForNode } from './virtual-node.ts';
import type { WantedNode, Wish } from './wish.ts';

/** The Secret with credentials of the consumer at a provider, in the tenant namespace of that provider. */
export const handMadeSecret = kubeconfigSecretName(resourceSliceIdentityName('mypool'));

const smallCapacity = { cpu: '2', memory: '4Gi', pods: '110' };

/** How the virtual nodes of a wish come to be. */
export function lendNodes<C extends WorldCluster<C>>(wish: Wish): readonly Step<C>[] {
  const { virtualNodes = [], byHand = false } = wish;
  if (byHand) {
    const isFirst = ({ provider }: WantedNode, index: number) =>
      virtualNodes.findIndex((node) => node.provider === provider) === index;
    return virtualNodes.map((node, index) => lendByHand<C>(wish, node, isFirst(node, index)));
  }
  return virtualNodes.flatMap((node) =>
    node.sharing === undefined
      ? [askForSlice<C>(wish, node), awaitNode<C>(wish, node)]
      : [shareSlice<C>(wish, node, node.sharing)],
  );
}

function askForSlice<C extends WorldCluster<C>>(
  { consumer }: Wish,
  { name, provider, capacity = {} }: WantedNode,
): Step<C> {
  return {
    name: `ask ${provider} for the slice "${name}"`,
    done: `${provider} grants ${consumer} the slice "${name}", and limits it by a Quota`,
    hint: slowHint,
    async run(world, signal) {
      const { clock } = world.kubernetes;
      const clusters = { consumer: world.cluster(consumer), provider: world.cluster(provider) };
      await obtainSlice<C>({ ...clusters, clock, signal }, { name, resources: capacity });
    },
  };
}

function awaitNode<C extends WorldCluster<C>>(
  { consumer }: Wish,
  { name, provider }: WantedNode,
): Step<C> {
  return {
    name: `make ${provider} the node "${name}" of ${consumer}`,
    done: `${provider} is the node "${name}" of ${consumer}, made of that slice`,
    hint: slowHint,
    async run(world, signal) {
      const { clock } = world.kubernetes;
      await waitForNode(world.cluster(consumer).client, { name, clock }, signal);
    },
  };
}

function shareSlice<C extends WorldCluster<C>>(
  { consumer }: Wish,
  { name, provider, capacity }: WantedNode,
  slice: string,
): Step<C> {
  return {
    name: `make ${provider} the node "${name}" of ${consumer} as well`,
    done: `${provider} is the node "${name}" as well: the two share the Quota of "${slice}"`,
    hint: slowHint,
    async run(world, signal) {
      const { client } = world.cluster(consumer);
      const { clock } = world.kubernetes;
      const granted = await readGrant(client, { name: slice, provider }, signal);
      const secret = kubeconfigSecretName(resourceSliceIdentityName(slice));
      const work = { name, provider, secret, capacity: capacity ?? granted };
      await createVirtualNode(client, work, signal);
      await waitForNode(client, { name, clock }, signal);
    },
  };
}

/** All virtual nodes of one provider have the same credentials. */
function lendByHand<C extends WorldCluster<C>>(
  { consumer }: Wish,
  { name, provider, capacity = smallCapacity }: WantedNode,
  isFirst: boolean,
): Step<C> {
  return {
    name: `make ${provider} the node "${name}" of ${consumer}`,
    done: `${provider} is the node "${name}" of ${consumer}, by a VirtualNode and a Secret`,
    hint: slowHint,
    async run(world, signal) {
      const own = world.cluster(consumer);
      const { clock } = world.kubernetes;
      const secret = handMadeSecret;
      const credentials = { name: secret, user: `mypool-${consumer}` };
      if (isFirst) await createKubeconfig(own, world.cluster(provider), credentials);
      await createVirtualNode(own.client, { name, provider, secret, capacity }, signal);
      await waitForNode(own.client, { name, clock }, signal);
    },
  };
}
