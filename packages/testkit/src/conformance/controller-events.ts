import {
  type Client,
  ConfigMap,
  DaemonSet,
  Deployment,
  Job,
  mergePatch,
  Node,
  type ObjectKey,
  Pod,
  PodDisruptionBudget,
  ReplicaSet,
  ResourceQuota,
  Service,
  StatefulSet,
} from '@liqo/kube';
import { describe, expect, test } from 'vitest';
import { eventually } from '../eventually.ts';
import { rejection } from '../rejection.ts';
import { eventsAbout, storiesAbout } from './events-about.ts';
import { finishPod, podTemplate, runPod } from './play-kubelet.ts';
import { fresh } from './rights.ts';
import { freshNamespace, type GetSubject } from './subject.ts';

const labels = { app: 'web' };
const selector = { matchLabels: labels };
/** Some controllers gather the changes of seconds before they act. */
const patiently = { timeoutMs: 30_000 };
const patientTest = { timeout: 120_000 };

/** What controllers tell people about their work. */
export function controllerEvents(subject: GetSubject): void {
  describe('events of controllers', () => {
    const start = async () => {
      const { client } = subject();
      const namespace = await freshNamespace(subject());
      const key = { namespace, name: 'web' };
      const until = (stories: readonly string[], name = 'web') =>
        eventually(async () => {
          expect(await storiesAbout(client, namespace, name)).toEqual(stories);
        }, patiently);
      return { client, namespace, key, until };
    };

    test('a ReplicaSet says which pods were made and removed', async () => {
      const { client, key, until, namespace } = await start();
      const made = await client.create(ReplicaSet, {
        metadata: key,
        spec: { replicas: 1, selector, template: podTemplate(labels) },
      });
      await until(['replicaset-controller Normal SuccessfulCreate: Created pod: web-xxxxx']);
      const [event] = await eventsAbout(client, namespace, 'web');
      expect(event).toMatchObject({
        metadata: { namespace, name: expect.stringMatching(/^web\.[0-9a-f]{16}$/) },
        involvedObject: { apiVersion: 'apps/v1', kind: 'ReplicaSet', namespace, name: 'web' },
        count: 1,
        firstTimestamp: expect.any(String),
        lastTimestamp: event?.firstTimestamp ?? '',
        reportingComponent: 'replicaset-controller',
        reportingInstance: '',
      });
      expect(event?.involvedObject.uid).toBe(made.metadata.uid);
      expect(event?.source).toEqual({ component: 'replicaset-controller' });
      await client.patch(ReplicaSet, key, mergePatch({ spec: { replicas: 0 } }));
      await until([
        'replicaset-controller Normal SuccessfulCreate: Created pod: web-xxxxx',
        'replicaset-controller Normal SuccessfulDelete: Deleted pod: web-xxxxx',
      ]);
    });

    test('what is much alike is combined and counted', async () => {
      const { client, key, namespace } = await start();
      await client.create(ReplicaSet, {
        metadata: key,
        spec: { replicas: 12, selector, template: podTemplate(labels) },
      });
      await eventually(async () => {
        const events = await eventsAbout(client, namespace, 'web');
        expect(events).toHaveLength(10);
        const combined = events.filter(({ message = '' }) => message.startsWith('(combined'));
        expect(combined).toMatchObject([
          {
            count: 3,
            message: expect.stringMatching(
              /^\(combined from similar events\): Created pod: web-.{5}$/,
            ),
            reportingComponent: '',
            source: { component: 'replicaset-controller' },
          },
        ]);
      });
    });

    test('a ReplicaSet says why it cannot make pods', async () => {
      const { client, namespace, key } = await start();
      await client.create(ResourceQuota, {
        metadata: { namespace, name: 'none' },
        spec: { hard: { pods: '0' } },
      });
      await untilNoPodIsAdmitted(client, namespace);
      await client.create(ReplicaSet, {
        metadata: key,
        spec: { replicas: 1, selector, template: podTemplate(labels) },
      });
      const refused =
        'pods "web-xxxxx" is forbidden: exceeded quota: none, requested: pods=1, used: pods=0, limited: pods=0';
      await eventually(async () => {
        expect(await storiesAbout(client, namespace, 'web')).toContain(
          `replicaset-controller Warning FailedCreate: Error creating: ${refused}`,
        );
      }, patiently);
    });

    test('a Deployment says how it scales its ReplicaSets', async () => {
      const { client, key, until, namespace } = await start();
      const template = podTemplate(labels);
      await client.create(Deployment, { metadata: key, spec: { replicas: 2, selector, template } });
      const scaled = (text: string) =>
        `deployment-controller Normal ScalingReplicaSet: Scaled ${text}`;
      await until([scaled('up replica set web-HASH from 0 to 2')]);
      await client.patch(Deployment, key, mergePatch({ spec: { replicas: 3 } }));
      await until([
        scaled('up replica set web-HASH from 0 to 2'),
        scaled('up replica set web-HASH from 2 to 3'),
      ]);
      await runAll(client, namespace, 3);
      const { containers } = podTemplate(labels, 'example.org/app:2').spec;
      await client.patch(
        Deployment,
        key,
        mergePatch({ spec: { template: { spec: { containers } } } }),
      );
      await until([
        scaled('up replica set web-HASH from 0 to 1'),
        scaled('up replica set web-HASH from 0 to 2'),
        scaled('up replica set web-HASH from 2 to 3'),
      ]);
      await runAll(client, namespace, 4);
      await eventually(async () => {
        expect(await storiesAbout(client, namespace, 'web')).toContain(
          scaled('down replica set web-HASH from 3 to 2'),
        );
      }, patiently);
    });

    test('a StatefulSet says which pods and claims were made and removed', async () => {
      const { client, key, until } = await start();
      const spec = {
        accessModes: ['ReadWriteOnce'],
        resources: { requests: { storage: '1Gi' } },
        storageClassName: 'none',
      };
      await client.create(StatefulSet, {
        metadata: key,
        spec: {
          serviceName: 'web',
          replicas: 1,
          selector,
          template: podTemplate(labels),
          volumeClaimTemplates: [{ metadata: { name: 'data' }, spec }],
        },
      });
      const told = (verb: 'Create' | 'Delete', text: string) =>
        `statefulset-controller Normal Successful${verb}: ${verb} ${text}`;
      const made = [
        told('Create', 'Claim data-web-0 Pod web-0 in StatefulSet web success'),
        told('Create', 'Pod web-0 in StatefulSet web successful'),
      ];
      await until(made);
      await client.patch(StatefulSet, key, mergePatch({ spec: { replicas: 0 } }));
      await until([...made, told('Delete', 'Pod web-0 in StatefulSet web successful')]);
    });

    test('a DaemonSet says which pods were made, and which failed', async () => {
      const { client, key, until, namespace } = await start();
      await using node = await makeNode(client, namespace);
      const template = podTemplate(labels);
      await client.create(DaemonSet, {
        metadata: key,
        spec: {
          selector,
          template: { ...template, spec: { ...template.spec, nodeSelector: node.labels } },
        },
      });
      const made = 'daemonset-controller Normal SuccessfulCreate: Created pod: web-xxxxx';
      await until([made]);
      const [pod] = (await client.list(Pod, { namespace })).items;
      const podKey = { namespace, name: pod?.metadata.name ?? '' };
      await client.bind(podKey, node.name);
      await finishPod(client, podKey, 'Failed');
      await until([
        made,
        made,
        'daemonset-controller Normal SuccessfulDelete: Deleted pod: web-xxxxx',
        `daemonset-controller Warning FailedDaemonPod: Found failed daemon pod ${namespace}/web-xxxxx on node ${node.name}, will try to kill it`,
      ]);
    });

    test('a Job says when it rests, goes on and is done', patientTest, async () => {
      const { client, key, until, namespace } = await start();
      await client.create(Job, { metadata: key, spec: { suspend: true, template: runOnce() } });
      await until(['job-controller Normal Suspended: Job suspended']);
      await untilItRests(client, key);
      await client.patch(Job, key, mergePatch({ spec: { suspend: false } }));
      const begun = [
        'job-controller Normal Resumed: Job resumed',
        'job-controller Normal SuccessfulCreate: Created pod: web-xxxxx',
        'job-controller Normal Suspended: Job suspended',
      ];
      await until(begun);
      await finishAll(client, namespace, 'Succeeded');
      await until(['job-controller Normal Completed: Job completed', ...begun]);
    });

    test('a Job says why it has failed', patientTest, async () => {
      const { client, key, until, namespace } = await start();
      await client.create(Job, { metadata: key, spec: { backoffLimit: 0, template: runOnce() } });
      const made = 'job-controller Normal SuccessfulCreate: Created pod: web-xxxxx';
      await until([made]);
      await finishAll(client, namespace, 'Failed');
      await until([
        made,
        'job-controller Warning BackoffLimitExceeded: Job has reached the specified backoff limit',
      ]);
    });

    test('a disruption budget says that there are no pods, or that nobody manages them', async () => {
      const { client, key, until, namespace } = await start();
      const spec = { selector, minAvailable: '50%' };
      await client.create(PodDisruptionBudget, { metadata: key, spec });
      const none = 'controllermanager Normal NoPods: No matching pods found';
      await until([none]);
      await client.create(Pod, {
        metadata: { namespace, name: 'lonely', labels },
        spec: podTemplate(labels).spec,
      });
      const text =
        'Pods selected by this PodDisruptionBudget (selector: &LabelSelector{MatchLabels:map[string]string{app: web,},MatchExpressions:[]LabelSelectorRequirement{},}) were found to be unmanaged. As a result, the status of the PDB cannot be calculated correctly, which may result in undefined behavior. To account for these pods please set ".spec.minAvailable" field of the PDB to an integer value.';
      await until([none, `controllermanager Warning UnmanagedPods: ${text}`]);
    });

    test('pods are told that a taint drives them away, or does not any more', async () => {
      const { client, namespace, until } = await start();
      await using node = await makeNode(client, namespace);
      const key = 'example.org/broken';
      const tolerations = [
        { key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 600 },
      ];
      for (const [name, tolerated] of [
        ['leaves', []],
        ['lingers', tolerations],
      ] as const) {
        const spec = { ...podTemplate({}).spec, tolerations: [...tolerated] };
        await client.create(Pod, { metadata: { namespace, name }, spec });
        await client.bind({ namespace, name }, node.name);
        await runPod(client, { namespace, name });
      }
      const taint = (taints: object[]) =>
        client.patch(Node, { name: node.name }, mergePatch({ spec: { taints } as never }));
      await taint([{ key, effect: 'NoExecute' }]);
      const told = (text: string) =>
        `taint-eviction-controller Normal TaintManagerEviction: ${text}`;
      await until([told(`Marking for deletion Pod ${namespace}/leaves`)], 'leaves');
      const [event] = await eventsAbout(client, namespace, 'leaves');
      const about = { apiVersion: 'v1', kind: 'Pod', namespace, name: 'leaves' };
      expect(event?.involvedObject).toEqual(about);
      await taint([]);
      await until([told(`Cancelling deletion of Pod ${namespace}/lingers`)], 'lingers');
    });

    test('a Service says which of its pods have no node', async () => {
      const { client, key, namespace } = await start();
      await client.create(Service, {
        metadata: key,
        spec: { selector: labels, ports: [{ port: 80 }] },
      });
      const nodeName = fresh('nowhere');
      await client.create(Pod, {
        metadata: { namespace, name: 'lost', labels },
        spec: { ...podTemplate(labels).spec, nodeName },
      });
      await runPod(client, { namespace, name: 'lost' }, { podIP: '10.9.8.7' });
      const fact = `skipping Pod lost for Service ${namespace}/web: Node ${nodeName} Not Found`;
      await eventually(async () => {
        expect(await storiesAbout(client, namespace, 'web')).toContain(
          `endpoint-slice-controller Warning FailedToUpdateEndpointSlices: Error updating Endpoint Slices for Service ${namespace}/web: ${fact}`,
        );
      }, patiently);
    });

    test('a dependent is told that its owner is in another namespace', async () => {
      const { client, until, namespace } = await start();
      const elsewhere = await freshNamespace(subject());
      const metadata = { namespace: elsewhere, name: 'owner' };
      const { apiVersion, kind, metadata: owner } = await client.create(ConfigMap, { metadata });
      const { name, uid } = owner;
      await client.create(ConfigMap, {
        metadata: { namespace, name: 'web', ownerReferences: [{ apiVersion, kind, name, uid }] },
      });
      const text = `ownerRef [v1/ConfigMap, namespace: ${namespace}, name: owner, uid: ${uid}] does not exist in namespace "${namespace}"`;
      await until([`garbage-collector-controller Warning OwnerRefInvalidNamespace: ${text}`]);
    });
  });
}

