import { labels, labelValues, type ShadowEndpointSlice } from '@liqo/api';
import type { EndpointSlice, Node, ObjectKey, Service, Stored } from '@liqo/kube';
import { describe, expect, test } from 'vitest';
import { planShadowEndpointSlice, withPolicyOnly, withProviderOnly } from './endpoint-slice.ts';
import type { ReflectionStep } from './plan-reflection.ts';
import { readReflected, reflectionManager } from './read-reflected.ts';
import type { ReflectionRoute } from './reflection-route.ts';

const identity = { uid: 'uid', resourceVersion: '1', creationTimestamp: '2030-01-01T00:00:00Z' };

function node(name: string, marks: Record<string, string> = {}): Stored<Node> {
  const full: Stored<Node> = {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { ...identity, name, labels: { ...marks, tier: 'gold' } },
    spec: { podCIDR: '10.244.1.0/24' },
  };
  return withProviderOnly(full);
}

function virtual(name: string, clusterID: string): Stored<Node> {
  const type = { [labels.type]: labelValues.virtualNode };
  return node(name, { ...type, ...(clusterID && { [labels.remoteClusterID]: clusterID }) });
}

const nodes = [
  node('worker'),
  virtual('milan', 'milan'),
  virtual('turin', 'turin'),
  virtual('odd', ''),
];

function planWith(annotations?: Record<string, string>) {
  const metadata = {
    ...identity,
    namespace: 'shop',
    name: 'cart',
    ...(annotations && { annotations }),
  };
  const service = withPolicyOnly({ apiVersion: 'v1', kind: 'Service', metadata, spec: {} });
  return planShadowEndpointSlice({
    nodeOf: (name) => nodes.find(({ metadata: { name: found } }) => found === name),
    serviceOf: ({ namespace, name }: ObjectKey): Stored<Service> | undefined =>
      annotations && namespace === 'shop' && name === 'cart' ? service : undefined,
  });
}

const plan = planWith({});

const route: ReflectionRoute = {
  consumerClusterID: 'rome',
  providerClusterID: 'milan',
  remoteNamespace: 'shop-rome',
  policy: 'DenyList',
  notReflected: { labels: [], annotations: [] },
};

type Metadata = Partial<EndpointSlice['metadata'] & object>;

function slice(metadata: Metadata = {}, spec: Partial<EndpointSlice> = {}): Stored<EndpointSlice> {
  const marks = { 'kubernetes.io/service-name': 'cart' };
  const at = (nodeName: string) => ({ addresses: ['10.80.0.3'], nodeName });
  return {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: { ...identity, namespace: 'shop', name: 'cart-x', labels: marks, ...metadata },
    addressType: 'IPv4',
    endpoints: nodes.map(({ metadata: { name } }) => at(name)),
    ports: [{ port: 80 }],
    ...spec,
  } as Stored<EndpointSlice>;
}

function applied(step: ReflectionStep<ShadowEndpointSlice>): ShadowEndpointSlice {
  if (step.type !== 'apply') throw new Error(`expected apply, got ${step.type}`);
  return step.object;
}

/** As the provider has it after it was applied. */
function copy(of = slice()): Stored<ShadowEndpointSlice> {
  const { metadata, ...rest } = applied(plan(of, undefined, route));
  const entry = {
    manager: reflectionManager,
    operation: 'Apply',
    fieldsV1: { 'f:spec': { 'f:template': { 'f:endpoints': {} } } },
  };
  const stored = { ...rest, metadata: { ...identity, ...metadata, managedFields: [entry] } };
  const read = readReflected(stored as unknown as Stored<ShadowEndpointSlice>);
  if (!read) throw new Error('it cannot be read');
  return read;
}

