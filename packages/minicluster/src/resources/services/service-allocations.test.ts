import type { Service } from '@liqo/kube';
import type { ServiceSpec } from 'kubernetes-types/core/v1.d.ts';
import { expect, test } from 'vitest';
import type { Item } from '../../store/collection.ts';
import { ServiceAllocations } from './service-allocations.ts';

class Cluster {
  readonly #allocations = new ServiceAllocations({ cidr: '10.96.0.0/29', random: () => 0 });

  write(name: string, spec: ServiceSpec): ServiceSpec {
    const service: Service = { metadata: { name, namespace: 'default' }, spec };
    return (this.#allocations.allocate(service, undefined) as Service).spec ?? {};
  }

  tryOut(name: string, spec: ServiceSpec, previous?: ServiceSpec): ServiceSpec {
    const metadata = { name, namespace: 'default' };
    const before = previous && ({ metadata, spec: previous } as unknown as Item);
    return (this.#allocations.tryOut({ metadata, spec } as Service, before) as Service).spec ?? {};
  }

  remove(name: string): void {
    this.#allocations.release({ metadata: { name, namespace: 'default' } } as Item);
  }

  refusal(name: string, spec: ServiceSpec): string {
    try {
      return `none: ${JSON.stringify(this.write(name, spec))}`;
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  }
}

const nodePort = (...ports: NonNullable<ServiceSpec['ports']>): ServiceSpec => {
  return { type: 'NodePort', ports };
};

test('ServiceAllocations gives each service an address of its own and says which family it is of', () => {
  const cluster = new Cluster();
  expect(cluster.write('a', { type: 'ClusterIP' })).toEqual({
    type: 'ClusterIP',
    clusterIP: '10.96.0.1',
    clusterIPs: ['10.96.0.1'],
    ipFamilies: ['IPv4'],
    ipFamilyPolicy: 'SingleStack',
  });
  expect(cluster.write('b', { type: 'ClusterIP' }).clusterIP).toBe('10.96.0.2');
});

test('ServiceAllocations leaves a service its address when it is written again', () => {
  const cluster = new Cluster();
  const first = cluster.write('a', { type: 'ClusterIP' });
  expect(cluster.write('a', first)).toEqual(first);
});

test('ServiceAllocations refuses an address that another service has until that one is gone', () => {
  const cluster = new Cluster();
  const wanted = { type: 'ClusterIP', clusterIP: '10.96.0.5', clusterIPs: ['10.96.0.5'] };
  cluster.write('a', wanted);
  expect(cluster.refusal('b', wanted)).toBe(
    'Service "b" is invalid: spec.clusterIPs: Invalid value: ["10.96.0.5"]: failed to allocate IP 10.96.0.5: provided IP is already allocated',
  );
  cluster.remove('a');
  expect(cluster.write('b', wanted).clusterIP).toBe('10.96.0.5');
});

test.each(['1.2.3.4', '10.96.0.0', '10.96.0.7'])(
  'ServiceAllocations refuses %s, which is not in the range',
  (address) => {
    const spec = { type: 'ClusterIP', clusterIP: address, clusterIPs: [address] };
    expect(new Cluster().refusal('a', spec)).toBe(
      `Service "a" is invalid: spec.clusterIPs: Invalid value: ["${address}"]: failed to allocate IP ${address}: the provided network does not match the current range`,
    );
  },
);

test('ServiceAllocations fails when all addresses are taken', () => {
  const cluster = new Cluster();
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) cluster.write(name, { type: 'ClusterIP' });
  expect(cluster.refusal('g', { type: 'ClusterIP' })).toContain('range is full');
});

test('ServiceAllocations gives headless services and names of other hosts no address', () => {
  const cluster = new Cluster();
  const headless = { type: 'ClusterIP', clusterIP: 'None', clusterIPs: ['None'] };
  expect(cluster.write('a', { ...headless, selector: { app: 'a' } })).toMatchObject({
    clusterIP: 'None',
    ipFamilies: ['IPv4'],
    ipFamilyPolicy: 'SingleStack',
  });
  expect(cluster.write('b', headless)).toMatchObject({
    ipFamilies: ['IPv4', 'IPv6'],
    ipFamilyPolicy: 'RequireDualStack',
  });
  const name = { type: 'ExternalName', externalName: 'example.com' };
  expect(cluster.write('c', name)).toEqual(name);
});

test.each<[ServiceSpec, string]>([
  [
    { ipFamilyPolicy: 'RequireDualStack' },
    'spec.ipFamilyPolicy: Invalid value: "RequireDualStack": this cluster is not configured for dual-stack services',
  ],
  [
    { ipFamilies: ['IPv6'] },
    'spec.ipFamilies[0]: Invalid value: "IPv6": not configured on this cluster',
  ],
  [
    { clusterIP: 'fd00::1', clusterIPs: ['fd00::1'] },
    'spec.clusterIPs[0]: Invalid value: ["fd00::1"]: IPv6 is not configured on this cluster',
  ],
])('ServiceAllocations refuses %j because it speaks IPv4 alone', (spec, fault) => {
  expect(new Cluster().refusal('a', { type: 'ClusterIP', ...spec })).toBe(
    `Service "a" is invalid: ${fault}`,
  );
});

test('ServiceAllocations gives a port that is served by two protocols one node port', () => {
  const { ports } = new Cluster().write(
    'a',
    nodePort({ name: 't', port: 80, protocol: 'TCP' }, { name: 'u', port: 80, protocol: 'UDP' }),
  );
  expect(ports?.map((port) => port.nodePort)).toEqual([30_000, 30_000]);
});

test('ServiceAllocations refuses a node port that another service has', () => {
  const cluster = new Cluster();
  cluster.write('a', nodePort({ port: 80, nodePort: 30_123 }));
  expect(cluster.refusal('b', nodePort({ port: 81, nodePort: 30_123 }))).toBe(
    'Service "b" is invalid: spec.ports[0].nodePort: Invalid value: 30123: provided port is already allocated',
  );
});

test('ServiceAllocations refuses a node port out of range', () => {
  expect(new Cluster().refusal('a', nodePort({ port: 80, nodePort: 29_999 }))).toBe(
    'Service "a" is invalid: spec.ports[0].nodePort: Invalid value: 29999: provided port is not in the valid range. The range of valid ports is 30000-32767',
  );
});

test('ServiceAllocations takes node ports back that a service no longer has', () => {
  const cluster = new Cluster();
  const { clusterIP = '' } = cluster.write('a', nodePort({ port: 80, nodePort: 30_123 }));
  cluster.write('a', {
    type: 'ClusterIP',
    clusterIP,
    clusterIPs: [clusterIP],
    ports: [{ port: 80 }],
  });
  const taken = cluster.write('b', nodePort({ port: 80, nodePort: 30_123 }));
  expect(taken.ports).toEqual([{ port: 80, nodePort: 30_123 }]);
});

test('ServiceAllocations keeps what a service has when its change is refused', () => {
  const cluster = new Cluster();
  cluster.write('a', nodePort({ port: 80, nodePort: 30_123 }));
  cluster.write('b', nodePort({ port: 80, nodePort: 30_124 }));
  expect(cluster.refusal('a', nodePort({ port: 80, nodePort: 30_124 }))).toContain('already');
  expect(cluster.refusal('c', nodePort({ port: 80, nodePort: 30_123 }))).toContain('already');
});

test('ServiceAllocations gives no address to a service that is refused for its ports', () => {
  const cluster = new Cluster();
  const address = { clusterIP: '10.96.0.3', clusterIPs: ['10.96.0.3'] };
  const refused = { ...nodePort({ port: 80, nodePort: 1 }), ...address };
  expect(cluster.refusal('a', refused)).toContain('not in the valid range');
  expect(cluster.write('b', { type: 'ClusterIP', ...address }).clusterIP).toBe('10.96.0.3');
});

test('ServiceAllocations gives balanced services a port for health checks, and no node ports when they want none', () => {
  const spec = {
    type: 'LoadBalancer',
    ports: [{ port: 80 }],
    allocateLoadBalancerNodePorts: false,
  };
  const written = new Cluster().write('a', { ...spec, externalTrafficPolicy: 'Local' });
  expect(written).toMatchObject({ ports: [{ port: 80 }], healthCheckNodePort: 30_000 });
});

test('ServiceAllocations tries out what a new service would get, and reserves nothing', () => {
  const cluster = new Cluster();
  const shown = cluster.tryOut('a', nodePort({ port: 80 }));
  expect(shown).toMatchObject({ clusterIP: '10.96.0.1', ports: [{ port: 80, nodePort: 30_000 }] });
  expect(cluster.write('b', nodePort({ port: 80 }))).toEqual(shown);
});

test('ServiceAllocations tries out a new service beside one that has its name already', () => {
  const cluster = new Cluster();
  const { clusterIP = '' } = cluster.write('a', nodePort({ port: 80, nodePort: 30_123 }));
  expect(cluster.tryOut('a', nodePort({ port: 80 })).clusterIP).not.toBe(clusterIP);
  expect(cluster.refusal('b', nodePort({ port: 80, nodePort: 30_123 }))).toContain('already');
  const rival = { type: 'ClusterIP', clusterIP, clusterIPs: [clusterIP] };
  expect(cluster.refusal('b', rival)).toContain('already');
});

test('ServiceAllocations tries out a change, and leaves the service what it has', () => {
  const cluster = new Cluster();
  const before = cluster.write('a', nodePort({ port: 80, nodePort: 30_123 }));
  const name = { type: 'ExternalName', externalName: 'example.com' };
  expect(cluster.tryOut('a', name, before)).toEqual(name);
  expect(cluster.refusal('b', nodePort({ port: 80, nodePort: 30_123 }))).toContain('already');
  const { clusterIP = '' } = before;
  const rival = { type: 'ClusterIP', clusterIP, clusterIPs: [clusterIP] };
  expect(cluster.refusal('b', rival)).toContain('already');
});
