import {
  fixedNames,
  labels,
  labelValues,
  NamespaceMap,
  NamespaceOffloading,
  Quota,
  ResourceSlice,
  ShadowEndpointSlice,
  ShadowPod,
  virtualNodeToleration,
} from '@liqo/api';
import {
  type Client,
  ConfigMap,
  CronJob,
  Deployment,
  EndpointSlice,
  Ingress,
  isConditionTrue,
  Job,
  type Kind,
  type KubeObject,
  mergePatch,
  Namespace,
  Node,
  PersistentVolume,
  PersistentVolumeClaim,
  Pod,
  Role,
  RoleBinding,
  Secret,
  Service,
  ServiceAccount,
  StatefulSet,
  StorageClass,
  ValidatingAdmissionPolicyBinding,
} from '@liqo/kube';
import type { Minicluster } from '@liqo/minicluster';
import { systemClock, systemRandom } from '@liqo/runtime';
import { eventually } from '@liqo/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { embeddedKubernetes } from './embedded-kubernetes.ts';
import { startWorld } from './start-world.ts';
import type { World } from './world.ts';

const patient = { timeoutMs: 90_000 };
const [namespace, remoteNamespace] = ['shop', 'shop-rome'];
const requests = { storage: '1Gi' };

const onVirtualNodes = { [labels.type]: labelValues.virtualNode };
const onMachines = { 'kubernetes.io/hostname': 'rome-1' };

type NodeSelector = Readonly<Record<string, string>>;

/** Deployments, their Services, and where their pods run. The cart runs in both clusters. */
const deployments: readonly (readonly [name: string, app: string, nodes: NodeSelector])[] = [
  ['frontend', 'frontend', onMachines],
  ['cart', 'cart', onMachines],
  ['cart-burst', 'cart', onVirtualNodes],
  ['catalog', 'catalog', onVirtualNodes],
  ['worker', 'worker', onVirtualNodes],
];
const services = ['frontend', 'cart', 'catalog', 'db'];

/** What a consumer may leave behind at its provider. */
const kinds: readonly Kind<KubeObject>[] = [
  ConfigMap,
  EndpointSlice,
  Ingress,
  Namespace,
  NamespaceMap,
  PersistentVolumeClaim,
  Pod,
  Quota,
  ResourceSlice,
  Role,
  RoleBinding,
  Secret,
  Service,
  ServiceAccount,
  ShadowEndpointSlice,
  ShadowPod,
];

