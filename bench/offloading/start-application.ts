import { type Client, Deployment, Pod } from '@liqo/kube';
import { forgePodSpec, type Place } from './pod-load.ts';
import { PodWatch } from './pod-watch.ts';

export interface Application {
  readonly namespace: string;
  readonly name: string;
  readonly place: Place;
}

/** How long an application took until it ran. */
export interface Start {
  readonly ms: number;
  /** Until its pods were bound, in which no virtual node has a part. */
  readonly unboundMs: number;
  /** From when its pods were bound. */
  readonly boundMs: number;
  /** How late the API server told of a pod that it had taken: whoever has to hear of pods is as late, each in turn. */
  readonly toldMs: number;
}

/** From the creation of its Deployment until both pods run. */
export async function startApplication(client: Client, application: Application): Promise<Start> {
  const { namespace, name, place } = application;
  await using watch = await PodWatch.start(client, namespace);
  const startedMs = performance.now();
  const labels = { app: name };
  const told = measureLateness(client, namespace, watch);
  await client.create(Deployment, {
    metadata: { namespace, name },
    spec: {
      replicas: 2,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: forgePodSpec(place) },
    },
  });
  await watch.untilRunning(2);
  const ms = performance.now() - startedMs;
  const unboundMs = Math.max(...watch.boundSinceMs.values()) - startedMs;
  const boundMs = [...watch.runningSinceMs].map(
    ([pod, runningMs]) => runningMs - (watch.boundSinceMs.get(pod) ?? runningMs),
  );
  const toldMs = await told;
  await client.delete(Deployment, { namespace, name }, { propagationPolicy: 'Background' });
  return { ms, unboundMs, boundMs: Math.max(...boundMs), toldMs };
}

/** With a pod that concerns nobody: no scheduler looks at it. */
async function measureLateness(
  client: Client,
  namespace: string,
  watch: PodWatch,
): Promise<number> {
  const name = 'bystander';
  const spec = { ...forgePodSpec('hollow'), schedulerName: 'nobody' };
  await client.create(Pod, { metadata: { namespace, name }, spec });
  const takenMs = performance.now();
  const toldMs = await watch.untilThere(name);
  await client.delete(Pod, { namespace, name });
  return Math.max(0, toldMs - takenMs);
}
