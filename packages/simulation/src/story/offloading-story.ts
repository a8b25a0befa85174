import { NamespaceOffloading, VirtualNode } from '@liqo/api';
import { type Client, Deployment, Namespace, Secret } from '@liqo/kube';
import type { SimulatedWorld } from '../world/simulated-world.ts';
import { describeWrite, extraWrites } from './extra-writes.ts';
import { type Chapter, playChapters } from './play-chapters.ts';
import {
  app,
  createVirtualNode,
  drainNode,
  namespace,
  node,
  offloading,
  offloadNamespace,
  openShop,
  renewShop,
  scaleShop,
  secret,
  tenantNamespace,
} from './shop.ts';
import {
  isDrained,
  isNamespaceGone,
  isNodeReady,
  isOffloaded,
  isOffloadingGone,
  isOpen,
  isVirtualNodeGone,
} from './shop-conditions.ts';
import type { Story } from './story.ts';

/** By the people of `rome`. */
function atRome<T>(act: (rome: Client) => Promise<T>) {
  return (world: SimulatedWorld) => act(world.cluster('rome').admin);
}

const chapters: readonly Chapter[] = [
  { done: 'the node is ready', act: atRome(createVirtualNode), isDone: atRome(isNodeReady) },
  {
    done: 'the namespace is offloaded',
    act: atRome(offloadNamespace),
    isDone: atRome(isOffloaded),
  },
  {
    done: 'three pods run',
    act: atRome((rome) => openShop(rome, 3)),
    isDone: atRome((rome) => isOpen(rome, 3)),
    isScene: true,
  },
  {
    done: 'four pods run',
    act: atRome((rome) => scaleShop(rome, 4)),
    isDone: atRome((rome) => isOpen(rome, 4)),
  },
  {
    done: 'two pods run',
    act: atRome((rome) => scaleShop(rome, 2)),
    isDone: atRome((rome) => isOpen(rome, 2)),
  },
  {
    done: 'two new pods run',
    act: atRome(renewShop),
    isDone: atRome((rome) => isOpen(rome, 2)),
    isScene: true,
  },
  { done: 'the node is drained', act: atRome(drainNode), isDone: atRome(isDrained), isScene: true },
  {
    done: 'the virtual node is gone',
    act: atRome((rome) => rome.delete(VirtualNode, { namespace: tenantNamespace, name: node })),
    isDone: atRome(isVirtualNodeGone),
  },
  {
    done: 'the offloading is gone',
    act: atRome((rome) => rome.delete(NamespaceOffloading, offloading)),
    isDone: atRome(isOffloadingGone),
  },
  {
    done: 'the namespace is gone',
    act: atRome(closeShop),
    isDone: atRome(isNamespaceGone),
    isScene: true,
  },
];

async function closeShop(rome: Client): Promise<void> {
  await rome.delete(Deployment, app);
  await rome.delete(Namespace, { name: namespace });
  await rome.delete(Secret, { namespace: tenantNamespace, name: secret });
}

/** From two clusters that know each other to a shop that runs over there, changes, and is gone without a trace. */
export const offloadingStory: Story = {
  name: 'offloading',
  acquaintance: 'introduced',
  processes: [
    'rome/controller-manager',
    'milan/controller-manager',
    `rome/virtual-kubelet(${node})`,
  ],
  isLong: false,
  play: (world) => playChapters(world, chapters),
  extraWrites,
  describeWrite,
};
