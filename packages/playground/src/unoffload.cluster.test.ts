import {
  fixedNames,
  labels,
  labelValues,
  NamespaceOffloading,
  virtualNodeToleration,
} from '@liqo/api';
import { Deployment, findCondition, Job, Pod, type Stored } from '@liqo/kube';
import type { Minicluster } from '@liqo/minicluster';
import { systemClock, systemRandom } from '@liqo/runtime';
import { eventually } from '@liqo/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { embeddedKubernetes } from './embedded-kubernetes.ts';
import { startWorld } from './start-world.ts';
import type { World } from './world.ts';

const patient = { timeoutMs: 60_000 };
const namespace = 'shop';
/** Does not end by itself when it is asked to stop: it is killed. */
const stubborn: Record<string, string> = { 'stop-after': '1h' };
const offloading = { namespace, name: fixedNames.namespaceOffloading };

/** The pods of one application run at the provider. The namespace is unoffloaded, then offloaded again. */
describe('after the namespace is unoffloaded', () => {
  let world: World<Minicluster>;
  let rome: Minicluster;
  let milan: Minicluster;

  beforeAll(async () => {
    const kubernetes = await embeddedKubernetes({ clock: systemClock, random: systemRandom });
    world = await startWorld({
      kubernetes,
      consumer: 'rome',
      providers: ['milan'],
      virtualNodes: [{ name: 'mynode', provider: 'milan' }],
      offloaded: [namespace],
    });
    [rome, milan] = [world.cluster('rome'), world.cluster('milan')];
    await startApplications();
    await unoffload();
  }, 120_000);

  afterAll(() => world[Symbol.asyncDispose]());

  function template(name: string, marks: Record<string, string> = {}) {
    const annotations = Object.entries(marks).map(([key, value]) => [
      `minicluster.liqo-ts.dev/${key}`,
      value,
    ]);
    return {
      metadata: { labels: { app: name }, annotations: Object.fromEntries(annotations) },
      spec: {
        nodeSelector: { [labels.type]: labelValues.virtualNode },
        tolerations: [{ ...virtualNodeToleration }],
        containers: [{ name: 'main', image: 'app' }],
      },
    };
  }

  async function startApplications(): Promise<void> {
    const { client } = rome;
    await client.create(Deployment, {
      metadata: { namespace, name: 'web' },
      spec: {
        replicas: 1,
        selector: { matchLabels: { app: 'web' } },
        template: template('web'),
      },
    });
    for (const [name, marks] of [
      ['bare', {}],
      ['unstarted', { 'image-pull': 'fail' }],
    ] as const) {
      const { metadata, spec } = template(name, marks);
      await client.create(Pod, { metadata: { ...metadata, namespace, name }, spec });
    }
    await createJob('strict', []);
    const onPodConditions = [{ type: 'DisruptionTarget', status: 'True' }];
    await createJob('obedient', [], {});
    await createJob('tolerant', [{ action: 'Ignore', onPodConditions }]);
    for (const name of ['web', 'bare', 'strict', 'obedient', 'tolerant']) await untilRunning(name);
    await eventually(async () => {
      const [pod] = await podsOf('unstarted');
      expect(pod?.status?.containerStatuses?.[0]?.state?.waiting?.reason).toMatch(/Image/);
    }, patient);
  }

  async function createJob(name: string, rules: object[], marks = stubborn): Promise<void> {
    const { metadata, spec } = template(name, marks);
    await rome.client.create(Job, {
      metadata: { namespace, name },
      spec: {
        backoffLimit: 0,
        ...(rules.length > 0 && { podFailurePolicy: { rules: rules as never } }),
        template: {
          metadata,
          spec: { ...spec, restartPolicy: 'Never', terminationGracePeriodSeconds: 1 },
        },
      },
    });
  }

  async function unoffload(): Promise<void> {
    await rome.client.delete(NamespaceOffloading, offloading);
    await eventually(async () => {
      expect(await rome.client.get(NamespaceOffloading, offloading)).toBeUndefined();
    }, patient);
  }

  async function podsOf(app: string): Promise<readonly Stored<Pod>[]> {
    const selection = { namespace, labelSelector: `app=${app}` };
    return (await rome.client.list(Pod, selection)).items;
  }

  function untilPhases(app: string, phases: readonly string[]) {
    return eventually(async () => {
      const pods = await podsOf(app);
      const shown = pods.map(({ status }) => `${status?.phase} ${status?.reason ?? ''}`.trim());
      expect(shown.toSorted()).toEqual(phases.toSorted());
      return pods;
    }, patient);
  }

  const untilRunning = (app: string) => untilPhases(app, ['Running']);
  const [failed, waiting] = ['Failed OffloadingAborted', 'Pending OffloadingBackOff'];

  test('the pod of a Deployment fails, and its replacement waits', async () => {
    await untilPhases('web', [failed, waiting]);
  });

  test('a pod without a controller fails as the target of a disruption', async () => {
    const [pod] = await untilPhases('bare', [failed]);
    expect(findCondition(pod?.status?.conditions, 'DisruptionTarget')).toMatchObject({
      status: 'True',
      reason: 'OffloadingAborted',
    });
  });

  test('a pod whose containers have never started waits', async () => {
    await untilPhases('unstarted', [waiting]);
  });

  test('the pod of a Job counts as a failure', async () => {
    await untilPhases('strict', [failed]);
    await eventually(async () => {
      const job = await rome.client.get(Job, { namespace, name: 'strict' });
      expect(findCondition(job?.status?.conditions, 'Failed')).toMatchObject({ status: 'True' });
    }, patient);
  });

  test('the pod of a Job that ends with exit code 0 when it is stopped has succeeded', async () => {
    await untilPhases('obedient', ['Succeeded']);
  });

  test('the pod of a Job that ignores disruptions is replaced, and the replacement waits', async () => {
    await untilPhases('tolerant', [failed, waiting]);
    const job = await rome.client.get(Job, { namespace, name: 'tolerant' });
    expect(job?.status?.failed ?? 0).toBe(0);
  });

  test('everything that waits starts when the namespace is offloaded again, and nothing else', async () => {
    await rome.client.create(NamespaceOffloading, {
      metadata: offloading,
      spec: { namespaceMappingStrategy: 'DefaultName', podOffloadingStrategy: 'Remote' },
    });
    await untilPhases('web', [failed, 'Running']);
    await untilPhases('tolerant', [failed, 'Running']);
    await eventually(async () => {
      const pod = await milan.client.get(Pod, { namespace: 'shop-rome', name: 'unstarted' });
      expect(pod?.status?.containerStatuses?.[0]?.state?.waiting?.reason).toMatch(/Image/);
    }, patient);
    await untilPhases('bare', [failed]);
    await untilPhases('strict', [failed]);
    const there = await milan.client.list(Pod, { namespace: 'shop-rome' });
    expect(there.items.map(({ metadata }) => metadata.labels?.app).toSorted()).toEqual([
      'tolerant',
      'unstarted',
      'web',
    ]);
  });
});
