import type { Service, Stored } from '@liqo/kube';
import type { ServiceSpec } from 'kubernetes-types/core/v1.d.ts';
import { expect, test } from 'vitest';
import { readService, updateService } from './service-update.ts';

const nodePortSpec: ServiceSpec = {
  type: 'NodePort',
  clusterIP: '10.96.0.1',
  clusterIPs: ['10.96.0.1'],
  ipFamilies: ['IPv4'],
  ipFamilyPolicy: 'SingleStack',
  internalTrafficPolicy: 'Cluster',
  externalTrafficPolicy: 'Cluster',
  sessionAffinity: 'None',
  ports: [
    { name: 't', port: 80, protocol: 'TCP', targetPort: 80, nodePort: 30_001 },
    { name: 'u', port: 80, protocol: 'UDP', targetPort: 80, nodePort: 30_001 },
  ],
};

function changed(previous: ServiceSpec, next: ServiceSpec): ServiceSpec {
  const stored = { metadata: { name: 'a' }, spec: previous } as Stored<Service>;
  return updateService({ metadata: { name: 'a' }, spec: next }, stored).spec ?? {};
}

function without(spec: ServiceSpec, ...fields: readonly (keyof ServiceSpec)[]): ServiceSpec {
  return Object.fromEntries(
    Object.entries(spec).filter(([field]) => !fields.includes(field as keyof ServiceSpec)),
  );
}

test('updateService() keeps addresses and node ports that the client left out', () => {
  const ports = nodePortSpec.ports?.map(({ nodePort: _, ...port }) => port) ?? [];
  const next = { ...without(nodePortSpec, 'clusterIP', 'clusterIPs', 'ipFamilies'), ports };
  expect(changed(nodePortSpec, next)).toEqual(nodePortSpec);
});

test('updateService() takes the node ports of a service that becomes internal', () => {
  const spec = changed(nodePortSpec, { ...nodePortSpec, type: 'ClusterIP' });
  expect(spec.ports).toEqual([
    { name: 't', port: 80, protocol: 'TCP', targetPort: 80 },
    { name: 'u', port: 80, protocol: 'UDP', targetPort: 80 },
  ]);
  expect(spec).not.toHaveProperty('externalTrafficPolicy');
  expect(spec.clusterIP).toBe('10.96.0.1');
});

test('updateService() takes the address of a service that becomes the name of another host', () => {
  const next = { ...nodePortSpec, type: 'ExternalName', externalName: 'example.com' };
  expect(changed(nodePortSpec, next)).toEqual({
    type: 'ExternalName',
    externalName: 'example.com',
    internalTrafficPolicy: 'Cluster',
    sessionAffinity: 'None',
    ports: [
      { name: 't', port: 80, protocol: 'TCP', targetPort: 80 },
      { name: 'u', port: 80, protocol: 'UDP', targetPort: 80 },
    ],
  });
});

test('updateService() leaves what the client changed, for the validation to see', () => {
  const next = { ...nodePortSpec, clusterIP: '10.96.0.2' };
  expect(changed(nodePortSpec, next)).toMatchObject({
    clusterIP: '10.96.0.2',
    clusterIPs: ['10.96.0.2'],
  });
});

test('updateService() forgets the addresses of a balancer that a service no longer has', () => {
  const status = { loadBalancer: { ingress: [{ ip: '192.0.2.1' }] } };
  const stored = { metadata: { name: 'a' }, spec: { type: 'LoadBalancer' }, status };
  const next = { metadata: { name: 'a' }, spec: { type: 'ClusterIP' }, status };
  const { status: after } = updateService(next, stored as unknown as Stored<Service>);
  expect(after).toEqual({ loadBalancer: {} });
});

test('readService() hides the policy that the name of another host has kept', () => {
  const kept = { type: 'ExternalName', externalName: 'example.com' };
  const stored = (spec: ServiceSpec) => ({ metadata: { name: 'a' }, spec }) as Stored<Service>;
  expect(readService(stored({ ...kept, internalTrafficPolicy: 'Local' }))).toEqual(stored(kept));
  expect(readService(stored(nodePortSpec))).toEqual(stored(nodePortSpec));
});
