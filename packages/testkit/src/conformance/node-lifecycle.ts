import { type Client, findCondition, Lease, mergePatch, Node, Pod } from '@liqo/kube';
import { describe, expect, test } from 'vitest';
import { eventually } from '../eventually.ts';
import { eventsAbout, storiesAbout } from './events-about.ts';
import { podTemplate, runPod } from './play-kubelet.ts';
import { serverTime } from './server-time.ts';
import { freshNamespace, type GetSubject } from './subject.ts';

const notReady = 'node.kubernetes.io/not-ready';
const unreachable = 'node.kubernetes.io/unreachable';

/** Health is looked at every five seconds. */
const patiently = { timeoutMs: 30_000 };
const patientTest = { timeout: 120_000 };

export interface NodeLifecycleOptions {
  /** How long after its last sign of life a node counts as silent. */
  readonly monitorGraceMs?: number;
}

/** What becomes of nodes that are in trouble, and of their pods. */
export function nodeLifecycle(subject: GetSubject, options: NodeLifecycleOptions = {}): void {
  describe('node lifecycle', () => {
    test(
      'a node that says it is not ready is tainted, until it is ready again',
      patientTest,
      async () => {
        await using zone = await makeZone(subject().client);
        const untilTainted = (taints: readonly string[]) =>
          eventually(
            async () => {
              await zone.renew('well');
              expect(await zone.taints('sick')).toEqual(taints);
            },
            { ...patiently, intervalMs: 500 },
          );
        await zone.post('sick', 'False');
        await untilTainted([`${notReady}:NoExecute`, `${notReady}:NoSchedule`]);
        await zone.post('sick', 'True');
        await untilTainted([]);
        expect(await zone.taints('well')).toEqual([]);
      },
    );

    test('nodes that come and go are noticed', patientTest, async () => {
      const { client } = subject();
      const zone = await makeZone(client);
      const name = zone.name('well');
      const told = (reason: string, text: string) =>
        `node-controller Normal ${reason}: Node ${name} event: ${text} Controller`;
      // Whoever assigns ranges of addresses may complain that it has done so already.
      const isOurs = (story: string) => story.startsWith('node-controller ');
      const until = (stories: readonly string[]) =>
        eventually(async () => {
          const all = await storiesAbout(client, 'default', name);
          expect(all.filter(isOurs)).toEqual(stories);
        }, patiently);
      const registered = told('RegisteredNode', `Registered Node ${name} in`);
      await until([registered]);
      const events = await eventsAbout(client, 'default', name);
      const event = events.find(({ reason }) => reason === 'RegisteredNode');
      const about = { apiVersion: 'v1', kind: 'Node', name, uid: expect.any(String) };
      expect(event?.involvedObject).toEqual(about);
      await zone[Symbol.asyncDispose]();
      await until([registered, told('RemovingNode', `Removing Node ${name} from`)]);
    });

    test('trouble of other kinds, and a cordon, keep new pods away', patientTest, async () => {
      const { client } = subject();
      await using zone = await makeZone(client);
      await zone.post('sick', 'True', [{ type: 'DiskPressure', status: 'True' }]);
      const node = { name: zone.name('sick') };
      await client.patch(Node, node, mergePatch({ spec: { unschedulable: true } }));
      await eventually(async () => {
        expect(await zone.taints('sick')).toEqual([
          'node.kubernetes.io/disk-pressure:NoSchedule',
          'node.kubernetes.io/unschedulable:NoSchedule',
        ]);
      }, patiently);
      await client.patch(Node, node, mergePatch({ spec: { unschedulable: null } }));
      await zone.post('sick', 'True');
      await eventually(async () => expect(await zone.taints('sick')).toEqual([]), patiently);
    });

    test('pods leave a node whose taint they do not tolerate any longer', patientTest, async () => {
      const { client } = subject();
      await using zone = await makeZone(client);
      const namespace = await freshNamespace(subject());
      const key = 'example.org/broken';
      const tolerate = (tolerationSeconds?: number) => ({
        key,
        operator: 'Exists',
        effect: 'NoExecute',
        ...(tolerationSeconds !== undefined && { tolerationSeconds }),
      });
      await zone.run(namespace, 'stays', [tolerate()]);
      await zone.run(namespace, 'leaves', []);
      await zone.run(namespace, 'lingers', [tolerate(5)]);
      const leaving = async (name: string) =>
        (await client.get(Pod, { namespace, name }))?.metadata.deletionTimestamp !== undefined;
      const taints = [{ key, effect: 'NoExecute' }];
      await client.patch(Node, { name: zone.name('sick') }, mergePatch({ spec: { taints } }));
      await eventually(async () => expect(await leaving('leaves')).toBe(true), patiently);
      expect(await leaving('lingers')).toBe(false);
      const { status } = (await client.get(Pod, { namespace, name: 'leaves' })) ?? {};
      expect(findCondition(status?.conditions, 'DisruptionTarget')).toMatchObject({
        status: 'True',
        reason: 'DeletionByTaintManager',
        message: 'Taint manager: deleting due to NoExecute taint',
      });
      await eventually(async () => expect(await leaving('lingers')).toBe(true), patiently);
      expect(await leaving('stays')).toBe(false);
    });

    const { monitorGraceMs = 50_000 } = options;
    const silenceTest = { timeout: monitorGraceMs + 60_000 };
    test(
      'a node that falls silent is unknown, and its pods are not ready',
      silenceTest,
      async () => {
        const { client } = subject();
        await using zone = await makeZone(client);
        const namespace = await freshNamespace(subject());
        const tolerations = [{ operator: 'Exists' }];
        await zone.run(namespace, 'stays', tolerations);
        const node = { name: zone.name('sick') };
        await eventually(
          async () => {
            await zone.renew('well');
            const { status } = (await client.get(Node, node)) ?? {};
            expect(findCondition(status?.conditions, 'Ready')).toMatchObject({
              status: 'Unknown',
              reason: 'NodeStatusUnknown',
              message: 'Kubelet stopped posting node status.',
            });
            expect(await zone.taints('sick')).toEqual([
              `${unreachable}:NoExecute`,
              `${unreachable}:NoSchedule`,
            ]);
            const pod = await client.get(Pod, { namespace, name: 'stays' });
            expect(findCondition(pod?.status?.conditions, 'Ready')?.status).toBe('False');
          },
          { timeoutMs: monitorGraceMs + 30_000, intervalMs: 500 },
        );
        const { status } = (await client.get(Node, node)) ?? {};
        expect(findCondition(status?.conditions, 'PIDPressure')).toMatchObject({
          status: 'Unknown',
          reason: 'NodeStatusNeverUpdated',
          message: 'Kubelet never posted node status.',
        });
        expect(await zone.taints('well')).toEqual([]);
        await eventually(async () => {
          expect(await storiesAbout(client, 'default', node.name)).toContain(
            `node-controller Normal NodeNotReady: Node ${node.name} status is now: NodeNotReady`,
          );
          expect(await storiesAbout(client, namespace, 'stays')).toContain(
            'node-controller Warning NodeNotReady: Node is not ready',
          );
        }, patiently);
      },
    );
  });
}

