import { PassThrough } from 'node:stream';
import { rejection, seededRandom, VirtualClock } from '@liqo/testkit';
import { expect, test } from 'vitest';
import { isConflict, isNotFound } from './api-error.ts';
import { Client, type ClientOptions } from './client.ts';
import { type InProcessAnswer, InProcessTransport } from './in-process-transport.ts';
import { Deployment } from './kinds/apps.ts';
import { ConfigMap, Node, Pod } from './kinds/core.ts';
import { jsonPatch, mergePatch } from './patch.ts';
import { ResponseTooLargeError } from './response-limits.ts';
import { TransportClosedError, type TransportRequest } from './transport.ts';

const web = { namespace: 'shop', name: 'web' };
const meta = { ...web, uid: 'u1', resourceVersion: '7', creationTimestamp: '2030-01-01T00:00:00Z' };
const stored = { apiVersion: 'v1', kind: 'ConfigMap', metadata: meta };
const webPath = '/api/v1/namespaces/shop/configmaps/web';
const podPath = '/api/v1/namespaces/shop/pods/web';

type Answer =
  | InProcessAnswer
  | ((request: TransportRequest) => InProcessAnswer | Promise<InProcessAnswer>);

/** A server that gives one answer, and remembers what it was asked. */
function start(answer: Answer | unknown = stored, options: Partial<ClientOptions> = {}) {
  const asked: TransportRequest[] = [];
  const transport = new InProcessTransport(async (request) => {
    asked.push(request);
    return typeof answer === 'function' ? answer(request) : json(answer);
  });
  const clock = new VirtualClock();
  const client = new Client({ transport, clock, random: seededRandom(1), ...options });
  return { client, asked, clock };
}

/** A collection without an end: every page names another one. */
function endlessPages(items: readonly unknown[]): Answer {
  let served = 0;
  return () => json({ metadata: { resourceVersion: '7', continue: `${++served}` }, items });
}

function json(body: unknown, status = 200): InProcessAnswer {
  return { status, body: JSON.stringify(body) };
}

function refused(code: number, fields: object = {}): Answer {
  return () => json({ kind: 'Status', code, ...fields }, code);
}

/** Method, path and body of a request: what a server sees of the verb. */
function wire({ method, path, body, headers }: TransportRequest) {
  const type = headers?.['content-type'];
  return {
    line: `${method} ${path}`,
    ...(body !== undefined && { body: JSON.parse(String(body)) }),
    ...(type && type !== 'application/json' && { type }),
  };
}

const config = { metadata: web, data: { a: '1' } };
const approvedSpec = { request: '', signerName: 'example.org/one' };
const typedConfig = { apiVersion: 'v1', kind: 'ConfigMap', ...config };

