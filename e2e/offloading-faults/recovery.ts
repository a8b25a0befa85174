import { existsSync, readFileSync } from 'node:fs';
import { annotations } from '@liqo/api';
import { isConditionTrue, Node, Pod, type Stored } from '@liqo/kube';
import { eventually } from '@liqo/testkit';
import { namespace, nodeName, podCount, remoteNamespace } from './application.ts';
import type { Stage } from './stage.ts';

export interface PodsOfBothSides {
  readonly home: readonly Stored<Pod>[];
  readonly away: readonly Stored<Pod>[];
}

/** Live, and past the link. */
export async function readPods({ rome, milan }: Stage): Promise<PodsOfBothSides> {
  const [home, away] = await Promise.all([
    rome.client.list(Pod, { namespace, timeoutMs: 20_000 }),
    milan.client.list(Pod, { namespace: remoteNamespace, timeoutMs: 20_000 }),
  ]);
  return { home: home.items, away: away.items };
}

/** What `whyNotRecovered` looks for besides; nothing more when it gives back nothing. */
export type Demand = (pods: PodsOfBothSides) => string | undefined;

async function whyNotRecovered(stage: Stage, demand: Demand): Promise<string | undefined> {
  const node = await stage.rome.client.get(Node, { name: nodeName }, { timeoutMs: 20_000 });
  if (!isConditionTrue(node?.status?.conditions, 'Ready')) return 'the node is not ready';
  const pods = await readPods(stage);
  if (pods.home.length !== podCount) return `there are ${pods.home.length} pods at home`;
  if (pods.away.length !== podCount) return `there are ${pods.away.length} pods over there`;
  return pods.home.map((pod) => whyNotLikeTwin(pod, pods.away)).find(Boolean) ?? demand(pods);
}

/** A pod at home says what its twin says, for that is how it is. */
function whyNotLikeTwin(pod: Stored<Pod>, away: readonly Stored<Pod>[]): string | undefined {
  const { name, uid } = pod.metadata;
  const twin = away.find(({ metadata }) => metadata.annotations?.[annotations.podUid] === uid);
  if (!twin) return `pod "${name}" has no twin`;
  const [here, there] = [summaryOf(pod), summaryOf(twin)];
  return here === there ? undefined : `pod "${name}" says ${here}, its twin ${there}`;
}

function summaryOf({ status = {} }: Pod): string {
  const { phase, podIP, conditions, containerStatuses = [] } = status;
  const ready = isConditionTrue(conditions, 'Ready');
  const containers = containerStatuses.map(({ containerID, ready, state }) => ({
    containerID,
    ready,
    state,
  }));
  return JSON.stringify({ phase, podIP, ready, containers });
}

export const everyPodReady: Demand = ({ home }) => {
  const idle = home.find(({ status }) => !isConditionTrue(status?.conditions, 'Ready'));
  return idle && `pod "${idle.metadata.name}" is not ready`;
};

/** Ready or not: that is for the provider to say. */
export const likeOverThere: Demand = () => undefined;

/** The bound of the product. */
const boundMs = 10_000;
/** Of the test: a machine may be busy with other things. */
const patience = { timeoutMs: 150_000, intervalMs: 250 };

/**
 * Waits until everything is as it was, and says how long that took. The product has ten seconds of its own: time in which
 * something had to wait for a processor is not counted as its, where the kernel can tell.
 */
export async function expectRecovery(
  stage: Stage,
  fault: string,
  demand: Demand = everyPodReady,
): Promise<void> {
  const [startedMs, stalledBeforeMs] = [performance.now(), readStallMs()];
  let last = 'nothing was amiss';
  await eventually(async () => {
    const why = await whyNotRecovered(stage, demand);
    if (!why) return;
    last = why;
    throw new Error(why);
  }, patience);
  const tookMs = performance.now() - startedMs;
  const stalledMs = Math.min(tookMs, readStallMs() - stalledBeforeMs);
  const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;
  process.stdout.write(
    `  ${fault}: recovered ${seconds(tookMs)} after it ended (${seconds(stalledMs)} of it short of processors); last: ${last}\n`,
  );
  if (tookMs - stalledMs > boundMs) throw new Error(`The recovery took ${seconds(tookMs)}`);
}

/** For how long in all some process has been kept waiting for a processor, since the machine started. */
function readStallMs(): number {
  const file = '/proc/pressure/cpu';
  if (!existsSync(file)) return 0;
  const total = /^some .*total=(\d+)/m.exec(readFileSync(file, 'utf8'))?.[1];
  return Number(total ?? 0) / 1000;
}
