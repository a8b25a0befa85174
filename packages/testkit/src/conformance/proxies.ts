import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';
import { text } from 'node:stream/consumers';
import { Endpoints, Pod, Service } from '@liqo/kube';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../eventually.ts';
import { rejection } from '../rejection.ts';
import { makeNode, runPod } from './pod-on-node.ts';
import { fresh } from './rights.ts';
import { freshNamespace, type GetSubjectWithUsers } from './subject.ts';

/** Requests that the API server passes on to nodes, pods and services. */
export function proxies(subject: GetSubjectWithUsers): void {
  describe('proxies', () => {
    let site: Server;
    let port: number;
    let namespace: string;

    beforeAll(async () => {
      site = createServer(answer);
      await new Promise<void>((resolve) => site.listen(0, '0.0.0.0', resolve));
      port = (site.address() as AddressInfo).port;
    });
    afterAll(() => {
      site.closeAllConnections();
      site.close();
    });

    /** A pod that runs where the site is, behind a service of the same name. */
    async function serve(name: string): Promise<void> {
      const { client } = subject();
      namespace = await freshNamespace(subject());
      const labels = { app: name };
      const ports = [{ containerPort: port }];
      const containers = [{ name: 'main', image: 'example.org/app', ports }];
      const spec = { containers, nodeName: fresh('nowhere'), schedulerName: 'nobody' };
      await client.create(Pod, { metadata: { namespace, name, labels }, spec });
      await runPod(client, { namespace, name }, machineAddress());
      const servicePorts = [{ name: 'web', port: 80, targetPort: port }];
      await client.create(Service, {
        metadata: { namespace, name },
        spec: { selector: labels, ports: servicePorts },
      });
      await eventually(async () => {
        const endpoints = await client.get(Endpoints, { namespace, name });
        expect(endpoints?.subsets?.[0]?.addresses).toHaveLength(1);
      });
    }

    const pathOf = (target: string, rest: string) =>
      `/api/v1/namespaces/${namespace}/${target}/proxy${rest}`;
    const send = (method: string, path: string, body?: string) =>
      subject().client.raw({ method, path, ...(body !== undefined && { body }) });
    const refusal = (path: string) => rejection(send('GET', path));

    test('a pod and a service get the request, and the client their answer', async () => {
      await serve('web');
      const pod = [`pods/web`, `pods/web:${port}`, `pods/http:web:${port}`];
      const service = ['services/web:web', 'services/web:80', 'services/http:web:web'];
      for (const target of [...pod, ...service]) {
        const path = pathOf(target, '/some/path/');
        const response = await send('PUT', `${path}?b=2&a=%20`, 'all of it');
        expect(response.status).toBe(201);
        expect(response.headers).toMatchObject({ 'x-site': 'yes' });
        expect(response.headers['access-control-allow-origin']).toBeUndefined();
        expect(JSON.parse(await response.text())).toMatchObject({
          method: 'PUT',
          url: '/some/path/?b=2&a=%20',
          body: 'all of it',
          'x-forwarded-uri': path,
          'x-forwarded-for': '127.0.0.1',
        });
      }
    });

    test('a body is passed on as it is, however large, and whatever it claims to be', async () => {
      await serve('web');
      const body = 'x'.repeat(4_000_000);
      const headers = { 'content-type': 'application/vnd.kubernetes.protobuf' };
      const path = pathOf('pods/web', '/');
      const response = await subject().client.raw({ method: 'POST', path, body, headers });
      expect(JSON.parse(await response.text())).toMatchObject({ method: 'POST', body });
    });

    test('what the backend refuses is refused in its words', async () => {
      await serve('web');
      const error = await refusal(pathOf('pods/web', '/missing'));
      expect(error).toMatchObject({ code: 404, message: expect.stringContaining('no such page') });
    });

    test('redirects lead back through the proxy', async () => {
      await serve('web');
      const location = async (rest: string) => {
        const request = { method: 'GET', path: pathOf('pods/web', rest) };
        const redirect = await subject().client.raw(request, undefined, { returnRedirects: true });
        return redirect.headers.location;
      };
      expect(await location('/away?to=/here')).toBe(pathOf('pods/web', '/here'));
      expect(await location('/away?to=here')).toBe('here');
      expect(await location('/away?to=https://example.org/x')).toBe('https://example.org/x');
      expect(await location('')).toBe(pathOf('pods/web', '/'));
      expect(await location('?a=b')).toBe(pathOf('pods/web', '/?a=b'));
    });

    test('a node is reached at any port', async () => {
      const { client } = subject();
      const name = await makeNode(client, 9, machineAddress());
      const path = `/api/v1/nodes/http:${name}:${port}/proxy/pods`;
      expect(JSON.parse(await (await send('GET', path)).text())).toMatchObject({ url: '/pods' });
      expect(await refusal(`/api/v1/nodes/${name}/proxy/pods`)).toMatchObject({
        code: 503,
        reason: 'ServiceUnavailable',
        message: `error trying to reach service: dial tcp ${machineAddress()}:9: connect: connection refused`,
      });
    });

    test('nobody is reached on the machine of the API server itself', async () => {
      const name = await makeNode(subject().client, port, '127.0.0.1');
      expect(await refusal(`/api/v1/nodes/${name}/proxy/`)).toMatchObject({
        code: 400,
        message: 'address not allowed',
      });
    });

    test('what is not there is told of', async () => {
      await serve('web');
      const { client } = subject();
      const spec = { selector: { app: 'nothing' }, ports: [{ port: 80 }] };
      await client.create(Service, { metadata: { namespace, name: 'idle' }, spec });
      await eventually(async () => {
        expect(await client.get(Endpoints, { namespace, name: 'idle' })).toBeDefined();
      });
      const told = async (path: string) => {
        const { code, message } = (await refusal(path)) as { code?: number; message?: string };
        return `${code} ${message}`;
      };
      const paths = {
        [pathOf('services/idle', '/')]: '503 no endpoints available for service "idle"',
        [pathOf('services/idle:81', '/')]: '503 no service port 81 found for service "idle"',
        [pathOf('services/web', '/')]: '503 no endpoints available for service "web"',
        [pathOf('services/gone', '/')]: '404 services "gone" not found',
        [pathOf('pods/gone', '/')]: '404 pods "gone" not found',
        '/api/v1/nodes/gone/proxy/': '404 nodes "gone" not found',
        '/api/v1/nodes/a:b:c:d/proxy/': '400 invalid node request "a:b:c:d"',
        [pathOf('pods/ftp:web:1', '/')]: '400 invalid pod request "ftp:web:1"',
        [pathOf('pods/web', '/?dryRun=All')]: '400 dryRun is not supported',
      };
      const answers = await Promise.all(
        Object.keys(paths).map(async (path) => [path, await told(path)]),
      );
      expect(Object.fromEntries(answers)).toEqual(paths);
    });

    test('whoever may read pods may not reach them', async () => {
      await serve('web');
      await using eve = await subject().as({ name: 'eve', groups: [] });
      const path = pathOf('pods/web', '/');
      expect(await rejection(eve.raw({ method: 'GET', path }))).toMatchObject({
        code: 403,
        message: `pods "web" is forbidden: User "eve" cannot get resource "pods/proxy" in API group "" in the namespace "${namespace}"`,
      });
    });
  });
}

/** A real API server passes nothing on to loopback. */
function machineAddress(): string {
  const all = Object.values(networkInterfaces()).flat();
  const outer = all.find((one) => one && !one.internal && one.family === 'IPv4');
  if (outer) return outer.address;
  throw new Error('Cannot try proxies: this machine has no address but loopback');
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method, url = '' } = request;
  const target = new URL(url, 'http://site');
  if (target.pathname === '/missing') return void response.writeHead(404).end('no such page');
  const to = target.searchParams.get('to');
  if (to) return void response.writeHead(302, { location: to }).end();
  const forwarded = Object.entries(request.headers).filter(([name]) => name.startsWith('x-'));
  const body = await text(request);
  const headers = {
    'content-type': 'application/json',
    'access-control-allow-origin': '*',
    'x-site': 'yes',
  };
  response.writeHead(method === 'PUT' ? 201 : 200, headers);
  response.end(JSON.stringify({ method, url, body, ...Object.fromEntries(forwarded) }));
}