test.each<[string, (client: Client) => Promise<unknown>, object]>([
  ['get', (c) => c.get(ConfigMap, web), { line: `GET ${webPath}` }],
  [
    'get of a cluster-scoped kind',
    (c) => c.get(Node, { name: 'n1' }),
    { line: 'GET /api/v1/nodes/n1' },
  ],
  [
    'create',
    (c) => c.create(ConfigMap, config),
    { line: 'POST /api/v1/namespaces/shop/configmaps', body: typedConfig },
  ],
  [
    'create with options',
    (c) =>
      c.create(ConfigMap, config, { dryRun: true, fieldManager: 'me', fieldValidation: 'Strict' }),
    {
      line: 'POST /api/v1/namespaces/shop/configmaps?dryRun=All&fieldManager=me&fieldValidation=Strict',
      body: typedConfig,
    },
  ],
  ['update', (c) => c.update(ConfigMap, config), { line: `PUT ${webPath}`, body: typedConfig }],
  [
    'updateStatus',
    (c) => c.updateStatus(Pod, { metadata: web, status: { phase: 'Running' } }),
    {
      line: `PUT ${podPath}/status`,
      body: { apiVersion: 'v1', kind: 'Pod', metadata: web, status: { phase: 'Running' } },
    },
  ],
  [
    'updateApproval',
    (c) => c.updateApproval({ metadata: { name: 'csr-1' }, spec: approvedSpec }),
    {
      line: 'PUT /apis/certificates.k8s.io/v1/certificatesigningrequests/csr-1/approval',
      body: {
        apiVersion: 'certificates.k8s.io/v1',
        kind: 'CertificateSigningRequest',
        metadata: { name: 'csr-1' },
        spec: approvedSpec,
      },
    },
  ],
  [
    'patch',
    (c) => c.patch(ConfigMap, web, mergePatch({ data: null })),
    { line: `PATCH ${webPath}`, body: { data: null }, type: 'application/merge-patch+json' },
  ],
  [
    'patch of a subresource',
    (c) =>
      c.patch(Pod, web, jsonPatch([{ op: 'remove', path: '/status' }]), { subresource: 'status' }),
    {
      line: `PATCH ${podPath}/status`,
      body: [{ op: 'remove', path: '/status' }],
      type: 'application/json-patch+json',
    },
  ],
  [
    'apply',
    (c) => c.apply(ConfigMap, config, { fieldManager: 'me', force: true }),
    {
      line: `PATCH ${webPath}?fieldManager=me&force=true`,
      body: typedConfig,
      type: 'application/apply-patch+yaml',
    },
  ],
  ['delete', (c) => c.delete(ConfigMap, web), { line: `DELETE ${webPath}` }],
  [
    'delete with options',
    (c) =>
      c.delete(ConfigMap, web, {
        preconditions: { uid: 'u1' },
        propagationPolicy: 'Foreground',
        gracePeriodSeconds: 0,
        dryRun: true,
      }),
    {
      line: `DELETE ${webPath}`,
      body: {
        apiVersion: 'v1',
        kind: 'DeleteOptions',
        preconditions: { uid: 'u1' },
        propagationPolicy: 'Foreground',
        gracePeriodSeconds: 0,
        dryRun: ['All'],
      },
    },
  ],
  [
    'deleteCollection',
    (c) => c.deleteCollection(ConfigMap, { namespace: 'shop', labelSelector: 'a=b' }),
    { line: 'DELETE /api/v1/namespaces/shop/configmaps?labelSelector=a%3Db' },
  ],
  [
    'getScale',
    (c) => c.getScale(Deployment, web),
    { line: 'GET /apis/apps/v1/namespaces/shop/deployments/web/scale' },
  ],
  [
    'updateScale',
    (c) => c.updateScale(Deployment, web, { spec: { replicas: 3 } }),
    {
      line: 'PUT /apis/apps/v1/namespaces/shop/deployments/web/scale',
      body: { spec: { replicas: 3 } },
    },
  ],
  [
    'bind',
    (c) => c.bind(web, 'n1'),
    {
      line: `POST ${podPath}/binding`,
      body: {
        apiVersion: 'v1',
        kind: 'Binding',
        metadata: web,
        target: { apiVersion: 'v1', kind: 'Node', name: 'n1' },
      },
    },
  ],
  [
    'evict',
    (c) => c.evict(web, { preconditions: { uid: 'u1' } }),
    {
      line: `POST ${podPath}/eviction`,
      body: {
        apiVersion: 'policy/v1',
        kind: 'Eviction',
        metadata: web,
        deleteOptions: {
          apiVersion: 'v1',
          kind: 'DeleteOptions',
          preconditions: { uid: 'u1' },
        },
      },
    },
  ],
  [
    'createToken',
    (c) => c.createToken({ namespace: 'shop', name: 'bot' }, { audiences: ['x'] }),
    {
      line: 'POST /api/v1/namespaces/shop/serviceaccounts/bot/token',
      body: {
        apiVersion: 'authentication.k8s.io/v1',
        kind: 'TokenRequest',
        spec: { audiences: ['x'] },
      },
    },
  ],
  [
    'logs',
    (c) => c.logs(web, { container: 'app', follow: true, tailLines: 10, timeoutMs: 5 }),
    { line: `GET ${podPath}/log?container=app&follow=true&tailLines=10` },
  ],
  [
    'rawJson',
    (c) => c.rawJson('/version', undefined, { timeout: 1 }),
    { line: 'GET /version?timeout=1' },
  ],
])('Client.%s sends the request that Kubernetes documents', async (_, call, expected) => {
  const { client, asked } = start();
  await call(client);
  expect(asked.map(wire)).toEqual([expected]);
});

