import { NamespaceOffloading, VirtualNode } from '@liqo/api';
import { type Client, Deployment, Namespace, Secret } from '@liqo/kube';
import type { Recording, Scene } from '@liqo/testkit/faults';
import type { SimulatedWorld } from '../world/simulated-world.ts';
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
import { takeHistory } from './take-history.ts';
import { takeScene } from './take-scene.ts';

/** What somebody does, and when it is done. */
interface Chapter {
  /** After "until". */
  readonly done: string;
  readonly act: (rome: Client) => Promise<unknown>;
  readonly isDone: (rome: Client) => Promise<boolean>;
  /** Worth a look when everything has come to rest. */
  readonly isScene?: boolean;
}

const chapters: readonly Chapter[] = [
  { done: 'the node is ready', act: createVirtualNode, isDone: isNodeReady },
  { done: 'the namespace is offloaded', act: offloadNamespace, isDone: isOffloaded },
  {
    done: 'three pods run',
    act: (rome) => openShop(rome, 3),
    isDone: (rome) => isOpen(rome, 3),
    isScene: true,
  },
  { done: 'four pods run', act: (rome) => scaleShop(rome, 4), isDone: (rome) => isOpen(rome, 4) },
  { done: 'two pods run', act: (rome) => scaleShop(rome, 2), isDone: (rome) => isOpen(rome, 2) },
  {
    done: 'two new pods run',
    act: renewShop,
    isDone: (rome) => isOpen(rome, 2),
    isScene: true,
  },
  { done: 'the node is drained', act: drainNode, isDone: isDrained, isScene: true },
  {
    done: 'the virtual node is gone',
    act: (rome) => rome.delete(VirtualNode, { namespace: tenantNamespace, name: node }),
    isDone: isVirtualNodeGone,
  },
  {
    done: 'the offloading is gone',
    act: (rome) => rome.delete(NamespaceOffloading, offloading),
    isDone: isOffloadingGone,
  },
  {
    done: 'the namespace is gone',
    act: closeShop,
    isDone: isNamespaceGone,
    isScene: true,
  },
];

async function closeShop(rome: Client): Promise<void> {
  await rome.delete(Deployment, app);
  await rome.delete(Namespace, { name: namespace });
  await rome.delete(Secret, { namespace: tenantNamespace, name: secret });
}

/** From two clusters that know each other to a shop that runs over there, changes, and is gone without a trace. */
export async function playOffloadingStory(world: SimulatedWorld): Promise<Recording> {
  const rome = world.cluster('rome').admin;
  const scenes: Scene[] = [];
  for (const { done, act, isDone, isScene = false } of chapters) {
    await act(rome);
    await world.until(done, () => isDone(rome));
    if (!isScene) continue;
    await world.settle();
    scenes.push(await takeScene(world, done));
  }
  const [denial] = world.denials;
  if (denial !== undefined) throw new Error(`The product lacks a right ${denial}`);
  scenes.push(takeHistory(world));
  return scenes;
}
