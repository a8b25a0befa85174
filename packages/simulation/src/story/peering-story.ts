import type { SimulatedWorld } from '../world/simulated-world.ts';
import { describeWrite } from './extra-writes.ts';
import {
  askForSlice,
  atMilan,
  atRome,
  closePlainShop,
  endPeering,
  forgetCertificates,
  isPlacing,
  makePeers,
  openPlainShop,
  setTenant,
  slice,
} from './peering.ts';
import {
  hasQuota,
  isDrained,
  isForgotten,
  isNodeLost,
  isNodeOpen,
  isQuotaCordoned,
  isRenewed,
  isWaiting,
} from './peering-conditions.ts';
import { type Chapter, playChapters } from './play-chapters.ts';
import { offloadNamespace, scaleShop } from './shop.ts';
import { isNamespaceGone, isOffloaded, isOpen } from './shop-conditions.ts';
import type { Story } from './story.ts';

const rome = (world: SimulatedWorld) => world.cluster('rome').admin;
const milan = (world: SimulatedWorld) => world.cluster('milan').admin;
const both = async (...answers: readonly Promise<boolean>[]) =>
  (await Promise.all(answers)).every((answer) => answer);

const chapters: readonly Chapter[] = [
  { done: 'the clusters are peers', act: makePeers, isDone: async () => true },
  {
    done: 'the slice is granted, and its node is ready',
    act: (world) => askForSlice(world, '1'),
    isDone: (world) => both(isNodeOpen(rome(world)), hasQuota(milan(world), '1')),
  },
  {
    done: 'the namespace is offloaded',
    act: (world) => offloadNamespace(rome(world)),
    isDone: (world) => both(isOffloaded(rome(world)), isPlacing(rome(world))),
  },
  {
    done: 'two pods run',
    act: (world) => openPlainShop(rome(world), 2),
    isDone: (world) => isOpen(rome(world), 2),
    isScene: true,
  },
  {
    done: 'there is no room for a third pod',
    act: (world) => scaleShop(rome(world), 3),
    isDone: async (world) => !(await isOpen(rome(world), 3)),
  },
  {
    done: 'a larger slice has room for it',
    act: (world) => askForSlice(world, '2'),
    isDone: (world) => both(hasQuota(milan(world), '2'), isOpen(rome(world), 3)),
  },
  {
    done: 'both certificates are renewed',
    act: (world) => forgetCertificates(milan(world)),
    isDone: (world) => isRenewed(rome(world)),
    isScene: true,
  },
  {
    done: 'the consumer is cordoned',
    act: (world) => setTenant(milan(world), 'Cordoned'),
    isDone: (world) => isQuotaCordoned(milan(world)),
  },
  {
    done: 'a fourth pod waits',
    act: (world) => scaleShop(rome(world), 4),
    isDone: (world) => isWaiting(milan(world)),
    isScene: true,
  },
  {
    done: 'the consumer is drained',
    act: (world) => setTenant(milan(world), 'Drained'),
    isDone: (world) => both(isDrained(milan(world)), isNodeLost(rome(world))),
  },
  {
    done: 'the consumer is active, and its pods run again',
    act: (world) => setTenant(milan(world), 'Active'),
    isDone: (world) => both(isNodeOpen(rome(world)), isOpen(rome(world), 4)),
    isScene: true,
  },
  {
    done: 'the clusters are peers no longer',
    act: endPeering,
    isDone: (world) =>
      both(isForgotten(rome(world), 'milan', atRome), isForgotten(milan(world), 'rome', atMilan)),
  },
  {
    done: 'the namespace is gone',
    act: (world) => closePlainShop(rome(world)),
    isDone: (world) => isNamespaceGone(rome(world)),
    isScene: true,
  },
];

/** From two clusters that do not know each other to peers, whose slice, certificates and rights change, and back. */
export const peeringStory: Story = {
  name: 'peering',
  acquaintance: 'strangers',
  processes: [
    'rome/controller-manager',
    'milan/controller-manager',
    `rome/virtual-kubelet(${slice})`,
  ],
  isLong: true,
  play: (world) => playChapters(world, chapters, { isSteady: false }),
  extraWrites: 'any',
  describeWrite,
};
