import { type Client, EndpointSlice, Endpoints, Node, Pod, Service } from '@liqo/kube';
import { describe, expect, onTestFinished, test } from 'vitest';
import { eventually } from '../eventually.ts';
import { finishPod, runPod } from './play-kubelet.ts';
import { freshNamespace, type GetSubject } from './subject.ts';

/** The controllers of Kubernetes take seconds when two changes follow each other closely. */
const patiently = { timeoutMs: 30_000 };
const patientTest = { timeout: 120_000 };

/** Which endpoints a service has. */
export function services(subject: GetSubject): void {
  describe('services', () => {
    const start = async (spec: object = {}, labels: Record<string, string> = {}) => {
      const { client } = subject();
      const namespace = await freshNamespace(subject());
      const labelsOfNode = { 'topology.kubernetes.io/zone': `zone-${namespace}` };
      await client.create(Node, { metadata: { name: namespace, labels: labelsOfNode } });
      onTestFinished(async () => {
        await client.delete(Node, { name: namespace });
      });
      const ports = [{ name: 'http', port: 80, targetPort: 'web' }];
      const service = await client.create(Service, {
        metadata: { namespace, name: 'shop', labels },
        spec: { selector: { app: 'shop' }, ports, ...spec },
      });
      return { client, namespace, service };
    };

    test('a service without pods has one empty slice and no addresses', patientTest, async () => {
      const { client, namespace, service } = await start({}, { tier: 'front' });
      const slice = await untilSlice(client, namespace, (one) =>
        expect(one.endpoints ?? []).toEqual([]),
      );
      expect(slice).toMatchObject({
        addressType: 'IPv4',
        metadata: {
          name: expect.stringMatching(/^shop-[a-z0-9]{5}$/),
          generateName: 'shop-',
          labels: {
            tier: 'front',
            'endpointslice.kubernetes.io/managed-by': 'endpointslice-controller.k8s.io',
            'kubernetes.io/service-name': 'shop',
          },
          ownerReferences: [
            {
              apiVersion: 'v1',
              kind: 'Service',
              name: 'shop',
              uid: service.metadata.uid,
              controller: true,
              blockOwnerDeletion: true,
            },
          ],
        },
      });
      expect(slice.ports ?? []).toEqual([]);
      await eventually(async () => {
        const endpoints = await client.get(Endpoints, { namespace, name: 'shop' });
        expect(endpoints?.metadata.labels).toEqual({
          tier: 'front',
          'endpoints.kubernetes.io/managed-by': 'endpoint-controller',
        });
        expect(endpoints?.subsets).toBeUndefined();
      }, patiently);
    });

    test('a pod that is ready is an endpoint at its named port', patientTest, async () => {
      const { client, namespace } = await start();
      const pod = await makePod(client, namespace, 'one');
      await runPod(client, { namespace, name: 'one' }, { podIP: '10.1.2.3' });
      const targetRef = { kind: 'Pod', namespace, name: 'one', uid: pod.metadata.uid };
      const slice = await untilSlice(client, namespace, (one) =>
        expect(one.endpoints).toEqual([
          {
            addresses: ['10.1.2.3'],
            conditions: { ready: true, serving: true, terminating: false },
            targetRef,
            nodeName: namespace,
            zone: `zone-${namespace}`,
          },
        ]),
      );
      expect(slice.ports).toEqual([{ name: 'http', port: 8080, protocol: 'TCP' }]);
      await eventually(async () => {
        const endpoints = await client.get(Endpoints, { namespace, name: 'shop' });
        expect(endpoints?.subsets).toEqual([
          {
            addresses: [{ ip: '10.1.2.3', nodeName: namespace, targetRef }],
            ports: [{ name: 'http', port: 8080, protocol: 'TCP' }],
          },
        ]);
      }, patiently);
    });

    test('a pod that is not ready is listed as such', patientTest, async () => {
      const { client, namespace } = await start();
      await makePod(client, namespace, 'one');
      await runPod(client, { namespace, name: 'one' }, { podIP: '10.1.2.3', ready: false });
      await untilSlice(client, namespace, (one) =>
        expect(one.endpoints?.map(({ conditions }) => conditions)).toEqual([
          { ready: false, serving: false, terminating: false },
        ]),
      );
      await eventually(async () => {
        const endpoints = await client.get(Endpoints, { namespace, name: 'shop' });
        expect(endpoints?.subsets).toMatchObject([{ notReadyAddresses: [{ ip: '10.1.2.3' }] }]);
      }, patiently);
    });

    test(
      'a pod on its way out serves, but is not ready; gone, it is no endpoint',
      patientTest,
      async () => {
        const { client, namespace } = await start();
        await makePod(client, namespace, 'one');
        await runPod(client, { namespace, name: 'one' }, { podIP: '10.1.2.3' });
        await client.delete(Pod, { namespace, name: 'one' });
        await untilSlice(client, namespace, (one) =>
          expect(one.endpoints?.map(({ conditions }) => conditions)).toEqual([
            { ready: false, serving: true, terminating: true },
          ]),
        );
        await client.delete(Pod, { namespace, name: 'one' }, { gracePeriodSeconds: 0 });
        await untilSlice(client, namespace, (one) => expect(one.endpoints ?? []).toEqual([]));
      },
    );

    test('a pod that has finished is no endpoint', patientTest, async () => {
      const { client, namespace } = await start();
      for (const name of ['one', 'two']) {
        await makePod(client, namespace, name);
        await runPod(
          client,
          { namespace, name },
          { podIP: name === 'one' ? '10.1.2.3' : '10.1.2.4' },
        );
      }
      await untilSlice(client, namespace, (one) => expect(one.endpoints).toHaveLength(2));
      await finishPod(client, { namespace, name: 'one' }, 'Failed');
      await untilSlice(client, namespace, (one) =>
        expect(one.endpoints?.map(({ addresses }) => addresses)).toEqual([['10.1.2.4']]),
      );
    });

    test(
      'a headless service is labelled so, and may publish pods that are not ready',
      patientTest,
      async () => {
        const spec = { clusterIP: 'None', publishNotReadyAddresses: true };
        const { client, namespace } = await start(spec);
        await makePod(client, namespace, 'one');
        await runPod(client, { namespace, name: 'one' }, { podIP: '10.1.2.3', ready: false });
        const slice = await untilSlice(client, namespace, (one) =>
          expect(one.endpoints?.map(({ conditions }) => conditions)).toEqual([
            { ready: true, serving: false, terminating: false },
          ]),
        );
        expect(slice.metadata.labels).toMatchObject({ 'service.kubernetes.io/headless': '' });
      },
    );

    test('a service without a selector gets no endpoints', patientTest, async () => {
      const { client, namespace } = await start({ selector: null });
      const ports = [{ port: 80 }];
      const selector = { app: 'shop' };
      const metadata = { namespace, name: 'other' };
      await client.create(Service, { metadata, spec: { selector, ports } });
      const slice = await untilSlice(client, namespace, () => undefined);
      expect(slice.metadata.labels).toMatchObject({ 'kubernetes.io/service-name': 'other' });
    });

    test('endpoints go with their service', patientTest, async () => {
      const { client, namespace } = await start();
      await untilSlice(client, namespace, () => undefined);
      await eventually(async () => {
        expect(await client.get(Endpoints, { namespace, name: 'shop' })).toBeDefined();
      }, patiently);
      await client.delete(Service, { namespace, name: 'shop' });
      await eventually(async () => {
        expect((await client.list(EndpointSlice, { namespace })).items).toEqual([]);
        expect((await client.list(Endpoints, { namespace })).items).toEqual([]);
      }, patiently);
    });

    test('a slice that somebody deleted or changed is repaired', patientTest, async () => {
      const { client, namespace } = await start();
      await makePod(client, namespace, 'one');
      await runPod(client, { namespace, name: 'one' }, { podIP: '10.1.2.3' });
      const first = await untilSlice(client, namespace, (one) =>
        expect(one.endpoints).toHaveLength(1),
      );
      await client.delete(EndpointSlice, { namespace, name: first.metadata.name });
      await untilSlice(client, namespace, (one) => {
        expect(one.metadata.uid).not.toBe(first.metadata.uid);
        expect(one.endpoints).toHaveLength(1);
      });
    });
  });
}

/** On the node that has the name of the namespace: a pod on a node that nobody knows is no endpoint. */
async function makePod(client: Client, namespace: string, name: string) {
  const ports = [{ name: 'web', containerPort: 8080 }];
  const containers = [{ name: 'main', image: 'example.org/app', ports }];
  const metadata = { namespace, name, labels: { app: 'shop' } };
  const spec = { containers, schedulerName: 'nobody' };
  const pod = await client.create(Pod, { metadata, spec });
  await client.bind({ namespace, name }, namespace);
  return pod;
}

type Slice = Awaited<ReturnType<typeof slicesOf>>[number];

async function slicesOf(client: Client, namespace: string) {
  return (await client.list(EndpointSlice, { namespace })).items;
}

function untilSlice(
  client: Client,
  namespace: string,
  check: (slice: Slice) => void,
): Promise<Slice> {
  return eventually(async () => {
    const [slice, ...others] = await slicesOf(client, namespace);
    if (!slice) throw new Error('There is no slice yet');
    expect(others).toEqual([]);
    check(slice);
    return slice;
  }, patiently);
}
