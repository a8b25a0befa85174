import { ConfigMap, Lease, Node, type ObjectKey, Pod, strategicMergePatch } from '@liqo/kube';
import { describe, expect, test } from 'vitest';
import { eventually } from '../eventually.ts';
import { freshNamespace, type Subject } from './subject.ts';

/** A cluster with a node of minicluster's in it, whose clock runs. */
interface SubjectWithNode extends Subject {
  readonly nodeName: string;
}

export type GetSubjectWithNode = () => SubjectWithNode;

type PodSpec = NonNullable<Pod['spec']>;

const prefix = 'minicluster.liqo-ts.dev/';
const waitLong = { timeoutMs: 30_000 };

/** What a node does, seen through the API server alone: whichever API server that is. */
export function nodeAgent(subject: GetSubjectWithNode): void {
  describe('node agent', () => {
    const run = async (
      steering: Record<string, string> = {},
      spec: Partial<PodSpec> = {},
    ): Promise<ObjectKey> => {
      const { client, nodeName } = subject();
      const key = { namespace: await freshNamespace(subject()), name: 'web' };
      const prefixed = Object.entries(steering).map(([name, value]) => [prefix + name, value]);
      const containers = [{ name: 'main', image: 'example.org/app' }];
      await client.create(Pod, {
        metadata: { ...key, annotations: Object.fromEntries(prefixed) },
        spec: { nodeName, containers, ...spec },
      });
      return key;
    };
    const untilStatus = (pod: ObjectKey, expected: object) =>
      eventually(async () => {
        const found = await subject().client.get(Pod, pod);
        expect(found?.status).toMatchObject(expected);
        return found;
      }, waitLong);

    test('a node is registered, ready and leased', async () => {
      const { client, nodeName } = subject();
      const node = await client.get(Node, { name: nodeName });
      expect(node?.metadata.labels).toMatchObject({ 'kubernetes.io/hostname': nodeName });
      expect(node?.status?.conditions).toContainEqual(
        expect.objectContaining({
          type: 'Ready',
          status: 'True',
          reason: 'KubeletReady',
          message: 'kubelet is posting ready status',
        }),
      );
      const lease = await client.get(Lease, { namespace: 'kube-node-lease', name: nodeName });
      expect(lease?.spec?.holderIdentity).toBe(nodeName);
    });

    test('a pod becomes ready, with addresses, times and all conditions', async () => {
      const pod = await run();
      const found = await untilStatus(pod, { phase: 'Running' });
      expect(found?.status).toMatchObject({
        podIP: expect.stringMatching(/^\d+\.\d+\.\d+\.\d+$/),
        hostIP: expect.any(String),
        startTime: expect.any(String),
        containerStatuses: [{ name: 'main', ready: true, started: true, restartCount: 0 }],
      });
      const conditions = found?.status?.conditions ?? [];
      expect(conditions.map(({ type, status }) => `${type} ${status}`).sort()).toEqual([
        'ContainersReady True',
        'Initialized True',
        'PodReadyToStartContainers True',
        'PodScheduled True',
        'Ready True',
      ]);
      expect(conditions.filter(({ reason, message }) => reason || message)).toEqual([]);
    });

    test('a deleted pod goes once it has stopped', async () => {
      const pod = await run();
      await untilStatus(pod, { phase: 'Running' });
      await subject().client.delete(Pod, pod);
      await eventually(async () => {
        expect(await subject().client.get(Pod, pod)).toBeUndefined();
      }, waitLong);
    });

    test('a pod that ends well has succeeded, and keeps how it ended', async () => {
      const pod = await run({ 'exit-code': '0' }, { restartPolicy: 'Never' });
      const found = await untilStatus(pod, { phase: 'Succeeded' });
      expect(found?.status?.containerStatuses).toMatchObject([
        { ready: false, state: { terminated: { exitCode: 0, reason: 'Completed' } } },
      ]);
      expect(found?.status?.conditions).toContainEqual(
        expect.objectContaining({ type: 'Ready', status: 'False', reason: 'PodCompleted' }),
      );
    });

    test('a pod that ends badly has failed', async () => {
      const pod = await run({ 'exit-code': '7' }, { restartPolicy: 'Never' });
      await untilStatus(pod, {
        phase: 'Failed',
        containerStatuses: [{ state: { terminated: { exitCode: 7, reason: 'Error' } } }],
      });
    });

    test('a container that crashes again and again is held back', async () => {
      const pod = await run({ crash: 'always' });
      await untilStatus(pod, {
        phase: 'Running',
        containerStatuses: [
          { restartCount: 1, state: { waiting: { reason: 'CrashLoopBackOff' } }, ready: false },
        ],
      });
    });

    test('init containers run first', async () => {
      const initContainers = [{ name: 'first', image: 'example.org/app' }];
      const pod = await run({ 'exit-code.first': '0' }, { initContainers });
      await untilStatus(pod, {
        phase: 'Running',
        initContainerStatuses: [{ ready: true, state: { terminated: { exitCode: 0 } } }],
        containerStatuses: [{ ready: true }],
      });
    });

    test('a pod waits for a config map that it mounts', async () => {
      const volumes = [{ name: 'config', configMap: { name: 'settings' } }];
      const pod = await run({}, { volumes });
      await untilStatus(pod, {
        phase: 'Pending',
        containerStatuses: [{ state: { waiting: { reason: 'ContainerCreating' } } }],
      });
      const metadata = { namespace: pod.namespace ?? '', name: 'settings' };
      await subject().client.create(ConfigMap, { metadata });
      await untilStatus(pod, { phase: 'Running' });
    });

    test('a pod that does not fit its node has failed', async () => {
      const resources = { requests: { cpu: '9000' } };
      const containers = [{ name: 'main', image: 'example.org/app', resources }];
      const pod = await run({}, { containers });
      await untilStatus(pod, {
        phase: 'Failed',
        reason: 'OutOfcpu',
        message: expect.stringMatching(
          /^Pod was rejected: Node didn't have enough resource: cpu, /,
        ),
      });
    });

    test('a pod is resized while it runs, or told that it cannot be', async () => {
      const resources = { requests: { cpu: '100m' } };
      const containers = [{ name: 'main', image: 'example.org/app', resources }];
      const pod = await run({}, { containers });
      await untilStatus(pod, { containerStatuses: [{ resources }] });
      const resize = (cpu: string) => {
        const wanted = [{ name: 'main', resources: { requests: { cpu } } }];
        const patch = strategicMergePatch({ spec: { containers: wanted } });
        return subject().client.patch(Pod, pod, patch, { subresource: 'resize' });
      };
      await resize('200m');
      const found = await untilStatus(pod, {
        observedGeneration: 2,
        containerStatuses: [
          {
            restartCount: 0,
            resources: { requests: { cpu: '200m' } },
            allocatedResources: { cpu: '200m' },
          },
        ],
      });
      expect(found?.status?.phase).toBe('Running');
      await resize('9000');
      const pending = { type: 'PodResizePending', reason: 'Infeasible', status: 'True' };
      const waiting = expect.objectContaining({ ...pending, observedGeneration: 3 });
      await untilStatus(pod, { conditions: expect.arrayContaining([waiting]) });
      await resize('200m');
      await eventually(async () => {
        const { conditions = [] } = (await subject().client.get(Pod, pod))?.status ?? {};
        expect(conditions.filter(({ type }) => type.startsWith('PodResize'))).toEqual([]);
      }, waitLong);
    });

    test('a container that comes to look runs beside the others', async () => {
      const pod = await run();
      await untilStatus(pod, { phase: 'Running' });
      const ephemeralContainers = [{ name: 'look', image: 'example.org/debug' }];
      const patch = strategicMergePatch({ spec: { ephemeralContainers } });
      const subresource = 'ephemeralcontainers';
      await subject().client.patch(Pod, pod, patch, { subresource });
      await untilStatus(pod, {
        ephemeralContainerStatuses: [{ name: 'look', state: { running: expect.anything() } }],
      });
    });

    test('the API server passes on what a container writes', async () => {
      const pod = await run({ log: 'one\ntwo' });
      await untilStatus(pod, { phase: 'Running' });
      const chunks: Uint8Array[] = [];
      const log = await subject().client.logs(pod, { container: 'main', tailLines: 1 });
      for await (const chunk of log) chunks.push(chunk);
      expect(Buffer.concat(chunks).toString()).toBe('two\n');
    });
  });
}