test('Client names its field manager with every write', async () => {
  const { client, asked } = start(stored, { fieldManager: 'liqo' });
  await client.create(ConfigMap, config);
  await client.update(ConfigMap, config);
  await client.patch(ConfigMap, web, mergePatch({}));
  await client.apply(ConfigMap, config, { fieldManager: 'other' });
  const managers = asked.map(({ path }) =>
    new URLSearchParams(path.split('?')[1]).get('fieldManager'),
  );
  expect(managers).toEqual(['liqo', 'liqo', 'liqo', 'other']);
});

test('get() gives undefined when the server says that this very object does not exist', async () => {
  const { client } = start(
    refused(404, { reason: 'NotFound', details: { name: 'web', kind: 'configmaps' } }),
  );
  expect(await client.get(ConfigMap, web)).toBeUndefined();
});

test.each([
  ['a kind that is not served', () => ({ status: 404, body: '404 page not found' })],
  ['a path that is not served', refused(404, { reason: 'NotFound', details: {} })],
  [
    'another object',
    refused(404, { reason: 'NotFound', details: { name: 'shop', kind: 'namespaces' } }),
  ],
  [
    'another kind of the same name',
    refused(404, { reason: 'NotFound', details: { name: 'web', kind: 'namespaces' } }),
  ],
])('get() throws when what is not found is %s', async (_, answer) => {
  const { client } = start(answer);
  expect(isNotFound(await rejection(client.get(ConfigMap, web)))).toBe(true);
});

test('update() gives back fields that nobody here knows of', async () => {
  const seen = { ...stored, data: { a: '1' }, future: { deep: [1, { x: null }] } };
  const { client, asked } = start(seen);
  const read = await client.get(ConfigMap, web);
  if (!read) throw new Error('There is one');
  await client.update(ConfigMap, { ...read, data: { a: '2' } });
  expect(asked.map(wire)[1]?.body).toEqual({ ...seen, data: { a: '2' } });
});

test('a write without a name is refused before it is sent', async () => {
  const { client, asked } = start();
  expect(() => client.update(ConfigMap, { metadata: { namespace: 'shop' } })).toThrow(
    'Cannot write a ConfigMap: its metadata has no name',
  );
  expect(asked).toEqual([]);
});

test.each([
  ['undefined when it is gone', { kind: 'Status', status: 'Success' }, undefined],
  [
    'the object while it lingers',
    { ...stored, metadata: { ...meta, deletionTimestamp: '2030-01-01T00:00:00Z' } },
    'web',
  ],
  ['undefined when the server shows what it deleted', stored, undefined],
  [
    'undefined when the server shows what it deleted without grace',
    { ...stored, metadata: { ...meta, deletionTimestamp: 'now', deletionGracePeriodSeconds: 0 } },
    undefined,
  ],
  [
    'the object that a finalizer holds',
    {
      ...stored,
      metadata: {
        ...meta,
        deletionTimestamp: 'now',
        deletionGracePeriodSeconds: 0,
        finalizers: ['x'],
      },
    },
    'web',
  ],
])('delete() gives %s', async (_, answer, name) => {
  const { client } = start(answer);
  expect((await client.delete(ConfigMap, web))?.metadata.name).toBe(name);
});

test('evict() shows a refusal of a disruption budget at once', async () => {
  const { client, asked } = start(() => ({
    ...json({ kind: 'Status', code: 429 }, 429),
    headers: { 'retry-after': '10' },
  }));
  expect(await rejection(client.evict(web))).toMatchObject({ code: 429, retryAfterMs: 10_000 });
  expect(asked).toHaveLength(1);
});

