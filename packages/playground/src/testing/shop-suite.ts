import { fixedNames, labels, labelValues, NamespaceOffloading } from '@liqo/api';
import {
  type Client,
  ConfigMap,
  CronJob,
  Deployment,
  EndpointSlice,
  Ingress,
  isConditionTrue,
  Job,
  mergePatch,
  Namespace,
  Node,
  PersistentVolume,
  PersistentVolumeClaim,
  Pod,
  Secret,
  Service,
  ServiceAccount,
  StatefulSet,
  StorageClass,
} from '@liqo/kube';
import { eventually } from '@liqo/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { WorldCluster } from '../kubernetes.ts';
import type { World } from '../world.ts';
import { readEverything } from './read-everything.ts';

const [namespace, remoteNamespace] = ['shop', 'shop-rome'];
const virtualNode = 'mynode';
const ingressHost = 'shop.example.com';
const requests = { storage: '1Gi' };
const claim = 'data-db-0';

/** What the provider of a shop has to grant. */
export const shopGrants = { ingressClass: 'nginx', ingressHost } as const;

type NodeSelector = Readonly<Record<string, string>>;

const onVirtualNodes: NodeSelector = { [labels.type]: labelValues.virtualNode };
const onMachines: NodeSelector = { 'example.com/kind': 'machine' };

/** Deployments, the app that their pods are part of, and their nodes. The cart runs in both clusters. */
const deployments: readonly (readonly [name: string, app: string, nodes: NodeSelector])[] = [
  ['frontend', 'frontend', onMachines],
  ['cart', 'cart', onMachines],
  ['cart-burst', 'cart', onVirtualNodes],
  ['catalog', 'catalog', onVirtualNodes],
  ['worker', 'worker', onVirtualNodes],
];
const services = ['frontend', 'cart', 'catalog', 'db'];

/**
 * An application of every kind that is reflected, in a namespace whose pods run in both clusters, on any Kubernetes.
 * No pod has a toleration of its own. Each test goes on from where the one before it has ended.
 */
