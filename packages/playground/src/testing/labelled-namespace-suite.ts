import {
  labels,
  labelValues,
  NamespaceOffloading,
  ShadowPod,
  virtualNodeToleration,
} from '@liqo/api';
import { DaemonSet, Deployment, mergePatch, Namespace, Node, Pod } from '@liqo/kube';
import { eventually } from '@liqo/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { WorldCluster } from '../kubernetes.ts';
import type { World } from '../world.ts';

const namespace = 'demo';
const remoteNamespace = 'demo-rome';
const virtualNode = 'mynode';

/** What the label `liqo.io/enabled` does, on any Kubernetes. Each test goes on from where the one before it has ended. */
export function labelledNamespaceSuite<C extends WorldCluster<C>>(
  provide: () => World<C>,
  patient: { readonly timeoutMs: number; readonly intervalMs?: number },
): void {
  describe('a namespace with the label liqo.io/enabled=true', () => {
    const wait = (look: () => Promise<void>) => eventually(look, patient);
    const atRome = () => provide().cluster('rome').client;
    const atMilan = () => provide().cluster('milan').client;

    /** Cordoned, the nodes of the consumer leave the virtual node as the only choice of the scheduler. */
    async function cordon(unschedulable: boolean): Promise<void> {
      const { items } = await atRome().list(Node, {
        labelSelector: `${labels.type}!=${labelValues.virtualNode}`,
      });
      for (const { metadata } of items) {
        const key = { name: metadata.name };
        await atRome().patch(Node, key, mergePatch({ spec: { unschedulable } }));
      }
    }

    async function label(value: 'true' | null): Promise<void> {
      const marks = mergePatch({ metadata: { labels: { [labels.enabled]: value } } } as never);
      await atRome().patch(Namespace, { name: namespace }, marks);
    }

    beforeAll(async () => {
      await atRome().create(Namespace, { metadata: { name: namespace } });
      await cordon(true);
    });

    afterAll(() => cordon(false));

    const key = { namespace, name: 'web' };
    const podsOf = async (client = atRome(), where = namespace) =>
      (await client.list(Pod, { namespace: where, labelSelector: 'app=web' })).items;

    test('runs the pods of a plain Deployment at the provider, without any other step', async () => {
      const marks = { app: 'web' };
      const template = { metadata: { labels: marks }, ...provide().kubernetes.website };
      expect(template.spec).not.toHaveProperty('nodeSelector');
      expect(template.spec).not.toHaveProperty('tolerations');
      await label('true');
      await atRome().create(Deployment, {
        metadata: key,
        spec: {
          replicas: 2,
          selector: { matchLabels: marks },
          template: { ...template, metadata: { labels: marks } },
        },
      });
      await wait(async () => {
        const pods = await podsOf();
        const where = pods.map(({ spec, status }) => [spec?.nodeName, status?.phase]);
        expect(where).toEqual([
          [virtualNode, 'Running'],
          [virtualNode, 'Running'],
        ]);
        expect((await atRome().get(Deployment, key))?.status?.availableReplicas).toBe(2);
      });
      const names = (await podsOf()).map(({ metadata }) => metadata.name);
      const remote = await podsOf(atMilan(), remoteNamespace);
      expect(remote.map(({ metadata }) => metadata.name)).toEqual(names);
      expect(remote.map(({ status }) => status?.phase)).toEqual(['Running', 'Running']);
    });

    test('has pods of a DaemonSet on virtual nodes only if its template tolerates them', async () => {
      const { spec } = provide().kubernetes.website;
      const agents = [
        ['agent', []],
        ['agent-everywhere', [{ ...virtualNodeToleration }]],
      ] as const;
      for (const [name, tolerations] of agents) {
        const marks = { agent: name };
        const template = {
          ...spec,
          containers: spec?.containers ?? [],
          tolerations: [...tolerations],
        };
        await atRome().create(DaemonSet, {
          metadata: { namespace, name },
          spec: {
            selector: { matchLabels: marks },
            template: { metadata: { labels: marks }, spec: template },
          },
        });
      }
      const nodesOf = async (name: string) => {
        const { items } = await atRome().list(Pod, { namespace, labelSelector: `agent=${name}` });
        return items.map(({ spec }) => spec?.nodeName).toSorted();
      };
      const { items } = await atRome().list(Node);
      const nodes = items.map(({ metadata }) => metadata.name).toSorted();
      const machines = nodes.filter((name) => name !== virtualNode);
      for (const [name, on] of [
        ['agent-everywhere', nodes],
        ['agent', machines],
      ] as const) {
        await wait(async () => {
          const found = await atRome().get(DaemonSet, { namespace, name });
          expect(found?.status).toMatchObject({
            desiredNumberScheduled: on.length,
            numberAvailable: on.length,
          });
        });
        expect(await nodesOf(name)).toEqual(on);
        await atRome().delete(DaemonSet, { namespace, name });
      }
    });

    test('is taken back from the provider when the label is removed', async () => {
      await label(null);
      await atRome().delete(Deployment, key);
      await wait(async () => {
        expect((await atRome().list(NamespaceOffloading, { namespace })).items).toEqual([]);
        expect((await atMilan().list(ShadowPod, { namespace: remoteNamespace })).items).toEqual([]);
        expect(await atMilan().get(Namespace, { name: remoteNamespace })).toBeUndefined();
      });
    });
  });
}
