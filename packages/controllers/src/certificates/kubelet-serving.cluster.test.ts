import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import { labels, VirtualNode } from '@liqo/api';
import {
  CertificateSigningRequest,
  mergePatch,
  Namespace,
  Node,
  Pod,
  ServiceAccount,
} from '@liqo/kube';
import type { Stoppable } from '@liqo/runtime';
import { eventually } from '@liqo/testkit';
import {
  type JsonName,
  Pkcs10CertificateRequestGenerator,
  SubjectAlternativeNameExtension,
} from '@peculiar/x509';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startCluster, type TestCluster } from '../testing/start-cluster.ts';
import { startKubeletServingController } from './kubelet-serving-controller.ts';

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const namespace = 'liqo-tenant-milan';
const subject: JsonName = [{ O: ['system:nodes'] }, { CN: ['system:node:mynode'] }];

describe('a request for a serving certificate', () => {
  let rome: TestCluster;
  let controller: Stoppable;

  beforeAll(async () => {
    rome = await startCluster('rome');
    for (const [name, marks] of [
      [namespace, { [labels.tenantNamespace]: 'true' }],
      ['somewhere', {}],
    ] as const) {
      await rome.client.create(Namespace, { metadata: { name, labels: marks } });
      for (const account of ['mynode', 'other']) {
        await rome.client.create(ServiceAccount, { metadata: { namespace: name, name: account } });
      }
      await rome.client.create(VirtualNode, {
        metadata: { namespace: name, name: 'mynode' },
        spec: { clusterID: 'milan' },
      });
      await runVirtualKubelet(name, '10.0.0.7', 'mynode');
    }
    controller = startKubeletServingController(rome.context);
  });
  afterAll(async () => {
    await controller[Symbol.asyncDispose]();
    await rome[Symbol.asyncDispose]();
  });

  async function runVirtualKubelet(
    where: string,
    podIP: string,
    account: string,
    phase = 'Running',
  ): Promise<void> {
    const node = await rome.client.create(Node, { metadata: { generateName: 'worker-' } });
    const pod = await rome.client.create(Pod, {
      metadata: {
        generateName: 'vk-',
        namespace: where,
        labels: { [labels.virtualNode]: 'mynode' },
      },
      spec: {
        nodeName: node.metadata.name,
        serviceAccountName: account,
        containers: [{ name: 'virtual-kubelet', image: 'example.org/liqo' }],
      },
    });
    const status = { phase, podIP, podIPs: [{ ip: podIP }] };
    await rome.client.patch(
      Pod,
      { namespace: where, name: pod.metadata.name },
      mergePatch({ status }),
      { subresource: 'status' },
    );
  }

  async function ask(options: {
    readonly where?: string;
    readonly account?: string;
    readonly name?: JsonName;
    readonly ip?: string;
    readonly usages?: string[];
  }): Promise<string> {
    const { where = namespace, account = 'mynode', ip = '10.0.0.7' } = options;
    const groups = ['system:serviceaccounts', 'system:masters'];
    const user = { name: `system:serviceaccount:${where}:${account}`, groups };
    const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
    const request = await Pkcs10CertificateRequestGenerator.create({
      name: options.name ?? subject,
      keys,
      signingAlgorithm: algorithm,
      extensions: [new SubjectAlternativeNameExtension([{ type: 'ip', value: ip }])],
    });
    const created = await rome.cluster.clientFor(user).create(CertificateSigningRequest, {
      metadata: { generateName: 'csr-' },
      spec: {
        request: Buffer.from(`${request.toString('pem')}\n`).toString('base64'),
        signerName: 'kubernetes.io/kubelet-serving',
        usages: options.usages ?? ['digital signature', 'server auth'],
      },
    });
    return created.metadata.name;
  }

  const read = (name: string) => rome.client.get(CertificateSigningRequest, { name });

  test('of a virtual kubelet for its own node is approved, and so signed', async () => {
    const name = await ask({});
    await eventually(async () => {
      const { status } = (await read(name)) ?? {};
      expect(status?.certificate).toBeDefined();
      expect(status?.conditions).toMatchObject([{ type: 'Approved', reason: 'VirtualKubelet' }]);
    });
  });

  test.each([
    [
      'for another node',
      'WrongSubject',
      { name: [{ O: ['system:nodes'] }, { CN: ['system:node:other'] }] },
    ],
    [
      'with one more group',
      'WrongSubject',
      {
        name: [{ O: ['system:nodes'] }, { O: ['system:masters'] }, { CN: ['system:node:mynode'] }],
      },
    ],
    [
      'for a client',
      'WrongUsages',
      { usages: ['digital signature', 'server auth', 'client auth'] },
    ],
  ])('of a virtual kubelet %s is denied with the reason', async (_, reason, options) => {
    const name = await ask(options);
    await eventually(async () => {
      const conditions = (await read(name))?.status?.conditions;
      expect(conditions).toMatchObject([{ type: 'Denied', status: 'True', reason }]);
    });
  });

  test.each([
    ['of an account that is no virtual kubelet', { account: 'other' }],
    ['from a namespace that is no tenant namespace', { where: 'somewhere' }],
  ])('%s is left alone', async (_, options) => {
    const name = await ask(options);
    const later = await ask({});
    await eventually(async () => expect((await read(later))?.status?.conditions).toHaveLength(1));
    expect((await read(name))?.status?.conditions).toBeUndefined();
  });

  test.each([
    ['somebody else claims to be one', '10.0.0.8', 'other', 'Running'],
    ['one that has ended had it', '10.0.0.9', 'mynode', 'Succeeded'],
  ])('for an address waits until its virtual kubelet has it, though %s', async (...example) => {
    const [, ip, account, phase] = example;
    await runVirtualKubelet(namespace, ip, account, phase);
    const name = await ask({ ip });
    const later = await ask({});
    await eventually(async () => expect((await read(later))?.status?.conditions).toHaveLength(1));
    expect((await read(name))?.status?.conditions).toBeUndefined();
    await runVirtualKubelet(namespace, ip, 'mynode');
    await eventually(
      async () => {
        const conditions = (await read(name))?.status?.conditions;
        expect(conditions).toMatchObject([{ type: 'Approved' }]);
      },
      { timeoutMs: 30_000 },
    );
  });

  test.each([
    ['the API server', '10.96.0.1'],
    ['a Node', '192.168.7.4'],
    ['the machine itself', '127.0.0.1'],
  ])('for the address of %s is denied, whatever the status of its pod says', async (_, ip) => {
    const node = await rome.client.create(Node, { metadata: { generateName: 'machine-' } });
    const addresses = [{ type: 'InternalIP', address: '192.168.7.4' }];
    const status = mergePatch({ status: { addresses } });
    const { name: machine } = node.metadata;
    await rome.client.patch(Node, { name: machine }, status, { subresource: 'status' });
    await runVirtualKubelet(namespace, ip, 'mynode');
    const name = await ask({ ip });
    await eventually(async () => {
      const conditions = (await read(name))?.status?.conditions;
      expect(conditions).toMatchObject([{ type: 'Denied', reason: 'ForbiddenAddress' }]);
    });
  });

  test('for an address that nobody has had for a minute is denied', async () => {
    const name = await ask({ ip: '10.9.9.9' });
    const { clock } = rome.context;
    const aMinuteLater = { ...clock, now: () => clock.now() + 61_000 };
    await using _ = startKubeletServingController({ ...rome.context, clock: aMinuteLater });
    await eventually(async () => {
      const conditions = (await read(name))?.status?.conditions;
      expect(conditions).toMatchObject([{ type: 'Denied', reason: 'UnknownAddress' }]);
    });
  });
});
