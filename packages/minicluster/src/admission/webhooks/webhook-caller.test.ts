import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { KubeObject } from '@liqo/kube';
import { seededRandom, VirtualClock } from '@liqo/testkit';
import { createCertificateAuthority } from '@liqo/testkit/faults';
import { expect, test } from 'vitest';
import { builtInResources } from '../../resources/built-in.ts';
import type { Resource } from '../../rest/resource.ts';
import { Store } from '../../store/store.ts';
import { ClusterRoutes } from '../../subresources/cluster-routes.ts';
import type { AdmissionAttributes } from '../admission.ts';
import { resolveByEndpoints } from './resolve-service.ts';
import type { Webhook } from './webhook.ts';
import { WebhookCaller } from './webhook-caller.ts';

const clock = new VirtualClock();
const random = seededRandom(1);
const configMaps = builtInResources({ clock, random }).find(
  ({ plural }) => plural === 'configmaps',
) as Resource;

const attributes: AdmissionAttributes = {
  operation: 'CREATE',
  resource: configMaps,
  subresource: '',
  namespace: 'shop',
  name: 'one',
  object: { metadata: { namespace: 'shop', name: 'one' } },
  previous: undefined,
  options: {},
  dryRun: false,
  user: { name: 'alice', groups: [], extra: {} },
  signal: new AbortController().signal,
  warn: () => undefined,
};

const service = { namespace: 'hooks', name: 'judge', port: 443, path: '/judge' };
const hook: Webhook = {
  id: 'test/judge.example.org',
  name: 'judge.example.org',
  admissionReviewVersions: ['v1'],
  sideEffects: 'None',
  clientConfig: { service },
};

function callerOf(store: Store): WebhookCaller {
  return new WebhookCaller({
    store,
    clock,
    random,
    resolveService: resolveByEndpoints(store, new ClusterRoutes(), random),
  });
}

function storeService(store: Store, port: number, hasEndpoints = true): void {
  const put = (resource: string, name: string, object: object) =>
    store.collection(resource).put(`hooks/${name}`, undefined, {
      metadata: { namespace: 'hooks', name },
      ...object,
    } as KubeObject);
  put('services', 'judge', { spec: { ports: [{ name: 'https', port: 443 }] } });
  if (!hasEndpoints) return;
  put('endpointslices.discovery.k8s.io', 'judge-x', {
    metadata: {
      namespace: 'hooks',
      name: 'judge-x',
      labels: { 'kubernetes.io/service-name': 'judge' },
    },
    ports: [{ name: 'https', port }],
    endpoints: [
      { addresses: ['192.0.2.1'], conditions: { ready: false } },
      { addresses: ['127.0.0.1'], conditions: { ready: true } },
    ],
  });
}

async function startJudge(hosts: readonly string[]) {
  const ca = await createCertificateAuthority('test');
  const { certificate, privateKey } = await ca.issueServer('judge', hosts);
  const asked: string[] = [];
  const server = createServer(
    { cert: certificate, key: privateKey },
    async (incoming, outgoing) => {
      const chunks: Uint8Array[] = [];
      for await (const chunk of incoming) chunks.push(chunk);
      asked.push(`${incoming.method} ${incoming.headers.host}${incoming.url}`);
      const { apiVersion, kind, request } = JSON.parse(Buffer.concat(chunks).toString());
      const response = { uid: request.uid, allowed: true };
      outgoing.end(JSON.stringify({ apiVersion, kind, response }));
    },
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    asked,
    port: (server.address() as AddressInfo).port,
    caBundle: Buffer.from(ca.certificate).toString('base64'),
    async [Symbol.asyncDispose]() {
      server.close();
      await once(server, 'close');
    },
  };
}

test('WebhookCaller finds a service at a ready endpoint, under the name of the service', async () => {
  await using judge = await startJudge(['judge.hooks.svc']);
  const store = new Store();
  storeService(store, judge.port);
  const clientConfig = { service, caBundle: judge.caBundle };
  const consulted = await callerOf(store).consult(
    { ...hook, clientConfig },
    attributes,
    configMaps,
    false,
  );
  expect(consulted?.allowed).toBe(true);
  expect(judge.asked).toEqual(['POST judge.hooks.svc:443/judge?timeout=10s']);
});

test('WebhookCaller asks what is given to it in the place of the network', async () => {
  const asked: string[] = [];
  const caller = new WebhookCaller({
    store: new Store(),
    clock,
    random,
    resolveService: () => undefined,
    callWebhook: async (url, body) => {
      asked.push(url.href);
      const { apiVersion, kind, request } = JSON.parse(body);
      const response = { uid: request.uid, allowed: true };
      return { status: 200, text: JSON.stringify({ apiVersion, kind, response }) };
    },
  });
  const consulted = await caller.consult(hook, attributes, configMaps, false);
  expect(consulted?.allowed).toBe(true);
  expect(asked).toEqual(['https://judge.hooks.svc/judge?timeout=10s']);
});

test('WebhookCaller does not trust a server that is not the service', async () => {
  await using judge = await startJudge(['somebody.else.svc']);
  const store = new Store();
  storeService(store, judge.port);
  const clientConfig = { service, caBundle: judge.caBundle };
  const asked = callerOf(store).consult({ ...hook, clientConfig }, attributes, configMaps, false);
  await expect(asked).rejects.toThrow(
    'failed calling webhook "judge.example.org": failed to call webhook: Post "https://judge.hooks.svc:443/judge?timeout=10s": tls: failed to verify certificate: x509:',
  );
});

test.each([
  ['is not there', () => new Store(), 'service "judge" not found'],
  [
    'has nobody ready',
    () => {
      const store = new Store();
      storeService(store, 1, false);
      return store;
    },
    'no endpoints available for service "judge"',
  ],
])('WebhookCaller reports a service that %s', async (_, makeStore, fact) => {
  const asked = callerOf(makeStore()).consult(hook, attributes, configMaps, false);
  await expect(asked).rejects.toThrow(
    `Post "https://judge.hooks.svc:443/judge?timeout=10s": ${fact}`,
  );
});

test('WebhookCaller does not ask a webhook with side effects in a dry run', async () => {
  const careless = { ...hook, sideEffects: 'Some', failurePolicy: 'Ignore' };
  const asked = callerOf(new Store()).consult(
    careless,
    { ...attributes, dryRun: true },
    configMaps,
    false,
  );
  await expect(asked).rejects.toMatchObject({
    code: 400,
    message: 'admission webhook "judge.example.org" does not support dry run',
  });
});
