import { ForeignCluster, labels, ShadowEndpointSlice } from '@liqo/api';
import { EndpointSlice, Event, mergePatch, Namespace, Node, parseIpRange } from '@liqo/kube';
import type { Stoppable } from '@liqo/runtime';
import { eventually } from '@liqo/testkit';
import { failAfterEffect, isWrite, noFaults, ofCaller } from '@liqo/testkit/faults';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { hastyClock } from '../testing/hasty-clock.ts';
import { controllersUser } from '../testing/installation.ts';
import { startCluster, type TestCluster } from '../testing/start-cluster.ts';
import { startShadowEndpointSliceController } from './shadow-endpoint-slice-controller.ts';

const patient = { timeoutMs: 30_000 };
const namespace = 'shop-rome';
const allowed = parseIpRange('10.96.200.0/24');

type Endpoints = NonNullable<NonNullable<ShadowEndpointSlice['spec']['template']>['endpoints']>;

describe('a ShadowEndpointSlice', () => {
  let milan: TestCluster;
  let controller: Stoppable;

  beforeAll(async () => {
    milan = await startCluster('milan');
    const marks = { [labels.remoteClusterID]: 'rome' };
    await milan.client.create(Namespace, { metadata: { name: namespace, labels: marks } });
  });

  beforeEach(() => {
    const endpointRanges = { denied: [], allowed: allowed ? [allowed] : [] };
    const context = { ...milan.context, clock: hastyClock };
    controller = startShadowEndpointSliceController(context, { endpointRanges });
  });

  afterEach(async () => {
    milan.calls.plan = noFaults;
    await controller[Symbol.asyncDispose]();
  });

  afterAll(async () => {
    await milan[Symbol.asyncDispose]();
  });

  function endpointsAt(...addresses: readonly string[]): Endpoints {
    return addresses.map((one) => ({ addresses: [one], conditions: { ready: true } }));
  }

  async function create(name: string, endpoints = endpointsAt('10.80.0.3'), origin = 'rome') {
    const marks = { [labels.origin]: origin, 'kubernetes.io/service-name': name };
    await milan.client.create(ShadowEndpointSlice, {
      metadata: { namespace, name, labels: marks },
      spec: { template: { addressType: 'IPv4', endpoints, ports: [{ port: 80 }] } },
    });
  }

  const sliceOf = (name: string) => milan.client.get(EndpointSlice, { namespace, name });

  function addressesAre(name: string, expected: readonly string[]) {
    return eventually(async () => {
      const { endpoints } = (await sliceOf(name)) ?? {};
      expect(endpoints?.flatMap(({ addresses }) => addresses)).toEqual(expected);
    }, patient);
  }

  function readinessIs(name: string, expected: readonly boolean[]) {
    return eventually(async () => {
      const { endpoints } = (await sliceOf(name)) ?? {};
      expect(endpoints?.map(({ conditions }) => conditions?.ready)).toEqual(expected);
    }, patient);
  }

  function isReported(name: string, reason: string) {
    return eventually(async () => {
      const { items } = await milan.client.list(Event, { namespace });
      const about = items.filter(({ regarding }) => regarding?.name === name);
      expect(about.map((event) => event.reason)).toContain(reason);
    }, patient);
  }

  test('becomes an EndpointSlice of its own, follows changes, and takes it along', async () => {
    await create('cart');
    await addressesAre('cart', ['10.80.0.3']);
    expect(await sliceOf('cart')).toMatchObject({
      metadata: {
        labels: { [labels.managedBy]: 'shadowendpointslice', 'kubernetes.io/service-name': 'cart' },
        ownerReferences: [{ kind: 'ShadowEndpointSlice', name: 'cart', controller: true }],
      },
      endpoints: [{ conditions: { ready: true }, nodeName: 'rome' }],
    });
    const endpoints = [{ addresses: ['10.80.0.4'] }, { addresses: ['10.80.0.5'] }];
    const change = mergePatch({ spec: { template: { endpoints } } });
    await milan.client.patch(ShadowEndpointSlice, { namespace, name: 'cart' }, change);
    await addressesAre('cart', ['10.80.0.4', '10.80.0.5']);
    await milan.client.delete(ShadowEndpointSlice, { namespace, name: 'cart' });
    await eventually(async () => expect(await sliceOf('cart')).toBeUndefined(), patient);
  });

  test('has its EndpointSlice repaired that was changed or deleted by hand', async () => {
    await create('repaired');
    await addressesAre('repaired', ['10.80.0.3']);
    const key = { namespace, name: 'repaired' };
    await milan.client.patch(EndpointSlice, key, mergePatch({ endpoints: [] }));
    await addressesAre('repaired', ['10.80.0.3']);
    const unlabelled = mergePatch({ metadata: { labels: { [labels.managedBy]: null } } });
    await milan.client.patch(EndpointSlice, key, unlabelled);
    await eventually(async () => {
      const marks = (await sliceOf('repaired'))?.metadata.labels;
      expect(marks).toMatchObject({ [labels.managedBy]: 'shadowendpointslice' });
    }, patient);
    const { uid } = (await sliceOf('repaired'))?.metadata ?? {};
    await milan.client.delete(EndpointSlice, key);
    await eventually(async () => {
      const made = await sliceOf('repaired');
      expect(made?.metadata.uid).toBeDefined();
      expect(made?.metadata.uid).not.toBe(uid);
    }, patient);
  });

  test('leaves a foreign EndpointSlice alone and reports it, until that is gone', async () => {
    const key = { namespace, name: 'taken' };
    const foreign = { metadata: key, addressType: 'IPv4', endpoints: [] };
    await milan.client.create(EndpointSlice, foreign);
    await create('taken');
    await isReported('taken', 'NameTaken');
    expect((await sliceOf('taken'))?.metadata.labels).toBeUndefined();
    await milan.client.delete(EndpointSlice, key);
    await addressesAre('taken', ['10.80.0.3']);
  });

  test('has endpoints that are ready while its consumer can be reached', async () => {
    const [ready, unready] = [
      { addresses: ['10.80.0.3'] },
      { addresses: ['10.80.0.4'], conditions: { ready: false } },
    ];
    await create('reached', [ready, unready]);
    await readinessIs('reached', [true, false]);
    const peer = { metadata: { name: 'rome' }, spec: { clusterID: 'rome' } };
    await milan.client.create(ForeignCluster, peer);
    const tell = (status: string) => {
      const conditions = [{ type: 'APIServerStatus', status }];
      const patch = mergePatch({ status: { role: 'Consumer', conditions } });
      return milan.client.patch(ForeignCluster, { name: 'rome' }, patch, { subresource: 'status' });
    };
    await tell('Error');
    await readinessIs('reached', [false, false]);
    await tell('Established');
    await readinessIs('reached', [true, false]);
  });

  test('does not lead into the provider, also when a Node is added later', async () => {
    const endpoints = endpointsAt('10.80.0.3', '10.96.0.1', '10.96.200.7', '169.254.169.254');
    await create('inward', [...endpoints, ...endpointsAt('192.168.7.4')]);
    await addressesAre('inward', ['10.80.0.3', '10.96.200.7', '192.168.7.4']);
    await isReported('inward', 'AddressRefused');
    await milan.client.create(Node, { metadata: { name: 'machine' } });
    const addresses = [{ type: 'InternalIP', address: '192.168.7.4' }];
    const status = mergePatch({ status: { addresses } });
    await milan.client.patch(Node, { name: 'machine' }, status, { subresource: 'status' });
    await addressesAre('inward', ['10.80.0.3', '10.96.200.7']);
  });

  test('that says it comes from another consumer is not acted on', async () => {
    await create('strange', endpointsAt('10.80.0.3'), 'paris');
    await isReported('strange', 'OriginMismatch');
    expect(await sliceOf('strange')).toBeUndefined();
  });

  test('that the API server refuses to make an EndpointSlice of is reported', async () => {
    await create('invalid', [{ addresses: ['10.80.0.3'], hostname: 'Not A Host' }]);
    await isReported('invalid', 'FailedCreateEndpointSlice');
  });

  test('has one EndpointSlice, although the answer to its creation was lost', async () => {
    milan.calls.plan = ofCaller(controllersUser, (call) =>
      isWrite(call) && call.resource.startsWith('endpointslices')
        ? failAfterEffect(500)
        : undefined,
    );
    await create('lost');
    await eventually(async () => expect(await sliceOf('lost')).toBeDefined(), patient);
    milan.calls.plan = noFaults;
    await addressesAre('lost', ['10.80.0.3']);
  });
});
