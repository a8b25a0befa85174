import { eventually } from '@liqo/testkit';
import type { RealCluster } from '@liqo/testkit/cluster';
import { test } from 'vitest';
import { kubectl } from './kubectl.ts';
import type { Pair } from './start-pair.ts';

export const patience = { timeoutMs: 40_000, intervalMs: 200 };

/** Eight nodes' worth of programs may share two processors with other suites. */
const timeoutMs = 180_000;

/** Called inside of tests only: the pair starts after they have been declared. */
export type GetPair = () => Pair;

/** A cluster, and kubectl in a namespace of the test's own. */
export interface Place {
  readonly cluster: RealCluster;
  readonly namespace: string;
  /** What kubectl prints; throws what it complains of. */
  run(line: string, input?: string): Promise<string>;
  apply(...objects: readonly object[]): Promise<void>;
  /** Resolves when the pod is ready. */
  ready(pod: string): Promise<void>;
}

/** A test that both clusters have to pass, at the same time. */
export function testOnBoth(
  pair: GetPair,
  sentence: string,
  behaviour: (place: Place) => Promise<void>,
): void {
  test(
    sentence,
    async () => {
      const behave = async (cluster: RealCluster) => {
        const place = await openPlace(cluster, nameAfter(sentence));
        await behaviour(place);
        await place.run(`delete namespace ${place.namespace} --wait=false`);
      };
      await Promise.all(pair().clusters.map(behave));
    },
    timeoutMs,
  );
}

/** A fresh namespace in which pods can be created. */
export async function openPlace(cluster: RealCluster, namespace: string): Promise<Place> {
  const run = (line: string, input?: string) => kubectl(cluster, `-n ${namespace} ${line}`, input);
  await kubectl(cluster, `create namespace ${namespace}`);
  await eventually(() => run('get serviceaccount default'), patience);
  return {
    cluster,
    namespace,
    run,
    apply: async (...objects) => {
      const list = { apiVersion: 'v1', kind: 'List', items: objects };
      await run('apply -f -', JSON.stringify(list));
    },
    ready: async (pod) => {
      await run(`wait pod/${pod} --for=condition=Ready --timeout=40s`);
    },
  };
}

function nameAfter(sentence: string): string {
  const words = sentence.toLowerCase().replace(/[^a-z]+/g, '-');
  return words.slice(0, 50).replace(/-$/, '');
}
