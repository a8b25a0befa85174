import type { SimulatedWorld } from '../world/simulated-world.ts';
import { describeWrite } from './extra-writes.ts';
import { type Chapter, playChapters } from './play-chapters.ts';
import {
  areCopied,
  areDeleted,
  changeObjects,
  createObjects,
  deleteObjects,
  freeName,
  isPriceCopied,
  isRemoteNamespaceGone,
  isStrangerUnchanged,
  takeName,
  unoffloadNamespace,
} from './reflection.ts';
import { createVirtualNode, node, offloadNamespace } from './shop.ts';
import { isNodeReady, isOffloaded, isOffloadingGone } from './shop-conditions.ts';
import type { Story } from './story.ts';

const rome = (world: SimulatedWorld) => world.cluster('rome').admin;
const milan = (world: SimulatedWorld) => world.cluster('milan').admin;

const first = { colour: 'red', password: 'one', port: 80 };
const second = { colour: 'green', password: 'two', port: 8080 };

const chapters: readonly Chapter[] = [
  {
    done: 'the node is ready',
    act: (world) => createVirtualNode(rome(world)),
    isDone: (world) => isNodeReady(rome(world)),
  },
  {
    done: 'the namespace is offloaded',
    act: (world) => offloadNamespace(rome(world)),
    isDone: (world) => isOffloaded(rome(world)),
  },
  {
    done: 'all objects are copied',
    act: (world) => createObjects(rome(world)),
    isDone: (world) => areCopied(milan(world), first),
    isScene: true,
  },
  {
    done: 'all changes are copied',
    act: (world) => changeObjects(rome(world)),
    isDone: (world) => areCopied(milan(world), second),
  },
  {
    done: 'spoilt copies are as they were, and a name is taken',
    act: (world) => takeName(rome(world), milan(world)),
    isDone: async (world) =>
      (await areCopied(milan(world), second)) && (await isStrangerUnchanged(milan(world))),
    isScene: true,
  },
  {
    done: 'the object whose name was taken is copied',
    act: (world) => freeName(milan(world)),
    isDone: (world) => isPriceCopied(milan(world)),
  },
  {
    done: 'copies of deleted objects are gone',
    act: (world) => deleteObjects(rome(world)),
    isDone: (world) => areDeleted(milan(world)),
    isScene: true,
  },
  {
    done: 'the offloading is gone',
    act: (world) => unoffloadNamespace(rome(world)),
    isDone: async (world) =>
      (await isOffloadingGone(rome(world))) && (await isRemoteNamespaceGone(milan(world))),
    isScene: true,
  },
];

/** Objects of an offloaded namespace that are copied, changed, spoilt and in the way, until the namespace is offloaded no more. */
export const reflectionStory: Story = {
  name: 'reflection',
  acquaintance: 'introduced',
  processes: [
    'rome/controller-manager',
    'milan/controller-manager',
    `rome/virtual-kubelet(${node})`,
  ],
  isLong: true,
  play: (world) => playChapters(world, chapters),
  extraWrites: 'any',
  describeWrite,
};
