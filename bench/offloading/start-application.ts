import { type Client, Deployment } from '@liqo/kube';
import { forgePodSpec, type Place } from './pod-load.ts';
import { PodWatch } from './pod-watch.ts';

export interface Application {
  readonly namespace: string;
  readonly name: string;
  readonly place: Place;
}

/** How long an application took until it ran, and from when its pods were bound. */
export interface Start {
  readonly ms: number;
  readonly boundMs: number;
}

/** From the creation of its Deployment until both pods run. */
export async function startApplication(client: Client, application: Application): Promise<Start> {
  const { namespace, name, place } = application;
  await using watch = await PodWatch.start(client, namespace);
  const startedMs = performance.now();
  const labels = { app: name };
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
  const boundMs = [...watch.runningSinceMs].map(
    ([pod, runningMs]) => runningMs - (watch.boundSinceMs.get(pod) ?? runningMs),
  );
  await client.delete(Deployment, { namespace, name }, { propagationPolicy: 'Background' });
  return { ms, boundMs: Math.max(...boundMs) };
}