describe('planShadowEndpointSlice()', () => {
  test('writes the endpoints that run elsewhere as Liqo does', () => {
    const trigger = 'endpoints.kubernetes.io/last-change-trigger-time';
    const annotations = { [trigger]: '2030-01-01T00:00:00Z', note: 'x' };
    const step = plan(slice({ annotations }), undefined, route);
    expect(applied(step)).toEqual({
      apiVersion: 'offloading.liqo.io/v1beta1',
      kind: 'ShadowEndpointSlice',
      metadata: {
        namespace: 'shop-rome',
        name: 'cart-x',
        labels: {
          'kubernetes.io/service-name': 'cart',
          'endpointslice.kubernetes.io/managed-by': 'endpointslice.reflection.liqo.io',
          [labels.origin]: 'rome',
          [labels.destination]: 'milan',
        },
        annotations: { note: 'x' },
      },
      spec: {
        template: {
          addressType: 'IPv4',
          endpoints: [
            { addresses: ['10.80.0.3'], nodeName: 'rome' },
            { addresses: ['10.80.0.3'], nodeName: 'rome' },
          ],
          ports: [{ port: 80 }],
        },
      },
    });
  });

  test('leaves a copy that is as wanted', () => {
    expect(plan(slice(), copy(), route)).toEqual({ type: 'nothing' });
  });

  test.each<[string, Partial<EndpointSlice>]>([
    ['an endpoint less', { endpoints: [{ addresses: ['10.80.0.3'], nodeName: 'worker' }] }],
    ['another port', { ports: [{ port: 81 }] }],
    ['no port', { ports: [] }],
  ])('writes a copy again that has %s', (_, spec) => {
    expect(plan(slice({}, spec), copy(), route).type).toBe('apply');
  });

  test('writes a copy again that has more inside of its endpoints', () => {
    const zoned = [{ addresses: ['10.80.0.3'], nodeName: 'worker', zone: 'eu-1' }];
    const plain = [{ addresses: ['10.80.0.3'], nodeName: 'worker' }];
    const had = copy(slice({}, { endpoints: zoned }));
    expect(plan(slice({}, { endpoints: plain }), had, route).type).toBe('apply');
  });

  const skip = { 'liqo.io/skip-reflection': 'true' };
  const unskip = { 'liqo.io/skip-reflection': 'false' };
  const allow = { 'liqo.io/allow-reflection': 'true' };
  const disallow = { 'liqo.io/allow-reflection': 'false' };
  test.each<
    [string, Metadata['annotations'], Record<string, string> | undefined, boolean, boolean]
  >([
    ['no annotations', undefined, {}, true, false],
    ['no Service', undefined, undefined, true, false],
    ['a Service that is skipped', undefined, skip, false, false],
    ['a Service that is allowed', undefined, allow, true, true],
    ['an annotation of its own against that of the Service', unskip, skip, true, true],
    ['an annotation that skips it, of a Service that is allowed', skip, allow, false, false],
    ['an annotation that allows it', allow, {}, true, true],
    ['an annotation that does not allow it', disallow, allow, false, false],
    ['two annotations against each other', { ...skip, ...allow }, {}, false, false],
  ])('with %s, follows the policy', (_, annotations, ofService, denyList, allowList) => {
    const local = slice(annotations ? { annotations } : {});
    const decide = (policy: ReflectionRoute['policy']) =>
      planWith(ofService)(local, undefined, { ...route, policy }).type === 'apply';
    expect([decide('DenyList'), decide('AllowList')]).toEqual([denyList, allowList]);
  });

  test('leaves the endpoints of the API server where they are, whatever they say', () => {
    const marks = { 'kubernetes.io/service-name': 'kubernetes' };
    const local = slice({ namespace: 'default', labels: marks, annotations: allow });
    expect(plan(local, undefined, route)).toEqual({ type: 'nothing' });
  });

  test('says that host names are not reflected', () => {
    expect(plan(slice({}, { addressType: 'FQDN' }), undefined, route)).toMatchObject({
      type: 'refuse',
      reason: 'ReflectionDisabled',
    });
  });
});
