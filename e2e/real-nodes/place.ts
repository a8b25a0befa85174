import { findCondition, Namespace, Pod, ServiceAccount } from '@liqo/kube';
import { eventually } from '@liqo/testkit';
import type { RealCluster } from '@liqo/testkit/cluster';
import { expect, test } from 'vitest';
import { kubectl } from './kubectl.ts';
import type { Pair } from './start-pair.ts';

/** For what comes by itself, on a machine that does twenty other things. */
export const patience = { timeoutMs: 90_000, intervalMs: 400 };

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
  test(sentence, async () => {
    const behave = async (cluster: RealCluster) => {
      const place = await openPlace(cluster, nameAfter(sentence));
      await behaviour(place);
      await cluster.client.delete(Namespace, { name: place.namespace });
    };
    await Promise.all(pair().clusters.map(behave));
  });
}

/** A fresh namespace in which pods can be created. Waits without kubectl: two dozen of them are no small load. */
export async function openPlace(cluster: RealCluster, namespace: string): Promise<Place> {
  const { client } = cluster;
  const run = (line: string, input?: string) => kubectl(cluster, `-n ${namespace} ${line}`, input);
  await client.create(Namespace, { metadata: { name: namespace } });
  await eventually(async () => {
    expect(await client.get(ServiceAccount, { namespace, name: 'default' })).toBeDefined();
  }, patience);
  return {
    cluster,
    namespace,
    run,
    apply: async (...objects) => {
      const list = { apiVersion: 'v1', kind: 'List', items: objects };
      await run('apply -f -', JSON.stringify(list));
    },
    ready: (name) =>
      eventually(async () => {
        const pod = await client.get(Pod, { namespace, name });
        expect(findCondition(pod?.status?.conditions, 'Ready')).toMatchObject({ status: 'True' });
      }, patience),
  };
}

function nameAfter(sentence: string): string {
  const words = sentence.toLowerCase().replace(/[^a-z]+/g, '-');
  return words.slice(0, 50).replace(/-$/, '');
}
