import type { ContainerRunner } from '../containers/container-runner.ts';
import type { PodWorker } from '../pod-worker.ts';
import { HttpRefusal } from './http-refusal.ts';

/** The pods of a node, as its endpoint sees them. */
export interface PodDirectory {
  find(namespace: string, name: string): PodWorker | undefined;
  all(): Iterable<PodWorker>;
}

export function findPod(pods: PodDirectory, namespace: string, name: string): PodWorker {
  const worker = pods.find(namespace, name);
  if (worker) return worker;
  throw new HttpRefusal(404, `pod "${name}" does not exist`);
}

export function findContainer(worker: PodWorker, name: string): ContainerRunner {
  const runner = worker.containers.find((one) => one.name === name);
  if (runner) return runner;
  const pod = worker.pod.metadata.name;
  throw new HttpRefusal(404, `container "${name}" not found in pod "${pod}"`);
}

/** Commands need a container that runs. */
export function findRunning(worker: PodWorker, name: string): ContainerRunner {
  const runner = findContainer(worker, name);
  if (runner.isRunning) return runner;
  throw new HttpRefusal(500, `container not found ("${name}")`);
}
