import { annotations } from '@liqo/api';
import { isConditionTrue, Node, Pod, type Stored } from '@liqo/kube';
import { namespace, nodeName, podCount, remoteNamespace } from './application.ts';
import { awaitRecovery } from './await-recovery.ts';
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

/** The product recovers within this time after a fault ends, on the wall clock: CPU pressure is not deducted. */
const limitMs = 10_000;

/** Waits until both clusters agree again and prints how long that took. Fails when it takes longer than the limit. */
export async function expectRecovery(
  stage: Stage,
  fault: string,
  demand: Demand = everyPodReady,
): Promise<void> {
  const { tookMs, lastReason = 'none' } = await awaitRecovery(
    () => whyNotRecovered(stage, demand),
    limitMs,
  );
  const took = `${(tookMs / 1000).toFixed(1)} s`;
  process.stdout.write(
    `  ${fault}: recovered ${took} after it ended; last problem: ${lastReason}\n`,
  );
}
