import { X509Certificate } from 'node:crypto';
import { CertificateSigningRequest, type Client, type Stored } from '@liqo/kube';
import { type Minicluster, startMinicluster } from '@liqo/minicluster';
import { silentLogger } from '@liqo/runtime';
import { eventually, seededRandom, VirtualClock } from '@liqo/testkit';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { KeyPair } from './key-pair.ts';
import { type CertificateType, startServingCertificate } from './serving-certificate.ts';

const dayMs = 24 * 3600_000;

describe('ServingCertificate', () => {
  /** That of the node alone: for the cluster, a year would be a lot of work. */
  let clock: VirtualClock;
  let cluster: Minicluster;
  let client: Client;

  beforeEach(async () => {
    clock = new VirtualClock();
    cluster = await startMinicluster({ clock: new VirtualClock(), random: seededRandom(1) });
    client = cluster.client;
  });
  afterEach(async () => {
    await cluster[Symbol.asyncDispose]();
  });

  const start = (certificateType: CertificateType) =>
    startServingCertificate({
      client,
      clock,
      random: seededRandom(2),
      log: silentLogger,
      nodeName: 'mynode',
      addresses: ['10.0.0.7'],
      certificateType,
    });

  /** Those that nobody has answered. */
  const pending = async () => {
    const { items } = await client.list(CertificateSigningRequest);
    return items.filter(({ status }) => !status?.conditions);
  };

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

  test('is self-signed at first, and from the cluster as soon as somebody approves', async () => {
    await using certificate = await start('kubelet');
    const told: KeyPair[] = [];
    using _ = certificate.subscribe((keys) => told.push(keys));
    expect(issuerOf(certificate.current)).toContain('CN=system:node:mynode');
    const csr = await asked();
    expect(csr.spec).toMatchObject({
      signerName: 'kubernetes.io/kubelet-serving',
      usages: ['digital signature', 'server auth'],
    });
    await answer(csr, 'Approved');
    await eventually(() => expect(issuerOf(certificate.current)).toBe('CN=kubernetes'));
    const served = new X509Certificate(certificate.current.certificate);
    expect(served.subject).toBe('O=system:nodes\nCN=system:node:mynode');
    expect(served.subjectAltName).toBe('IP Address:10.0.0.7');
    expect(told).toEqual([certificate.current]);
  });

  test('is renewed with a new key when between 70 and 80 % of its life are over', async () => {
    await using certificate = await start('kubelet');
    await answer(await asked(), 'Approved');
    await eventually(() => expect(issuerOf(certificate.current)).toBe('CN=kubernetes'));
    const first = certificate.current;
    await clock.advance(0.69 * 365 * dayMs);
    expect(await pending()).toEqual([]);
    await clock.advance(0.12 * 365 * dayMs);
    expect(certificate.current).toBe(first);
    // How often it has asked by then, and whether it is about to ask again, depends on how fast keys are made.
    await eventually(async () => {
      await clock.advance(1_000);
      for (const csr of await pending()) await answer(csr, 'Approved');
      expect(certificate.current).not.toBe(first);
    });
    expect(certificate.current.privateKey).not.toBe(first.privateKey);
  });

  test('is asked for again, after a while, when it is denied or nobody answers', async () => {
    await using certificate = await start('kubelet');
    await answer(await asked(), 'Denied');
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
    await eventually(() => expect(issuerOf(certificate.current)).toBe('CN=kubernetes'));
  });

  test('is nobody’s business but the node’s when it is self-signed, and renewed all the same', async () => {
    await using certificate = await start('self-signed');
    const first = certificate.current;
    await clock.advance(0.69 * 365 * dayMs);
    expect(certificate.current).toBe(first);
    await clock.advance(0.12 * 365 * dayMs);
    await eventually(() => expect(certificate.current).not.toBe(first));
    const { validTo } = new X509Certificate(certificate.current.certificate);
    expect(Date.parse(validTo) - clock.now()).toBeGreaterThan(300 * dayMs);
    expect(await pending()).toEqual([]);
  });

  test('leaves no timer behind', async () => {
    const certificate = await start('kubelet');
    await asked();
    await certificate[Symbol.asyncDispose]();
    expect(clock.pendingTimers).toBe(0);
  });
});