test('list() fetches page by page, at one version, and gives every item its kind', async () => {
  const pages: Record<string, unknown> = {
    null: {
      metadata: { resourceVersion: '9', continue: 'p2' },
      items: [{ metadata: { ...meta, name: 'a' } }],
    },
    p2: {
      metadata: { resourceVersion: '9', continue: '' },
      items: [{ metadata: { ...meta, name: 'b' } }],
    },
  };
  const { client, asked } = start((request: TransportRequest) =>
    json(pages[String(query(request).get('continue'))]),
  );
  const list = await client.list(ConfigMap, {
    namespace: 'shop',
    labelSelector: 'a=b',
    pageSize: 1,
    resourceVersion: '5',
    resourceVersionMatch: 'NotOlderThan',
  });
  expect(list.resourceVersion).toBe('9');
  expect(list.items).toMatchObject([
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } },
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'b' } },
  ]);
  expect(asked.map((request) => Object.fromEntries(query(request)))).toEqual([
    {
      labelSelector: 'a=b',
      limit: '1',
      resourceVersion: '5',
      resourceVersionMatch: 'NotOlderThan',
    },
    { labelSelector: 'a=b', limit: '1', continue: 'p2' },
  ]);
});

function query({ path }: TransportRequest): URLSearchParams {
  return new URLSearchParams(path.split('?')[1]);
}

test('list() takes a list without items for an empty one', async () => {
  const { client } = start({ metadata: { resourceVersion: '9' }, items: null });
  expect(await client.list(ConfigMap)).toEqual({ items: [], resourceVersion: '9' });
});

test('list() takes any number of objects on a page, as servers with a cache may send', async () => {
  const items = Array.from({ length: 600_000 }, () => ({}));
  const { client } = start({ metadata: { resourceVersion: '9' }, items });
  expect((await client.list(ConfigMap)).items).toHaveLength(600_000);
});

test('list() asks for smaller pages when one has too many values, and gives up at a page of one', async () => {
  const hostile = `{"metadata":{"resourceVersion":"9"},"items":[${'{},'.repeat(20_000)}{}]}`;
  const { client, asked } = start(() => ({ status: 200, body: hostile }), {
    listLimits: { maxPageValues: 10_000 },
  });
  expect(await rejection(client.list(ConfigMap))).toMatchObject({
    message: 'Cannot list configmaps: a page has more than 10000 values',
  });
  expect(asked.map((request) => query(request).get('limit'))).toEqual(['500', '50', '5', '1']);
});

test('list() ends when its pages together have too many values', async () => {
  const page = `{"metadata":{"resourceVersion":"9","continue":"x"},"items":[${'{},'.repeat(5_000)}{}]}`;
  const { client, asked } = start(() => ({ status: 200, body: page }), {
    listLimits: { maxListValues: 25_000 },
  });
  expect(await rejection(client.list(ConfigMap))).toMatchObject({
    message: expect.stringContaining('or 25000 values'),
  });
  expect(asked).toHaveLength(3);
});

test('get() does not parse an answer with more values than an object can have', async () => {
  const body = `{"items":[${'{},'.repeat(1_400_000)}{}]}`;
  const { client } = start(() => ({ status: 200, body }));
  expect(await rejection(client.get(ConfigMap, web))).toMatchObject({
    name: 'ResponseTooLargeError',
  });
});

test('pages() leaves a 410 between two pages to its reader', async () => {
  const first = { metadata: { resourceVersion: '9', continue: 'p2' }, items: [stored] };
  const { client } = start((request: TransportRequest) =>
    query(request).has('continue') ? json({ kind: 'Status', code: 410 }, 410) : json(first),
  );
  const pages = client.pages(ConfigMap);
  expect((await pages.next()).value?.items).toHaveLength(1);
  expect(await rejection(pages.next())).toMatchObject({ code: 410 });
});

test('a call with a bare signal ends with its reason', async () => {
  const { client } = start();
  const reason = new Error('enough');
  const signal = AbortSignal.abort(reason);
  expect(await rejection(client.get(ConfigMap, web, signal))).toBe(reason);
  expect(await rejection(client.update(ConfigMap, config, { signal }))).toBe(reason);
});

test('a call tells when a proxy in between answers something that is not JSON', async () => {
  const { client } = start(() => ({ status: 200, body: '<html>please log in</html>' }));
  expect(await rejection(client.get(ConfigMap, web))).toMatchObject({
    message: `Cannot read the answer to GET ${webPath}: it is not JSON`,
  });
});

