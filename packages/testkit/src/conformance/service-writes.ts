import { type Client, isAlreadyExists, mergePatch, Service, type Stored } from '@liqo/kube';
import { describe, expect, test } from 'vitest';
import { rejection } from '../rejection.ts';
import { freshNamespace, type GetSubject } from './subject.ts';

type ServiceSpec = NonNullable<Service['spec']>;

const externalName = { type: 'ExternalName', externalName: 'example.com' };
const nodePort = { type: 'NodePort', ports: [{ port: 80 }] };
const nodePortOutOfRange = { type: 'NodePort', ports: [{ port: 70_000, nodePort: 80 }] };

/** What the server makes of a Service that is written: addresses, ports, and what it warns of. */
export function serviceWrites(subject: GetSubject): void {
  describe('writes of services', () => {
    const make = async (spec: ServiceSpec) => {
      const { client } = subject();
      const key = { namespace: await freshNamespace(subject()), name: 'shop' };
      return { client, key, made: await client.create(Service, { metadata: key, spec }) };
    };

    test('a dry run that changes the type shows addresses and ports, and takes none', async () => {
      const { client, key, made } = await make(externalName);
      const patch = mergePatch({ spec: nodePort });
      const shown = await client.patch(Service, key, patch, { dryRun: true });
      expect(shown.spec).toMatchObject({
        clusterIP: expect.stringMatching(/^\d+\.\d+\.\d+\.\d+$/),
        ports: [{ port: 80, nodePort: expect.any(Number) }],
      });
      expect(await client.get(Service, key)).toEqual(made);
    });

    test('a dry run leaves a service the address and the ports it has', async () => {
      const { client, key, made } = await make(nodePort);
      const patch = mergePatch({ spec: { ...externalName, ports: [] } });
      const shown = await client.patch(Service, key, patch, { dryRun: true });
      expect(shown.spec?.clusterIP).toBeUndefined();
      await expectTaken(client, made);
    });

    test('a service that is there already keeps what it has when it is created again', async () => {
      const { client, key, made } = await make(nodePort);
      const again = await rejection(client.create(Service, { metadata: key, spec: nodePort }));
      expect(isAlreadyExists(again)).toBe(true);
      await expectTaken(client, made);
    });

    test.each<[string, ServiceSpec, string]>([
      ['an address of another network', { clusterIP: '1.2.3.4' }, 'spec.clusterIPs'],
      ['an address that is none', { clusterIP: 'garbage' }, 'spec.clusterIPs[0]'],
      ['a family that is not spoken', { ipFamilies: ['IPv6'] }, 'spec.ipFamilies[0]'],
      ['a node port out of range', nodePortOutOfRange, 'spec.ports[0].nodePort'],
    ])('%s is refused before anything else is looked at', async (_, spec, field) => {
      const { client } = subject();
      const metadata = { namespace: await freshNamespace(subject()), name: 'shop' };
      const faulty = { ports: [{ port: 70_000 }], ...spec };
      expect(await rejection(client.create(Service, { metadata, spec: faulty }))).toMatchObject({
        details: { causes: [{ field }] },
      });
    });

    test('another address than the one a service has is refused with all other faults', async () => {
      const { client, key } = await make({ ports: [{ port: 80 }] });
      const patch = mergePatch({ spec: { clusterIP: '1.2.3.4', type: 'Strange' } });
      expect(await rejection(client.patch(Service, key, patch))).toMatchObject({
        details: { causes: [{ field: 'spec.clusterIPs[0]' }, { field: 'spec.type' }] },
      });
    });

    test('a service is warned of what it says in vain, and so is its status', async () => {
      const { client, key } = await make({ type: 'LoadBalancer', ports: [{ port: 80 }] });
      const { warnings } = subject();
      const before = warnings.length;
      await client.patch(Service, key, mergePatch({ spec: { externalIPs: ['192.0.2.01'] } }));
      const status = { loadBalancer: { ingress: [{ ip: '192.0.2.02' }] } };
      await client.patch(Service, key, mergePatch({ status }), { subresource: 'status' });
      const future = 'will be considered invalid in a future Kubernetes release';
      expect(warnings.slice(before)).toEqual([
        `spec.externalIPs[0]: non-standard IP address "192.0.2.01" ${future}: use "192.0.2.1"`,
        `status.loadBalancer.ingress[0]: non-standard IP address "192.0.2.02" ${future}: use "192.0.2.2"`,
      ]);
    });

    test('the mode of an address is filled in for a status that comes with its type', async () => {
      const { client, key } = await make({ type: 'LoadBalancer', ports: [{ port: 80 }] });
      const status = { loadBalancer: { ingress: [{ ip: '192.0.2.1' }] } };
      const put = (spec: ServiceSpec) =>
        client.updateStatus(Service, { metadata: key, spec, status });
      expect(await rejection(put({}))).toMatchObject({
        code: 422,
        details: {
          causes: [
            { reason: 'FieldValueRequired', field: 'status.loadBalancer.ingress[0].ipMode' },
          ],
        },
      });
      const { status: filled } = await put({ type: 'LoadBalancer' });
      expect(filled?.loadBalancer?.ingress).toEqual([{ ip: '192.0.2.1', ipMode: 'VIP' }]);
    });

    test('the policy for traffic inside the cluster is not shown of another host', async () => {
      const { client, key, made } = await make({ ...externalName, internalTrafficPolicy: 'Local' });
      expect(made.spec).not.toHaveProperty('internalTrafficPolicy');
      const patch = mergePatch({ spec: { type: 'ClusterIP', ports: [{ port: 80 }] } });
      const changed = await client.patch(Service, key, patch);
      expect(changed.spec?.internalTrafficPolicy).toBe('Local');
    });
  });
}

/** Whoever asks for the same address is refused. */
async function expectTaken(client: Client, { metadata, spec }: Stored<Service>): Promise<void> {
  const { namespace = '' } = metadata;
  const { clusterIP = '', ports: [{ nodePort: port = 0 } = {}] = [] } = spec ?? {};
  const rival = { metadata: { namespace, name: 'rival' } };
  const sameAddress = { ...rival, spec: { clusterIP, ports: [{ port: 80 }] } };
  await expect(client.create(Service, sameAddress)).rejects.toThrow('already allocated');
  const samePort = { ...rival, spec: { type: 'NodePort', ports: [{ port: 80, nodePort: port }] } };
  await expect(client.create(Service, samePort)).rejects.toThrow('already allocated');
}
