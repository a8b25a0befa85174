import {
  allKinds,
  forgeCustomResourceDefinition,
  Quota,
  Tenant,
  VkOptionsTemplate,
} from '@liqo/api';
import {
  applyJsonPatch,
  CustomResourceDefinition,
  type Json,
  type JsonPatchOperation,
  Namespace,
  Node,
} from '@liqo/kube';
import { type Minicluster, startMinicluster } from '@liqo/minicluster';
import { silentLogger, systemClock, systemRandom } from '@liqo/runtime';
import { eventually } from '@liqo/testkit';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startRules } from '../start-rules.ts';
import { mustBeRefused } from '../testing/must-be-refused.ts';
import { randomReviews } from '../testing/random-reviews.ts';
import { Reviewer } from './answer-review.ts';

/** `FUZZED_REVIEWS=20000 npx vitest run packages/admission/src/server/answer-review.prop.test.ts` for the whole proof, with times. */
const many = process.env.FUZZED_REVIEWS;
const numRuns = Number(many ?? 1_000);
const p99Ms = 5;

const parts = { clock: systemClock, random: systemRandom, log: silentLogger };

let cluster: Minicluster;
let rules: ReturnType<typeof startRules>;

beforeAll(async () => {
  cluster = await startMinicluster({ ...parts, controllers: false, listens: false });
  const { client } = cluster;
  for (const kind of allKinds) {
    await client.create(CustomResourceDefinition, forgeCustomResourceDefinition(kind));
  }
  for (const name of ['rome', 'paris']) {
    const labels = { 'liqo.io/remote-cluster-id': name };
    const tenant = { ...labels, 'liqo.io/tenant-namespace': 'true' };
    await client.create(Namespace, { metadata: { name: `shop-${name}`, labels } });
    await client.create(Namespace, { metadata: { name: `liqo-tenant-${name}`, labels: tenant } });
  }
  await client.create(Namespace, { metadata: { name: 'liqo' } });
  await client.create(Node, { metadata: { name: 'worker' } });
  await client.create(Tenant, {
    metadata: { namespace: 'liqo-tenant-rome', name: 'rome' },
    spec: { clusterID: 'rome', authzPolicy: 'KeysExchange', tenantCondition: 'Active' },
  });
  await client.create(Quota, {
    metadata: { namespace: 'liqo-tenant-rome', name: 'mypool' },
    spec: { user: 'mypool', resources: { cpu: '4' }, limitsEnforcement: 'None' },
  } as never);
  await client.create(VkOptionsTemplate, {
    metadata: { namespace: 'liqo', name: 'virtual-kubelet-default' },
    spec: {
      createNode: true,
      disableNetworkCheck: false,
      containerImage: 'liqo',
      metricsEnabled: false,
    },
  } as never);
  const options = { ...parts, client, clusterID: 'milan', liqoNamespace: 'liqo' };
  rules = startRules({ ...options, enforceQuotas: true });
  await eventually(async () => {
    for (const { hasSynced } of rules.caches) expect(hasSynced).toBe(true);
  });
});
afterAll(async () => {
  for (const cache of rules?.caches ?? []) await cache[Symbol.asyncDispose]();
  await cluster?.[Symbol.asyncDispose]();
});

interface Response {
  readonly uid: string;
  readonly allowed: boolean;
  readonly patch?: string;
}

test('Reviewer answers whatever is sent, and allows nothing that the rules refuse', async () => {
  const reviewer = new Reviewer({ ...parts, rules: rules.rules });
  /** Of the processor: what else the machine does is not counted. */
  const durationsMs: number[] = [];
  const seen = { allowed: 0, refused: 0, unread: 0 };
  const review = fc.asyncProperty(randomReviews, async ({ path, request }) => {
    const review = { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', request };
    const body = JSON.stringify(review);
    const before = process.cpuUsage();
    const answer = await reviewer.answer(`${path}?timeout=5s`, body);
    const { user, system } = process.cpuUsage(before);
    durationsMs.push((user + system) / 1_000);
    expect([200, 400], answer.body).toContain(answer.status);
    if (answer.status === 400) {
      seen.unread += 1;
      return;
    }
    const { response } = JSON.parse(answer.body) as { readonly response: Response };
    const sent = JSON.parse(body).request;
    expect(response.uid).toBe(sent.uid);
    seen[response.allowed ? 'allowed' : 'refused'] += 1;
    if (!response.allowed) return;
    expect(mustBeRefused(path, sent)).toBeUndefined();
    const patch = Buffer.from(response.patch ?? '', 'base64').toString() || '[]';
    applyJsonPatch(sent.object as Json, JSON.parse(patch) as JsonPatchOperation[]);
  });
  await fc.assert(review, { numRuns });
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(numRuns / 100);
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  if (many === undefined) return;
  const sorted = durationsMs.toSorted((one, other) => one - other);
  const p99 = sorted[Math.floor(sorted.length * 0.99)] ?? 0;
  process.stdout.write(`${numRuns} reviews, ${JSON.stringify(seen)}, p99 ${p99.toFixed(2)} ms\n`);
  expect(p99).toBeLessThan(p99Ms);
});
