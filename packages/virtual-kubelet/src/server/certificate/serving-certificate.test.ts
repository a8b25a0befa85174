import { X509Certificate } from 'node:crypto';
import { CertificateSigningRequest, type Client, type Stored } from '@liqo/kube';
import { type Minicluster, startMinicluster } from '@liqo/minicluster';
import { createLogger } from '@liqo/runtime';
import { eventually, rejection, seededRandom, VirtualClock } from '@liqo/testkit';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { KeyPair } from './key-pair.ts';
import { type CertificateType, ServingCertificate } from './serving-certificate.ts';

const dayMs = 24 * 3600_000;

describe('ServingCertificate', () => {
  /** That of the node alone: for the cluster, a year would be a lot of work. */
  let clock: VirtualClock;
  let cluster: Minicluster;
  let client: Client;
  /** What somebody should know. */
  let complaints: string[];

  beforeEach(async () => {
    clock = new VirtualClock();
    complaints = [];
    cluster = await startMinicluster({ clock: new VirtualClock(), random: seededRandom(1) });
    client = cluster.client;
  });
  afterEach(async () => {
    await cluster[Symbol.asyncDispose]();
  });

  const create = (certificateType: CertificateType, address = '10.0.0.7') =>
    new ServingCertificate({
      client,
      clock,
      random: seededRandom(2),
      log: createLogger({
        level: 'warn',
        clock,
        destination: { write: (line) => complaints.push(line) },
      }),
      nodeName: 'mynode',
      addresses: [address],
      certificateType,
    });

  const requests = async () => (await client.list(CertificateSigningRequest)).items;

  /** Those that nobody has answered. */
  const pending = async () => (await requests()).filter(({ status }) => !status?.conditions);

  const asked = (): Promise<Stored<CertificateSigningRequest>> =>
    eventually(async () => {
      const [request] = await pending();
      if (!request) throw new Error('Nobody asks');
      return request;
    });

  const answer = (csr: Stored<CertificateSigningRequest>, type: 'Approved' | 'Denied') => {
    const condition = { type, status: 'True', reason: 'Test', message: 'as the test wants it' };
    return client.updateApproval({ ...csr, status: { conditions: [condition] } });
  };

  const issuerOf = ({ certificate }: KeyPair) => new X509Certificate(certificate).issuer;
  const clusterIssuer = 'CN=kubernetes';
  const ownIssuer = 'O=liqo.io\nCN=system:node:mynode';

  /** That of a first caller, signed by the cluster. */
  const signed = async (certificate: ServingCertificate): Promise<KeyPair> => {
    const first = certificate.keys();
    await answer(await asked(), 'Approved');
    return first;
  };

  test.each(['kubelet', 'self-signed'] as const)(
    'of type %s asks for nothing, and does nothing, before somebody comes',
    async (type) => {
      await using _certificate = create(type);
      await clock.advance(400 * dayMs);
      expect(await requests()).toEqual([]);
      expect(clock.pendingTimers).toBe(0);
    },
  );

  test('complains of nothing when it is no longer needed while it waits', async () => {
    const certificate = create('kubelet');
    const keys = rejection(certificate.keys());
    await asked();
    await certificate[Symbol.asyncDispose]();
    await keys;
    expect(complaints).toEqual([]);
  });

  test('is from the cluster already for the first caller, when somebody approves in time', async () => {
    await using certificate = create('kubelet');
    const callers = [certificate.keys(), certificate.keys()];
    const csr = await asked();
    expect(csr.spec).toMatchObject({
      signerName: 'kubernetes.io/kubelet-serving',
      usages: ['digital signature', 'server auth'],
    });
    await clock.advance(4_999);
    await answer(csr, 'Approved');
    const [first, second] = await Promise.all(callers);
    const served = new X509Certificate(first?.certificate ?? '');
    expect(served.issuer).toBe(clusterIssuer);
    expect(served.subject).toBe('O=system:nodes\nCN=system:node:mynode');
    expect(served.subjectAltName).toBe('IP Address:10.0.0.7');
    expect(second).toBe(first);
    expect(await certificate.keys()).toBe(first);
    expect(await requests()).toHaveLength(1);
  });

  test('is self-signed for whoever has waited for five seconds, until somebody approves', async () => {
    await using certificate = create('kubelet');
    const first = certificate.keys();
    const csr = await asked();
    await clock.advance(5_000);
    expect(issuerOf(await first)).toBe(ownIssuer);
    expect(await certificate.keys()).toBe(await first);
    await answer(csr, 'Approved');
    await eventually(async () => expect(issuerOf(await certificate.keys())).toBe(clusterIssuer));
  });

  test('is self-signed at once when it is denied', async () => {
    await using certificate = create('kubelet');
    const first = certificate.keys();
    await answer(await asked(), 'Denied');
    expect(issuerOf(await first)).toBe(ownIssuer);
  });

  test('is renewed with a new key when between 70 and 80 % of its life are over', async () => {
    await using certificate = create('kubelet');
    const first = await signed(certificate);
    await clock.advance(0.69 * 365 * dayMs);
    expect(await pending()).toEqual([]);
    await clock.advance(0.12 * 365 * dayMs);
    expect(await certificate.keys()).toBe(first);
    // How often it has asked by then, and whether it is about to ask again, depends on how fast keys are made.
    const renewed = await eventually(async () => {
      await clock.advance(1_000);
      for (const csr of await pending()) await answer(csr, 'Approved');
      const keys = await certificate.keys();
      expect(keys).not.toBe(first);
      return keys;
    });
    expect(renewed.privateKey).not.toBe(first.privateKey);
  });

  test('is asked for again, after a while, when it is denied or nobody answers', async () => {
    await using certificate = create('kubelet');
    const first = certificate.keys();
    await answer(await asked(), 'Denied');
    await first;
    const again = (count: number, stepMs: number) =>
      eventually(async () => {
        await clock.advance(stepMs);
        expect(await pending()).toHaveLength(count);
      });
    await again(1, 1_000);
    expect(clock.monotonicMs()).toBeLessThan(60_000);
    await again(2, 30_000);
    expect(clock.monotonicMs()).toBeGreaterThan(15 * 60_000);
    for (const csr of await pending()) await answer(csr, 'Approved');
    await eventually(async () => expect(issuerOf(await certificate.keys())).toBe(clusterIssuer));
  });

  test('is nobody’s business but the node’s when it is self-signed, and renewed all the same', async () => {
    await using certificate = create('self-signed');
    const first = await certificate.keys();
    await clock.advance(0.69 * 365 * dayMs);
    expect(await certificate.keys()).toBe(first);
    await clock.advance(0.12 * 365 * dayMs);
    const renewed = await eventually(async () => {
      const keys = await certificate.keys();
      expect(keys).not.toBe(first);
      return keys;
    });
    const { validTo } = new X509Certificate(renewed.certificate);
    expect(Date.parse(validTo) - clock.now()).toBeGreaterThan(300 * dayMs);
    expect(await requests()).toEqual([]);
  });

  test.each(['kubelet', 'self-signed'] as const)(
    'of type %s that cannot be made is refused to every caller, and harms nobody else',
    async (type) => {
      await using certificate = create(type, 'nowhere');
      for (const _ of ['first', 'second']) {
        expect(await rejection(certificate.keys())).toBeInstanceOf(Error);
      }
      expect(await requests()).toEqual([]);
    },
  );

  test('leaves nothing behind, before, while and after its first caller waits', async () => {
    const unused = create('kubelet');
    await unused[Symbol.asyncDispose]();
    const awaited = create('kubelet');
    const refused = rejection(awaited.keys());
    await asked();
    await awaited[Symbol.asyncDispose]();
    expect(await refused).toMatchObject({ name: 'AbortError' });
    expect(await rejection(awaited.keys())).toMatchObject({ name: 'AbortError' });
    const used = create('self-signed');
    await used.keys();
    await used[Symbol.asyncDispose]();
    expect(clock.pendingTimers).toBe(0);
  });

  test('leaves nothing behind, however far the first request has come', async () => {
    for (let turns = 0; turns < 20; turns++) {
      const certificate = create('kubelet');
      const refused = rejection(certificate.keys());
      for (let turn = 0; turn < turns; turn++) await new Promise(setImmediate);
      await certificate[Symbol.asyncDispose]();
      expect(await refused).toMatchObject({ name: 'AbortError' });
      expect(clock.pendingTimers).toBe(0);
    }
  });
});
