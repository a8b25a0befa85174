import { X509Certificate } from 'node:crypto';
import { NamespaceOffloading } from '@liqo/api';
import {
  type Kind,
  MutatingWebhookConfiguration,
  mergePatch,
  Namespace,
  Secret,
  ServiceAccount,
  type Stored,
  ValidatingWebhookConfiguration,
} from '@liqo/kube';
import { seededRandom, timePassesUntil, VirtualClock } from '@liqo/testkit';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { forgeGeneration } from './certificates/forge-generation.ts';
import { printGenerations } from './certificates/generation-secret.ts';
import { Creations } from './testing/creations.ts';
import { WebhookReplicas } from './testing/webhook-replicas.ts';

const [secondMs, minuteMs] = [1_000, 60_000];
const dayMs = 24 * 60 * minuteMs;
const certificates = { namespace: 'liqo', name: 'liqo-webhook-certs' };
const configuration = { name: 'liqo-webhook' };
const dnsNames = ['liqo-webhook.liqo.svc', 'liqo-webhook.liqo.svc.cluster.local'];
const stepMs = 250;

const subjectOf = (authority: string) => new X509Certificate(authority).subject;

/**
 * Certificates are judged by the time of this machine, and replaced by that of the test, which begins one life of a
 * certificate ago: both find them valid.
 */
const startMs = Date.now() - 60 * dayMs - minuteMs;

describe('three replicas behind a Service', () => {
  let clock: VirtualClock;
  let replicas: WebhookReplicas;
  let creations: Creations;

  // What it loads takes real time.
  beforeAll(async () => {
    await forgeGeneration(dnsNames, 0);
  });

  beforeEach(async () => {
    clock = new VirtualClock({ startMs });
    replicas = await WebhookReplicas.start({ clock, random: seededRandom(1) });
    const { client } = replicas.cluster;
    const labels = { 'liqo.io/scheduling-enabled': 'true' };
    await client.create(Namespace, { metadata: { name: 'shop', labels } });
    await client.create(Namespace, { metadata: { name: 'market' } });
    await client.create(ServiceAccount, { metadata: { namespace: 'shop', name: 'default' } });
    const spec = {
      namespaceMappingStrategy: 'DefaultName',
      podOffloadingStrategy: 'LocalAndRemote',
    };
    creations = new Creations(client, clock);
    for (const name of ['a', 'b', 'c']) await replicas.add(name);
    await timePassesUntil(clock, () => expect(replicas.whyNotReady()).toBeUndefined());
    const metadata = { namespace: 'shop', name: 'offloading' };
    await client.create(NamespaceOffloading, { metadata, spec } as never);
  });
  afterEach(() => replicas?.[Symbol.asyncDispose]());

  /** Time passes, and creations are sent all the time: also while certificates are changed. */
  async function pass(ms: number): Promise<void> {
    for (let passedMs = 0; passedMs < ms; passedMs += stepMs) {
      await Promise.all([clock.advance(stepMs), creations.send(), creations.send()]);
    }
  }

  const authorityOf = async () => {
    const secret = await replicas.cluster.client.get(Secret, certificates);
    return Buffer.from(secret?.data?.ca ?? '', 'base64').toString();
  };

  /** As an administrator does who applies the manifests again. */
  async function distrust<T extends MutatingWebhookConfiguration | ValidatingWebhookConfiguration>(
    kind: Kind<T>,
  ): Promise<void> {
    const { client } = replicas.cluster;
    const found = await client.get(kind, configuration);
    if (!found) throw new Error('there is no configuration');
    const webhooks = found.webhooks?.map(({ clientConfig: { service = {} }, ...hook }) => ({
      ...hook,
      clientConfig: { service },
    }));
    await client.update(kind, { ...found, webhooks } as Stored<T>);
  }

  function expectNoneRefused(): void {
    expect(creations.refusals).toEqual([]);
    expect(creations.sent).toBeGreaterThanOrEqual(40);
  }

  test('refuse no creation while certificates are replaced because of their age', async () => {
    const before = await authorityOf();
    await clock.stall(60 * dayMs);
    await pass(2 * secondMs);
    const after = await authorityOf();
    expect(after).not.toBe(before);
    expect(Date.parse(new X509Certificate(after).validFrom)).toBeGreaterThan(startMs + 50 * dayMs);
    await clock.advance(5 * minuteMs - 4 * secondMs);
    await pass(4 * secondMs);
    expect(await replicas.issuers()).toEqual([subjectOf(await authorityOf())]);
    expectNoneRefused();
  });

  test('refuse no creation while and after the Secret is deleted', async () => {
    const before = await authorityOf();
    await pass(secondMs);
    await Promise.all([replicas.cluster.client.delete(Secret, certificates), creations.send()]);
    await pass(2 * secondMs);
    expect(await authorityOf()).not.toBe(before);
    await clock.advance(5 * minuteMs - 4 * secondMs);
    await pass(4 * secondMs);
    expect(await replicas.issuers()).toEqual([subjectOf(await authorityOf())]);
    expectNoneRefused();
  });

  test('refuse no creation when the Secret is replaced by one that has expired', async () => {
    const expired = printGenerations([await forgeGeneration(dnsNames, startMs - 91 * dayMs)]);
    await pass(secondMs);
    const patch = mergePatch({ data: { ...expired } });
    await Promise.all([
      replicas.cluster.client.patch(Secret, certificates, patch),
      creations.send(),
    ]);
    await pass(2 * secondMs);
    expect(await authorityOf()).not.toBe(expired.ca);
    expectNoneRefused();
  });

  test('refuse creations for less than a second when their authority is taken out of the configurations', async () => {
    await pass(2 * secondMs);
    await Promise.all([distrust(MutatingWebhookConfiguration), creations.send()]);
    await Promise.all([distrust(ValidatingWebhookConfiguration), creations.send()]);
    await pass(2 * secondMs);
    expect(creations.longestOutageMs()).toBeLessThan(secondMs);
  });

  test('refuse no creation while one after the other is replaced', async () => {
    for (const name of replicas.names) {
      await Promise.all([replicas.add(`${name}-next`), pass(secondMs)]);
      await replicas.withdraw(name);
      await pass(secondMs);
      await Promise.all([replicas.stop(name), creations.send()]);
    }
    expect(replicas.names).toEqual(['a-next', 'b-next', 'c-next']);
    expectNoneRefused();
  });
});