/** Two nodes in a zone of their own, so that no other node's trouble counts as theirs. */
async function makeZone(client: Client) {
  const zone = `zone-${crypto.randomUUID().slice(0, 8)}`;
  const names = ['well', 'sick'] as const;
  type Name = (typeof names)[number];
  const name = (which: Name) => `${which}-${zone}`;
  const post = async (which: Name, ready: string, others: object[] = []) => {
    const now = await serverTime(client);
    const times = { lastHeartbeatTime: now, lastTransitionTime: now };
    const conditions = [{ type: 'Ready', status: ready }, ...others];
    const status = { conditions: conditions.map((condition) => ({ ...condition, ...times })) };
    const options = { subresource: 'status' as const };
    await client.patch(Node, { name: name(which) }, mergePatch({ status }), options);
  };
  const lease = (which: Name) => ({ namespace: 'kube-node-lease', name: name(which) });
  for (const which of names) {
    const labels = { 'topology.kubernetes.io/zone': zone };
    await client.create(Node, { metadata: { name: name(which), labels } });
    await client.create(Lease, {
      metadata: lease(which),
      spec: { holderIdentity: name(which), leaseDurationSeconds: 40 },
    });
    await post(which, 'True');
  }
  return {
    name,
    post,
    renew: async (which: Name) => {
      const now = await serverTime(client);
      const renewTime = `${now.slice(0, -1)}.000000Z`;
      await client.patch(Lease, lease(which), mergePatch({ spec: { renewTime } }));
    },
    taints: async (which: Name) => {
      const { spec } = (await client.get(Node, { name: name(which) })) ?? {};
      return (spec?.taints ?? []).map(({ key, effect }) => `${key}:${effect}`).toSorted();
    },
    run: async (namespace: string, pod: string, tolerations: object[]) => {
      const spec = { ...podTemplate({}).spec, tolerations };
      await client.create(Pod, { metadata: { namespace, name: pod }, spec });
      await client.bind({ namespace, name: pod }, name('sick'));
      await runPod(client, { namespace, name: pod });
    },
    [Symbol.asyncDispose]: async () => {
      for (const which of names) {
        await client.delete(Node, { name: name(which) });
        await client.delete(Lease, lease(which));
      }
    },
  };
}
