import { annotations, labels } from '@liqo/api';
import type { Service, Stored } from '@liqo/kube';
import { describe, expect, test } from 'vitest';
import type { ReflectionRoute } from './reflection-route.ts';
import { planService } from './service.ts';

type Spec = NonNullable<Service['spec']>;

const route: ReflectionRoute = {
  consumerClusterID: 'rome',
  providerClusterID: 'milan',
  remoteNamespace: 'shop-rome',
  policy: 'DenyList',
  notReflected: { labels: [], annotations: [] },
};
const marks = { [labels.origin]: 'rome', [labels.destination]: 'milan' };
const metal = {
  loadBalancerClasses: [
    { loadBalancerClassName: 'basic' },
    { loadBalancerClassName: 'metal', default: true },
  ],
};

function service(spec: Spec, metadata: Service['metadata'] = {}): Stored<Service> {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: {
      namespace: 'shop',
      name: 'cart',
      uid: 'u1',
      resourceVersion: '1',
      creationTimestamp: '2030-01-01T00:00:00Z',
      ...metadata,
    },
    spec,
  };
}

const copy = (spec: Spec) => service(spec, { namespace: 'shop-rome', labels: marks });

function forged(spec: Spec, change: Partial<ReflectionRoute> = {}, remote?: Stored<Service>): Spec {
  const step = planService(service(spec), remote, { ...route, ...change });
  if (step.type !== 'apply') throw new Error(`expected apply, got ${step.type}`);
  return step.object.spec ?? {};
}

/** As an API server stores it. */
const stored: Spec = {
  type: 'ClusterIP',
  clusterIP: '10.91.58.196',
  clusterIPs: ['10.91.58.196'],
  internalTrafficPolicy: 'Cluster',
  ipFamilies: ['IPv4'],
  ipFamilyPolicy: 'SingleStack',
  ports: [{ name: 'http', port: 80, protocol: 'TCP', targetPort: 8080 }],
  selector: { app: 'cart' },
  sessionAffinity: 'None',
};
/** The same, as Liqo v1.2.0 applies it. */
const { clusterIP: _, clusterIPs: __, ipFamilies: ___, ...applied } = stored;