test('logs() gives the bytes as they come', async () => {
  async function* body() {
    yield Buffer.from('one\n');
    yield Buffer.from('two\n');
  }
  const { client } = start(() => ({ status: 200, body: body() }));
  const chunks: string[] = [];
  for await (const chunk of await client.logs(web)) chunks.push(Buffer.from(chunk).toString());
  expect(chunks).toEqual(['one\n', 'two\n']);
});

test.each([
  ['SPDY/3.1', 'POST'],
  ['websocket', 'GET'],
])('connect() switches to %s with a %s, as its protocol wants', async (protocol, method) => {
  const stream = new PassThrough();
  const { client, asked } = start(() => ({ status: 101, stream }));
  const headers = { 'x-stream-protocol-version': 'v4.channel.k8s.io' };
  const query = { command: ['sh', '-c', 'ls'], stdin: true };
  const connection = await client.connect(web, 'exec', { protocol, headers, query });
  expect(connection.stream).toBe(stream);
  expect(asked).toMatchObject([
    {
      method,
      path: `${podPath}/exec?command=sh&command=-c&command=ls&stdin=true`,
      headers: { ...headers, accept: '*/*', connection: 'Upgrade', upgrade: protocol },
    },
  ]);
});

test('connect() gives up on a server that does not answer, as every call does', async () => {
  const { client, clock } = start(() => new Promise(() => undefined));
  const waiting = rejection(
    client.connect(web, 'exec', { protocol: 'SPDY/3.1', timeoutMs: 5_000 }),
  );
  await clock.advance(5_000);
  expect(await waiting).toMatchObject({
    message: `Cannot POST ${podPath}/exec: no answer within 5 s`,
  });
  expect(clock.pendingTimers).toBe(0);
});

test('connect() throws what the server said when it does not switch', async () => {
  const { client } = start(refused(409, { reason: 'Conflict', message: 'not running' }));
  const error = await rejection(client.connect(web, 'attach', { protocol: 'SPDY/3.1' }));
  expect(isConflict(error)).toBe(true);
});

test('raw() gives the response as it is, and throws a refusal', async () => {
  const { client } = start(({ path }: TransportRequest) => ({
    status: path === '/ok' ? 204 : 500,
    body: 'hm',
  }));
  expect((await client.raw({ method: 'GET', path: '/ok' })).status).toBe(204);
  expect(await rejection(client.raw({ method: 'GET', path: '/no' }))).toMatchObject({ code: 500 });
});

test('asyncDispose closes the transport', async () => {
  const { client } = start();
  await client[Symbol.asyncDispose]();
  expect(await rejection(client.update(ConfigMap, config))).toBeInstanceOf(TransportClosedError);
});

test('list() gives up on pages without an end', async () => {
  const { client, asked } = start(endlessPages([]), { listLimits: { maxPages: 20 } });
  expect(await rejection(client.list(ConfigMap))).toBeInstanceOf(ResponseTooLargeError);
  expect(asked).toHaveLength(21);
});

test('list() gives up on pages that are too large together', async () => {
  const { client, asked } = start(endlessPages([stored]), { listLimits: { maxListBytes: 1_000 } });
  const error = await rejection(client.list(ConfigMap));
  expect(error).toBeInstanceOf(ResponseTooLargeError);
  expect(String(error)).toContain('Cannot list configmaps');
  expect(asked.length).toBeLessThan(20);
});

test('list() asks for fewer objects at a time when a page is too large', async () => {
  const tooLarge = new ResponseTooLargeError('too large');
  const { client, asked } = start(({ path }: TransportRequest) => {
    const limit = Number(new URLSearchParams(path.split('?')[1]).get('limit'));
    if (limit > 10) throw tooLarge;
    return json({ metadata: { resourceVersion: '7' }, items: [stored] });
  });
  expect((await client.list(ConfigMap)).items).toHaveLength(1);
  expect(asked.map(({ path }) => /limit=(\d+)/.exec(path)?.[1])).toEqual(['500', '50', '5']);
});

test('list() gives up when a single object is too large', async () => {
  const tooLarge = new ResponseTooLargeError('too large');
  const { client } = start(() => {
    throw tooLarge;
  });
  expect(await rejection(client.list(ConfigMap))).toBe(tooLarge);
});