/** An application of every kind that is reflected, in a namespace whose pods run in both clusters. */
describe('a shop in an offloaded namespace', () => {
  let world: World<Minicluster>;
  let rome: Client;
  let milan: Client;
  let before: ReadonlyMap<string, string>;

  beforeAll(async () => {
    const clocks = { clock: systemClock, random: systemRandom };
    const kubernetes = await embeddedKubernetes({
      ...clocks,
      slices: { ingressClasses: ['nginx'] },
    });
    world = await startWorld({
      kubernetes,
      consumer: 'rome',
      providers: ['milan'],
      virtualNodes: [{ name: 'mynode', provider: 'milan' }],
    });
    [rome, milan] = [world.cluster('rome').client, world.cluster('milan').client];
    await lendStorage();
    const ingresses = { name: 'liqo-consumer-ingresses' };
    await milan.delete(ValidatingAdmissionPolicyBinding, ingresses);
    before = await stateOfProvider();
    await offload();
    await createShop();
  }, 120_000);

  afterAll(() => world[Symbol.asyncDispose]());

  /** The provider has one volume, and offers its class. */
  async function lendStorage(): Promise<void> {
    await milan.create(StorageClass, {
      metadata: { name: 'disk' },
      provisioner: 'kubernetes.io/no-provisioner',
      volumeBindingMode: 'WaitForFirstConsumer',
    });
    await milan.create(PersistentVolume, {
      metadata: { name: 'disk-0' },
      spec: {
        capacity: requests,
        accessModes: ['ReadWriteOnce'],
        storageClassName: 'disk',
        hostPath: { path: '/tmp/disk-0' },
      },
    });
    await eventually(async () => {
      const node = await rome.get(Node, { name: 'mynode' });
      expect(node?.metadata.labels?.[labels.storageAvailable]).toBe('true');
    }, patient);
  }

  async function offload(): Promise<void> {
    await rome.create(Namespace, { metadata: { name: namespace } });
    await rome.create(NamespaceOffloading, {
      metadata: { namespace, name: fixedNames.namespaceOffloading },
      spec: { namespaceMappingStrategy: 'DefaultName', podOffloadingStrategy: 'LocalAndRemote' },
    });
    await eventually(async () => {
      const account = await rome.get(ServiceAccount, { namespace, name: 'default' });
      expect(account).toBeDefined();
    }, patient);
  }

  function template(app: string, nodeSelector: NodeSelector, volumes: object = {}) {
    return {
      metadata: { labels: { app } },
      spec: {
        nodeSelector: { ...nodeSelector },
        tolerations: [{ ...virtualNodeToleration }],
        containers: [
          {
            name: 'main',
            image: 'app',
            envFrom: [{ configMapRef: { name: 'settings' } }, { secretRef: { name: 'password' } }],
            ...volumes,
          },
        ],
      },
    };
  }

  async function createShop(): Promise<void> {
    const settings = { namespace, name: 'settings' };
    await rome.create(ConfigMap, { metadata: settings, data: { MODE: 'fast' } });
    await rome.create(Secret, {
      metadata: { namespace, name: 'password' },
      data: { PASSWORD: Buffer.from('secret').toString('base64') },
    });
    for (const name of services) {
      await rome.create(Service, {
        metadata: { namespace, name },
        spec: {
          selector: { app: name },
          ports: [{ name: 'http', port: 80, targetPort: 8080 }],
          ...(name === 'db' && { clusterIP: 'None' }),
        },
      });
    }
    for (const [name, app, nodes] of deployments) {
      const pod = template(app, nodes);
      await rome.create(Deployment, {
        metadata: { namespace, name },
        spec: {
          replicas: 1,
          selector: { matchLabels: { deployment: name } },
          template: { ...pod, metadata: { labels: { app, deployment: name } } },
        },
      });
    }
    const backend = { service: { name: 'frontend', port: { name: 'http' } } };
    await rome.create(Ingress, {
      metadata: { namespace, name: 'shop' },
      spec: {
        rules: [
          {
            host: 'shop.example.com',
            http: { paths: [{ path: '/', pathType: 'Prefix', backend }] },
          },
        ],
      },
    });
    await createDatabase();
    await createCleaner();
  }

  async function createDatabase(): Promise<void> {
    await rome.create(StatefulSet, {
      metadata: { namespace, name: 'db' },
      spec: {
        serviceName: 'db',
        selector: { matchLabels: { app: 'db' } },
        template: template('db', {}, { volumeMounts: [{ name: 'data', mountPath: '/data' }] }),
        volumeClaimTemplates: [
          {
            metadata: { name: 'data' },
            spec: {
              accessModes: ['ReadWriteOnce'],
              storageClassName: fixedNames.storageClass,
              resources: { requests },
            },
          },
        ],
      },
    });
  }

  /** It has missed a run: the next one is due at once. */
  async function createCleaner(): Promise<void> {
    const key = { namespace, name: 'cleaner' };
    const pod = template('cleaner', onVirtualNodes);
    await rome.create(CronJob, {
      metadata: key,
      spec: {
        schedule: '* * * * *',
        jobTemplate: {
          spec: { template: { ...pod, spec: { ...pod.spec, restartPolicy: 'Never' } } },
        },
      },
    });
    const lastScheduleTime = new Date(Date.now() - 120_000).toISOString();
    const missed = mergePatch({ status: { lastScheduleTime } });
    await rome.patch(CronJob, key, missed, { subresource: 'status' });
  }

  async function stateOfProvider(): Promise<ReadonlyMap<string, string>> {
    const state = new Map<string, string>();
    for (const kind of kinds) {
      const { items } = await milan.list(kind);
      for (const { metadata, ...content } of items) {
        const { resourceVersion: _, managedFields: __, generation: ___, ...marks } = metadata;
        const path = [kind.kind, metadata.namespace, metadata.name].join('/');
        // A map that has had entries keeps an empty list of them.
        const text = JSON.stringify({ ...content, metadata: marks });
        state.set(path, text.replace('"spec":{"desiredMapping":{}}', '"spec":{}'));
      }
    }
    return state;
  }

  const podsAt = async (client: Client, where: string, labelSelector: string) =>
    (await client.list(Pod, { namespace: where, labelSelector })).items;

  async function endpointsAt(client: Client, where: string, service: string) {
    const labelSelector = `kubernetes.io/service-name=${service}`;
    const { items } = await client.list(EndpointSlice, { namespace: where, labelSelector });
    const ready = items.flatMap(({ endpoints }) =>
      (endpoints ?? []).filter(({ conditions }) => conditions?.ready),
    );
    return ready.flatMap(({ addresses }) => addresses).toSorted();
  }

  test('runs all its pods, each where it is to', async () => {
    for (const [name, , nodes] of deployments) {
      await eventually(async () => {
        const [pod] = await podsAt(rome, namespace, `deployment=${name}`);
        expect(isConditionTrue(pod?.status?.conditions, 'Ready'), name).toBe(true);
        expect(pod?.spec?.nodeName === 'mynode', name).toBe(nodes === onVirtualNodes);
      }, patient);
    }
  });

  test('has a database whose storage is at the provider', async () => {
    await eventually(async () => {
      const [pod] = await podsAt(rome, namespace, 'app=db');
      expect(isConditionTrue(pod?.status?.conditions, 'Ready')).toBe(true);
      expect(pod?.spec?.nodeName).toBe('mynode');
    }, patient);
    const name = 'data-db-0';
    const [original, copy] = [
      await rome.get(PersistentVolumeClaim, { namespace, name }),
      await milan.get(PersistentVolumeClaim, { namespace: remoteNamespace, name }),
    ];
    expect(original?.spec?.volumeName).toBe(`pvc-${original?.metadata.uid}`);
    expect(copy?.spec).toMatchObject({ storageClassName: 'disk', volumeName: 'disk-0' });
  });

  test('has a CronJob whose pods run at the provider', async () => {
    await eventually(async () => {
      expect((await rome.list(Job, { namespace })).items.length).toBeGreaterThan(0);
      expect((await podsAt(milan, remoteNamespace, 'app=cleaner')).length).toBeGreaterThan(0);
    }, patient);
  });

  test.each(services)('has the same endpoints of %s in both clusters', async (service) => {
    const expected = service === 'cart' ? 2 : 1;
    await eventually(async () => {
      const here = await endpointsAt(rome, namespace, service);
      expect(here).toHaveLength(expected);
      expect(await endpointsAt(milan, remoteNamespace, service)).toEqual(here);
    }, patient);
  });

  test('has its settings, its password and its Ingress at the provider, and their changes', async () => {
    const at = (name: string) => ({ namespace: remoteNamespace, name });
    const settings = { namespace, name: 'settings' };
    await rome.patch(ConfigMap, settings, mergePatch({ data: { MODE: 'slow' } }));
    await eventually(async () => {
      expect((await milan.get(ConfigMap, at('settings')))?.data).toEqual({ MODE: 'slow' });
    }, patient);
    expect((await milan.get(Secret, at('password')))?.data).toEqual(
      (await rome.get(Secret, { namespace, name: 'password' }))?.data,
    );
    expect((await milan.get(Ingress, at('shop')))?.spec?.ingressClassName).toBe('nginx');
  });

  test('leaves the provider as it was once the namespace is not offloaded any more', async () => {
    const key = { namespace, name: fixedNames.namespaceOffloading };
    await rome.delete(NamespaceOffloading, key);
    await eventually(async () => {
      expect(await rome.get(NamespaceOffloading, key)).toBeUndefined();
      expect(await milan.get(Namespace, { name: remoteNamespace })).toBeUndefined();
    }, patient);
    await eventually(async () => {
      expect(Object.fromEntries(await stateOfProvider())).toEqual(Object.fromEntries(before));
    }, patient);
  });
});