describe('planService()', () => {
  test.each<[string, Spec, Spec]>([
    ['leaves addresses and families to the provider', stored, applied],
    [
      'keeps a headless Service headless',
      { ...stored, clusterIP: 'None', clusterIPs: ['None'] },
      { ...applied, clusterIP: 'None' },
    ],
    [
      'copies the name of an ExternalName Service',
      { type: 'ExternalName', externalName: 'db.example.org', sessionAffinity: 'None' },
      { type: 'ExternalName', externalName: 'db.example.org', sessionAffinity: 'None' },
    ],
    [
      'leaves node ports to the provider',
      { ...stored, type: 'NodePort', ports: [{ port: 80, nodePort: 30_080 }] },
      { ...applied, type: 'NodePort', ports: [{ port: 80 }] },
    ],
    [
      'copies every field of a port that means the same there',
      { ports: [{ name: 'a', port: 1, protocol: 'UDP', targetPort: 'x', appProtocol: 'h2c' }] },
      { ports: [{ name: 'a', port: 1, protocol: 'UDP', targetPort: 'x', appProtocol: 'h2c' }] },
    ],
    [
      'copies no address of the consumer',
      {
        type: 'LoadBalancer',
        externalIPs: ['203.0.113.7'],
        loadBalancerIP: '203.0.113.8',
        healthCheckNodePort: 30_001,
        externalTrafficPolicy: 'Local',
        allocateLoadBalancerNodePorts: false,
        loadBalancerSourceRanges: ['198.51.100.0/24'],
        publishNotReadyAddresses: true,
        trafficDistribution: 'PreferClose',
        sessionAffinity: 'ClientIP',
        sessionAffinityConfig: { clientIP: { timeoutSeconds: 60 } },
      },
      {
        type: 'LoadBalancer',
        externalTrafficPolicy: 'Local',
        allocateLoadBalancerNodePorts: false,
        loadBalancerSourceRanges: ['198.51.100.0/24'],
        publishNotReadyAddresses: true,
        sessionAffinity: 'ClientIP',
        sessionAffinityConfig: { clientIP: { timeoutSeconds: 60 } },
      },
    ],
  ])('%s', (_name, spec, wanted) => {
    expect(forged(spec)).toEqual(wanted);
  });

  test.each<[string, string, boolean]>([
    ['copies', 'true', true],
    ['copies', 'True', true],
    ['does not copy', 'false', false],
  ])('%s node ports that are forced with "%s"', (_name, value, isCopied) => {
    const local = service(
      { type: 'NodePort', ports: [{ port: 80, nodePort: 30_080 }] },
      { annotations: { [annotations.forceRemoteNodePort]: value } },
    );
    const port = { port: 80, ...(isCopied && { nodePort: 30_080 }) };
    expect(planService(local, undefined, route)).toMatchObject({
      object: { spec: { ports: [port] } },
    });
  });

  test.each<[string, Spec, Spec | undefined, string | undefined]>([
    ['the default class', {}, undefined, 'metal'],
    ['an offered class that it names', { loadBalancerClass: 'basic' }, undefined, 'basic'],
    ['the default for another class', { loadBalancerClass: 'x' }, undefined, 'metal'],
    [
      'the class that its copy has',
      { selector: { app: 'cart' } },
      { loadBalancerClass: 'basic' },
      'basic',
    ],
  ])('gives a load balancer %s', (_name, spec, remote, loadBalancerClass) => {
    const type = 'LoadBalancer';
    const current = remote && copy({ type, ...remote });
    expect(forged({ type, ...spec }, { offered: metal }, current)).toMatchObject({
      type,
      loadBalancerClass,
    });
  });

  test.each<[string, Spec, ReflectionRoute['offered'], string | undefined]>([
    [
      'another class than it names',
      { loadBalancerClass: 'x' },
      metal,
      'Provider "milan" offers no load-balancer class "x" for Service "cart": its copy has class "metal"',
    ],
    [
      'no class',
      {},
      {},
      'Provider "milan" offers no load-balancer class for Service "cart": its copy has none, and is served only if the ' +
        'provider has a default one',
    ],
    ['the class that it names', { loadBalancerClass: 'basic' }, metal, undefined],
    ['the default class', {}, metal, undefined],
  ])('says what a load balancer with %s gets', (_name, spec, offered = {}, message) => {
    const local = service({ type: 'LoadBalancer', ...spec });
    const step = planService(local, undefined, { ...route, offered });
    const warning = step.type === 'apply' ? step.warning : undefined;
    expect(warning).toEqual(message && { reason: 'ClassNotOffered', message });
  });

  test.each<[string, Spec, Spec, string]>([
    ['leaves a good copy alone', stored, { ...stored, clusterIP: '10.92.0.1' }, 'nothing'],
    [
      'leaves allocated node ports',
      { ports: [{ port: 80 }] },
      { ports: [{ port: 80, nodePort: 1 }] },
      'nothing',
    ],
    ['repairs another selector', stored, { ...stored, selector: { app: 'x' } }, 'apply'],
    [
      'repairs a wider selector',
      stored,
      { ...stored, selector: { app: 'cart', more: 'x' } },
      'apply',
    ],
    ['repairs a selector that was added', {}, { selector: { app: 'x' } }, 'apply'],
    ['removes a port that was added', { ports: [] }, { ports: [{ port: 81 }] }, 'apply'],
    [
      'replaces a copy that is to be headless',
      { clusterIP: 'None' },
      { clusterIP: '10.92.0.1' },
      'delete',
    ],
    [
      'replaces a copy that is no longer headless',
      stored,
      { ...stored, clusterIP: 'None' },
      'delete',
    ],
    ['turns a copy into an ExternalName', { type: 'ExternalName' }, stored, 'apply'],
    [
      'replaces a load balancer of another class',
      { type: 'LoadBalancer', loadBalancerClass: 'basic' },
      { type: 'LoadBalancer', loadBalancerClass: 'metal' },
      'delete',
    ],
  ])('%s', (_name, local, remote, type) => {
    const step = planService(service(local), copy(remote), { ...route, offered: metal });
    expect(step.type).toBe(type);
  });

  test('leaves the Service of the API server at the consumer', () => {
    const kubernetes = service(stored, { namespace: 'default', name: 'kubernetes' });
    expect(planService(kubernetes, undefined, route)).toEqual({ type: 'nothing' });
    const own = service(stored, { name: 'kubernetes' });
    expect(planService(own, undefined, route).type).toBe('apply');
  });
});