function runOnce() {
  const template = podTemplate(labels);
  return { ...template, spec: { ...template.spec, restartPolicy: 'Never' } };
}

/**
 * The controller says that a Job rests before it writes it down: whoever writes the Job in between
 * makes it try again from the start, and then it has never rested.
 */
async function untilItRests(client: Client, key: ObjectKey): Promise<void> {
  await eventually(async () => {
    const { status } = (await client.get(Job, key)) ?? {};
    expect(status?.conditions).toMatchObject([{ type: 'Suspended', status: 'True' }]);
  }, patiently);
}

/** The quota is in force once the server that admits pods knows what its controller has written down. */
async function untilNoPodIsAdmitted(client: Client, namespace: string): Promise<void> {
  const pod = { metadata: { namespace, name: 'probe' }, spec: podTemplate(labels).spec };
  await eventually(async () => {
    const creation = client.create(Pod, pod, { dryRun: true });
    expect(String(await rejection(creation))).toContain('exceeded quota: none');
  }, patiently);
}

/** Once there are so many pods, those that wait are ready. */
async function runAll(client: Client, namespace: string, count: number): Promise<void> {
  const { items } = await eventually(async () => {
    const list = await client.list(Pod, { namespace });
    expect(list.items).toHaveLength(count);
    return list;
  });
  for (const { metadata, status } of items) {
    if (status?.phase === 'Pending') await runPod(client, { namespace, name: metadata.name });
  }
}

async function finishAll(client: Client, namespace: string, phase: 'Succeeded' | 'Failed') {
  const { items } = await client.list(Pod, { namespace });
  for (const { metadata } of items) {
    await finishPod(client, { namespace, name: metadata.name }, phase);
  }
}

/** A node of the test's own; its name has a full stop so that no part of it looks made up. */
async function makeNode(client: Client, namespace: string) {
  const labels = { pool: namespace };
  const name = `${namespace}.node`;
  await client.create(Node, { metadata: { name, labels } });
  return {
    name,
    labels,
    [Symbol.asyncDispose]: async () => {
      await client.delete(Node, { name });
    },
  };
}
