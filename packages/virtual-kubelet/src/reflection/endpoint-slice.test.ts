import { labels, labelValues, ShadowEndpointSlice } from '@liqo/api';
import { EndpointSlice, mergePatch, Node, Service } from '@liqo/kube';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startRunningWorld } from '../testing/offloading-world.ts';

let world: Awaited<ReturnType<typeof startRunningWorld>>;
beforeEach(async () => {
  world = await startRunningWorld();
  await addNode('worker');
});
afterEach(() => world[Symbol.asyncDispose]());

const local = { namespace: 'shop', name: 'cart-x7k2p' };
const remote = { namespace: 'shop-rome', name: 'cart-x7k2p' };
const cart = { namespace: 'shop', name: 'cart' };

async function addNode(name: string, clusterID?: string): Promise<void> {
  const marks = {
    [labels.type]: labelValues.virtualNode,
    [labels.remoteClusterID]: clusterID ?? '',
  };
  const metadata = { name, ...(clusterID && { labels: marks }) };
  await world.home.admin.create(Node, { metadata });
}

const at = (nodeName: string, address: string) => ({
  addresses: [address],
  conditions: { ready: true },
  nodeName,
});

const everywhere = [at('worker', '10.244.1.3'), at('mynode', '10.80.0.3'), at('far', '10.90.0.3')];

async function create(endpoints: EndpointSlice['endpoints'] = everywhere): Promise<void> {
  const marks = {
    'kubernetes.io/service-name': 'cart',
    'endpointslice.kubernetes.io/managed-by': 'endpointslice-controller.k8s.io',
  };
  const ports = [{ name: 'http', port: 8080, protocol: 'TCP' }];
  const metadata = { ...local, labels: marks };
  await world.home.admin.create(EndpointSlice, {
    metadata,
    addressType: 'IPv4',
    endpoints,
    ports,
  });
}

const reflected = () => world.away.admin.get(ShadowEndpointSlice, remote);

const untilAddressesAre = (...addresses: readonly string[]) =>
  world.until(async () => {
    const { template } = (await reflected())?.spec ?? {};
    expect(template?.endpoints?.flatMap((endpoint) => endpoint.addresses)).toEqual(addresses);
  });

const untilNone = () => world.until(async () => expect(await reflected()).toBeUndefined());

const annotate = (annotations: Readonly<Record<string, string | null>>) =>
  world.home.admin.patch(Service, cart, mergePatch({ metadata: { annotations } }));

describe('an EndpointSlice', () => {
  test('becomes a ShadowEndpointSlice with the endpoints of other clusters, and goes with it', async () => {
    await addNode('far', 'turin');
    await create();
    await untilAddressesAre('10.244.1.3', '10.90.0.3');
    expect((await reflected())?.metadata.labels).toEqual({
      'kubernetes.io/service-name': 'cart',
      'endpointslice.kubernetes.io/managed-by': 'endpointslice.reflection.liqo.io',
      [labels.origin]: 'rome',
      [labels.destination]: 'milan',
    });
    await world.home.admin.delete(EndpointSlice, local);
    await untilNone();
  });

  test('follows its endpoints, and the Nodes that they are on', async () => {
    await create();
    await untilAddressesAre('10.244.1.3');
    await addNode('far', 'turin');
    await untilAddressesAre('10.244.1.3', '10.90.0.3');
    await world.home.admin.delete(Node, { name: 'far' });
    await untilAddressesAre('10.244.1.3');
    const patch = mergePatch({ endpoints: [at('worker', '10.244.1.4')] });
    await world.home.admin.patch(EndpointSlice, local, patch);
    await untilAddressesAre('10.244.1.4');
  });

  test('loses what an endpoint has lost, at the provider too', async () => {
    await create([{ ...at('worker', '10.244.1.3'), zone: 'eu-1' }]);
    const zone = async () => (await reflected())?.spec.template?.endpoints?.[0]?.zone;
    await world.until(async () => expect(await zone()).toBe('eu-1'));
    const patch = mergePatch({ endpoints: [at('worker', '10.244.1.3')] });
    await world.home.admin.patch(EndpointSlice, local, patch);
    await world.until(async () => expect(await zone()).toBeUndefined());
  });

  test('is repaired when its copy is changed by hand', async () => {
    await create();
    await untilAddressesAre('10.244.1.3');
    const template = { endpoints: [at('rome', '10.66.0.1')] };
    const patch = mergePatch({ spec: { template } });
    await world.away.admin.patch(ShadowEndpointSlice, remote, patch);
    await untilAddressesAre('10.244.1.3');
  });

  test('is not written again for the time of its last change', async () => {
    await create();
    await untilAddressesAre('10.244.1.3');
    const before = (await reflected())?.metadata.resourceVersion;
    const annotations = {
      'endpoints.kubernetes.io/last-change-trigger-time': '2030-01-01T00:00:00Z',
    };
    await world.home.admin.patch(EndpointSlice, local, mergePatch({ metadata: { annotations } }));
    await world.pass(5_000);
    expect((await reflected())?.metadata.resourceVersion).toBe(before);
  });
});

describe('the EndpointSlice of a Service', () => {
  beforeEach(async () => {
    const spec = { ports: [{ port: 80 }] };
    await world.home.admin.create(Service, { metadata: cart, spec });
    await create();
    await untilAddressesAre('10.244.1.3');
  });

  test('is not reflected while the Service is to be skipped', async () => {
    await annotate({ 'liqo.io/skip-reflection': 'true' });
    await untilNone();
    await annotate({ 'liqo.io/skip-reflection': null });
    await untilAddressesAre('10.244.1.3');
  });

  test('follows the policy for Services', async () => {
    await world.stop(world.kubelet);
    const service = { workers: 1, policy: 'AllowList' } as const;
    await world.startWorkingKubelet({ reflection: { service } });
    await untilNone();
    await annotate({ 'liqo.io/allow-reflection': 'true' });
    await untilAddressesAre('10.244.1.3');
  });
});
