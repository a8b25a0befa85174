import {
  Deployment,
  findCondition,
  Job,
  type Kind,
  type KubeObject,
  Namespace,
  Pod,
  Service,
  ServiceAccount,
} from '@liqo/kube';
import { eventually } from '@liqo/testkit';
import type { RealCluster } from '@liqo/testkit/real-cluster';
import { expect, test } from 'vitest';
import { kubectl } from './kubectl.ts';
import type { Pair } from './start-pair.ts';

/** For what comes by itself, on a machine that does twenty other things. */
export const patience = { timeoutMs: 90_000, intervalMs: 400 };

/** Called inside of tests only: the pair starts after they have been declared. */
export type GetPair = () => Pair;

type ContainerStatus = NonNullable<NonNullable<Pod['status']>['containerStatuses']>[number];

/** A cluster, and kubectl in a namespace of the test's own. */
export interface Place {
  readonly cluster: RealCluster;
  readonly namespace: string;
  /** What kubectl prints; throws what it complains of. */
  run(line: string, input?: string): Promise<string>;
  create(...objects: readonly object[]): Promise<void>;
  /** Resolves when the pod is ready. */
  ready(pod: string): Promise<void>;
  /** What is known of the only container of the pod. */
  container(pod: string): Promise<ContainerStatus | undefined>;
}

/** A test that both clusters have to pass, at the same time, and after those that were declared before it. */
export function testOnBoth(
  pair: GetPair,
  sentence: string,
  behaviour: (place: Place) => Promise<void>,
): void {
  test.sequential(sentence, async () => {
    const behave = async (cluster: RealCluster) => {
      const place = await openPlace(cluster, nameAfter(sentence));
      await behaviour(place);
      await cluster.client.delete(Namespace, { name: place.namespace });
    };
    await Promise.all(pair().clusters.map(behave));
  });
}

/** A fresh namespace in which pods can be created. Does without kubectl what it can: dozens of them are no small load. */
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
    create: async (...objects: readonly KubeObject[]) => {
      for (const object of objects) {
        const metadata = { ...object.metadata, namespace };
        await client.create(kindOf(object), { ...object, metadata });
      }
    },
    container: async (name) =>
      (await client.get(Pod, { namespace, name }))?.status?.containerStatuses?.[0],
    ready: (name) =>
      eventually(async () => {
        const pod = await client.get(Pod, { namespace, name });
        expect(findCondition(pod?.status?.conditions, 'Ready')).toMatchObject({ status: 'True' });
      }, patience),
  };
}

const kinds: readonly Kind[] = [Deployment, Job, Pod, Service];

function kindOf({ kind }: KubeObject): Kind {
  const found = kinds.find((one) => one.kind === kind);
  if (found) return found;
  throw new Error(`Cannot create a "${kind}": the tests of nodes have no use for it`);
}

function nameAfter(sentence: string): string {
  const words = sentence.toLowerCase().replace(/[^a-z]+/g, '-');
  return words.slice(0, 50).replace(/-$/, '');
}
