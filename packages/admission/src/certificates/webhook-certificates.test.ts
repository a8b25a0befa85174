import { X509Certificate } from 'node:crypto';
import { MutatingWebhookConfiguration, Secret, ValidatingWebhookConfiguration } from '@liqo/kube';
import { type Minicluster, startMinicluster } from '@liqo/minicluster';
import { silentLogger } from '@liqo/runtime';
import { seededRandom, timePassesUntil, VirtualClock } from '@liqo/testkit';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { forgeGeneration } from './forge-generation.ts';
import type { Generation } from './generation.ts';
import { printGenerations } from './generation-secret.ts';
import { WebhookCertificates } from './webhook-certificates.ts';

const secretKey = { namespace: 'default', name: 'certs' };
const configurationName = 'liqo-webhook';
const dnsNames = ['liqo-webhook.liqo.svc'];
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** One process: what it serves, and all that it has served so far. */
interface Replica extends AsyncDisposable {
  readonly certificates: WebhookCertificates;
  readonly served: readonly Generation[];
}

describe('WebhookCertificates', () => {
  let clock: VirtualClock;
  let cluster: Minicluster;
  let replicas: Replica[];

  // What it loads takes real time, and the clock of these tests is a virtual one.
  beforeAll(async () => {
    await forgeGeneration(dnsNames, 0);
  });

  beforeEach(async () => {
    clock = new VirtualClock();
    replicas = [];
    const random = seededRandom(1);
    cluster = await startMinicluster({ clock, random, controllers: false, listens: false });
    const { client } = cluster;
    await client.create(MutatingWebhookConfiguration, forgeConfiguration('one', 'two'));
    await client.create(ValidatingWebhookConfiguration, forgeConfiguration('three'));
  });
  afterEach(async () => {
    for (const replica of replicas) await replica[Symbol.asyncDispose]();
    await cluster[Symbol.asyncDispose]();
  });

  function start(): Replica {
    const served: Generation[] = [];
    const certificates = new WebhookCertificates({
      client: cluster.client,
      clock,
      random: seededRandom(replicas.length),
      log: silentLogger,
      secret: secretKey,
      secretLabels: {},
      configurationName,
      dnsNames,
      serve: (generation) => void served.push(generation),
    });
    const stop = () => certificates[Symbol.asyncDispose]();
    const replica = { certificates, served, [Symbol.asyncDispose]: stop };
    replicas.push(replica);
    return replica;
  }

  const bundles = async () => {
    const { client } = cluster;
    const key = { name: configurationName };
    const configurations = [
      await client.get(MutatingWebhookConfiguration, key),
      await client.get(ValidatingWebhookConfiguration, key),
    ];
    return configurations.flatMap((configuration) =>
      (configuration?.webhooks ?? []).map(({ clientConfig }) =>
        Buffer.from(clientConfig.caBundle ?? '', 'base64').toString(),
      ),
    );
  };

  /** What every replica serves is valid, and trusted by every webhook. */
  async function expectAllServed(): Promise<void> {
    const trusted = await bundles();
    expect(trusted).toHaveLength(3);
    for (const { served } of replicas) {
      const now = served.at(-1);
      const { validFrom, validTo } = new X509Certificate(now?.certificate ?? '');
      expect(Date.parse(validFrom)).toBeLessThanOrEqual(clock.now());
      expect(Date.parse(validTo)).toBeGreaterThan(clock.now());
      for (const bundle of trusted) expect(bundle).toContain(now?.authority);
    }
  }

  /** All at once: minutes of silence on every watch would take long. */
  async function pass(ms: number): Promise<void> {
    await clock.stall(ms);
    await clock.advance(10 * minuteMs);
  }

  const allReady = () =>
    timePassesUntil(clock, () => {
      for (const { certificates } of replicas) expect(certificates.whyNotReady()).toBeUndefined();
    });

  test('serves the same certificate from all replicas, and every webhook trusts it', async () => {
    start();
    start();
    start();
    await allReady();
    await expectAllServed();
    expect(new Set(replicas.map(({ served }) => served.at(-1)?.certificate)).size).toBe(1);
  });

  test('serves after a restart what it has served before', async () => {
    const { served: before } = start();
    await allReady();
    const { served: after } = start();
    await allReady();
    expect(after).toEqual(before);
  });

  test('replaces certificates again and again, and is trusted all the time', async () => {
    start();
    start();
    await allReady();
    for (let day = 0; day < 200; day += 4) {
      await pass(4 * dayMs);
      await expectAllServed();
    }
    for (const { served } of replicas) expect(served).toHaveLength(4);
  });

  test('serves what is trusted in every minute of a replacement, and forgets the old authority', async () => {
    start();
    start();
    await allReady();
    const [first] = replicas[0]?.served ?? [];
    await pass(60 * dayMs - 5 * minuteMs);
    for (let minute = 0; minute < 90; minute++) {
      await clock.advance(minuteMs);
      await expectAllServed();
    }
    for (const { served } of replicas) expect(served).toHaveLength(2);
    for (const bundle of await bundles()) expect(bundle).not.toContain(first?.authority);
  });

  test('makes a new certificate when the Secret is deleted, while the one in memory is trusted and served', async () => {
    start();
    start();
    await allReady();
    await pass(dayMs);
    const [first] = replicas[0]?.served ?? [];
    await cluster.client.delete(Secret, secretKey);
    for (let second = 0; second < 600; second++) {
      await clock.advance(1000);
      await expectAllServed();
    }
    for (const { served } of replicas) {
      expect(served).toHaveLength(2);
      expect(served.at(-1)?.authority).not.toBe(first?.authority);
    }
  });

  test.each([
    ['nothing', {}],
    ['text that is no certificate', { 'tls.crt': 'bm8=', 'tls.key': 'bm8=' }],
  ])('replaces a Secret with %s', async (_, data) => {
    await cluster.client.create(Secret, { metadata: { ...secretKey }, data });
    start();
    await allReady();
    await expectAllServed();
  });

  test('replaces a certificate that expired while no replica ran', async () => {
    const expired = await forgeGeneration(dnsNames, clock.now() - 91 * dayMs);
    const data = printGenerations([expired]);
    await cluster.client.create(Secret, { metadata: { ...secretKey }, data });
    start();
    await allReady();
    await expectAllServed();
  });

  test('trusts its authority again after somebody removed it from a webhook', async () => {
    start();
    await allReady();
    const key = { name: configurationName };
    const configuration = await cluster.client.get(MutatingWebhookConfiguration, key);
    const webhooks = forgeConfiguration('one', 'two', 'another').webhooks;
    await cluster.client.delete(ValidatingWebhookConfiguration, key);
    if (!configuration) throw new Error('there is no configuration');
    await cluster.client.update(MutatingWebhookConfiguration, { ...configuration, webhooks });
    await clock.advance(1000);
    await expectAllServed();
  });
});

function forgeConfiguration(...names: readonly string[]) {
  const service = { namespace: 'liqo', name: 'liqo-webhook', path: '/mutate/pod' };
  return {
    metadata: { name: configurationName },
    webhooks: names.map((name) => ({
      name: `${name}.liqo.io`,
      clientConfig: { service },
      admissionReviewVersions: ['v1'],
      sideEffects: 'None',
      rules: [
        { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] },
      ],
    })),
  };
}