export function shopSuite<C extends WorldCluster<C>>(
  provide: () => World<C>,
  patient: { readonly timeoutMs: number; readonly intervalMs?: number },
): void {
  describe('a shop in an offloaded namespace', () => {
    let rome: Client;
    let milan: Client;
    let before: ReadonlyMap<string, string>;

    const wait = (look: () => Promise<void>) => eventually(look, patient);
    const local = (name: string) => ({ namespace, name });
    const remote = (name: string) => ({ namespace: remoteNamespace, name });

    beforeAll(async () => {
      [rome, milan] = [provide().cluster('rome').client, provide().cluster('milan').client];
      await markMachines();
      await lendStorage();
      before = await stateOfProvider();
      await offload();
      await createShop();
    }, 300_000);

    afterAll(async () => {
      await milan.delete(PersistentVolume, { name: 'disk-0' });
      await milan.delete(StorageClass, { name: 'disk' });
    });

    async function markMachines(): Promise<void> {
      const { items } = await rome.list(Node, {
        labelSelector: `${labels.type}!=${labelValues.virtualNode}`,
      });
      for (const { metadata } of items) {
        const patch = mergePatch({ metadata: { labels: onMachines } });
        await rome.patch(Node, { name: metadata.name }, patch);
      }
    }

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
          persistentVolumeReclaimPolicy: 'Retain',
          hostPath: { path: '/tmp/disk-0', type: 'DirectoryOrCreate' },
        },
      });
      await wait(async () => {
        const node = await rome.get(Node, { name: virtualNode });
        expect(node?.metadata.labels?.[labels.storageAvailable]).toBe('true');
        const volume = await milan.get(PersistentVolume, { name: 'disk-0' });
        expect(volume?.status?.phase).toBe('Available');
      });
    }

    async function offload(): Promise<void> {
      await rome.create(Namespace, { metadata: { name: namespace } });
      await rome.create(NamespaceOffloading, {
        metadata: local(fixedNames.namespaceOffloading),
        spec: { namespaceMappingStrategy: 'DefaultName', podOffloadingStrategy: 'LocalAndRemote' },
      });
      await wait(async () => {
        const offloading = await rome.get(
          NamespaceOffloading,
          local(fixedNames.namespaceOffloading),
        );
        expect(offloading?.status?.offloadingPhase).toBe('Ready');
        expect(await rome.get(ServiceAccount, local('default'))).toBeDefined();
      });
    }

    function template(app: string, nodeSelector: NodeSelector, volumes: object = {}) {
      const { spec } = provide().kubernetes.website;
      const envFrom = [{ configMapRef: { name: 'settings' } }, { secretRef: { name: 'password' } }];
      const containers = (spec?.containers ?? []).map((one) => ({ ...one, envFrom, ...volumes }));
      return { metadata: { labels: { app } }, spec: { ...spec, nodeSelector, containers } };
    }

    async function createShop(): Promise<void> {
      await rome.create(ConfigMap, { metadata: local('settings'), data: { MODE: 'fast' } });
      await rome.create(Secret, { metadata: local('password'), data: { PASSWORD: inBase64('a') } });
      for (const name of services) {
        await rome.create(Service, {
          metadata: local(name),
          spec: {
            selector: { app: name },
            ports: [{ name: 'http', port: 80, targetPort: 'http' }],
            ...(name === 'db' && { clusterIP: 'None' }),
          },
        });
      }
      for (const [name, app, nodes] of deployments) {
        const pod = template(app, nodes);
        await rome.create(Deployment, {
          metadata: local(name),
          spec: {
            replicas: 1,
            selector: { matchLabels: { deployment: name } },
            template: { ...pod, metadata: { labels: { app, deployment: name } } },
          },
        });
      }
      const backend = { service: { name: 'frontend', port: { name: 'http' } } };
      await rome.create(Ingress, {
        metadata: local('shop'),
        spec: {
          rules: [
            { host: ingressHost, http: { paths: [{ path: '/', pathType: 'Prefix', backend }] } },
          ],
        },
      });
      await createDatabase();
      await createCleaner();
    }

    async function createDatabase(): Promise<void> {
      await rome.create(StatefulSet, {
        metadata: local('db'),
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
      const pod = template('cleaner', onVirtualNodes);
      await rome.create(CronJob, {
        metadata: local('cleaner'),
        spec: {
          schedule: '* * * * *',
          concurrencyPolicy: 'Forbid',
          jobTemplate: {
            spec: { template: { ...pod, spec: { ...pod.spec, restartPolicy: 'Never' } } },
          },
        },
      });
      const lastScheduleTime = new Date(Date.now() - 120_000).toISOString().replace(/\.\d+/, '');
      const missed = mergePatch({ status: { lastScheduleTime } });
      await rome.patch(CronJob, local('cleaner'), missed, { subresource: 'status' });
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

    /** Without its volume. */
    async function stateOfProvider(): Promise<ReadonlyMap<string, string>> {
      const state = await readEverything(milan);
      return new Map([...state].filter(([path]) => path !== 'persistentvolumes.//disk-0'));
    }

    test('runs all its pods in the cluster that their node selector names', async () => {
      for (const [name, , nodes] of deployments) {
        await wait(async () => {
          const [pod] = await podsAt(rome, namespace, `deployment=${name}`);
          expect(isConditionTrue(pod?.status?.conditions, 'Ready'), name).toBe(true);
          expect(pod?.spec?.nodeName === virtualNode, name).toBe(nodes === onVirtualNodes);
        });
      }
    });

    test('has a database whose storage is at the provider', async () => {
      await wait(async () => {
        const [pod] = await podsAt(rome, namespace, 'app=db');
        expect(isConditionTrue(pod?.status?.conditions, 'Ready')).toBe(true);
        expect(pod?.spec?.nodeName).toBe(virtualNode);
      });
      const [original, copy] = [
        await rome.get(PersistentVolumeClaim, local(claim)),
        await milan.get(PersistentVolumeClaim, remote(claim)),
      ];
      expect(original?.spec?.volumeName).toBe(`pvc-${original?.metadata.uid}`);
      expect(copy?.spec).toMatchObject({ storageClassName: 'disk', volumeName: 'disk-0' });
    });

    test('has a CronJob whose pods run at the provider', async () => {
      await wait(async () => {
        expect((await rome.list(Job, { namespace })).items.length).toBeGreaterThan(0);
        const [pod] = await podsAt(milan, remoteNamespace, 'app=cleaner');
        expect(pod?.status?.phase).toBe('Running');
      });
    });

    test.each(services)('has the same endpoints of %s in both clusters', async (service) => {
      const expected = service === 'cart' ? 2 : 1;
      await wait(async () => {
        const here = await endpointsAt(rome, namespace, service);
        expect(here).toHaveLength(expected);
        expect(await endpointsAt(milan, remoteNamespace, service)).toEqual(here);
      });
    });

    test('has its Ingress at the provider, with the class that the provider offers', async () => {
      await wait(async () => {
        const copy = await milan.get(Ingress, remote('shop'));
        expect(copy?.spec?.ingressClassName).toBe(shopGrants.ingressClass);
        expect(copy?.spec?.rules?.map(({ host }) => host)).toEqual([ingressHost]);
      });
    });

    test('changes at the provider as a ConfigMap, a Secret, a Service and a Deployment change', async () => {
      await rome.patch(ConfigMap, local('settings'), mergePatch({ data: { MODE: 'slow' } }));
      await rome.patch(
        Secret,
        local('password'),
        mergePatch({ data: { PASSWORD: inBase64('b') } }),
      );
      const ports = [{ name: 'http', port: 8000, targetPort: 'http' }];
      await rome.patch(Service, local('catalog'), mergePatch({ spec: { ports } } as never));
      const scale = await rome.getScale(Deployment, local('worker'));
      await rome.updateScale(Deployment, local('worker'), { ...scale, spec: { replicas: 2 } });
      await wait(async () => {
        expect((await milan.get(ConfigMap, remote('settings')))?.data).toEqual({ MODE: 'slow' });
        expect((await milan.get(Secret, remote('password')))?.data).toEqual({
          PASSWORD: inBase64('b'),
        });
        const service = await milan.get(Service, remote('catalog'));
        expect(service?.spec?.ports?.map(({ port }) => port)).toEqual([8000]);
        const workers = await podsAt(milan, remoteNamespace, 'app=worker');
        expect(workers.map(({ status }) => status?.phase)).toEqual(['Running', 'Running']);
      });
    });

    test('leaves the provider as it was when the namespace is no longer offloaded', async () => {
      const key = local(fixedNames.namespaceOffloading);
      await rome.delete(NamespaceOffloading, key);
      await wait(async () => {
        expect(await rome.get(NamespaceOffloading, key)).toBeUndefined();
        expect(await milan.get(Namespace, { name: remoteNamespace })).toBeUndefined();
      });
      await wait(async () => {
        expect(Object.fromEntries(await stateOfProvider())).toEqual(Object.fromEntries(before));
      });
      // The reclaim policy of the volume retains the data, and with it the name of its last claim.
      expect(await milan.get(PersistentVolume, { name: 'disk-0' })).toMatchObject({
        spec: { claimRef: remote(claim) },
        status: { phase: 'Released' },
      });
    });
  });
}

const inBase64 = (text: string) => Buffer.from(text).toString('base64');
