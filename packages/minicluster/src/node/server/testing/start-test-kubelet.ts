import { request as httpsRequest } from 'node:https';
import type { Duplex } from 'node:stream';
import { text } from 'node:stream/consumers';
import { Client, InProcessTransport, Pod, type TransportRequest } from '@liqo/kube';
import { seededRandom, VirtualClock } from '@liqo/testkit';
import {
  type CertificateAuthority,
  createCertificateAuthority,
  type KeyPair,
} from '@liqo/testkit/faults';
import { WebSocket } from 'ws';
import { SpdySession } from '../../../spdy/spdy-session.ts';
import type { ProgramContext } from '../../containers/image-registry.ts';
import { type NodeAgent, startNode } from '../../start-node.ts';
import { startBareServer } from '../../testing/start-bare-server.ts';

const prefix = 'minicluster.liqo-ts.dev/';

/** Whom the kubelet is asked by: somebody with a certificate or with a token, or nobody. */
export interface Asker {
  readonly keys?: KeyPair;
  readonly token?: string;
}

/** A node with pods on it, and ways to talk to its endpoint. */
export class TestKubelet implements AsyncDisposable {
  readonly clock: VirtualClock;
  readonly nobody: KeyPair;
  readonly #admin: KeyPair;
  readonly #authority: CertificateAuthority;
  readonly #client: Client;
  readonly #node: NodeAgent;

  constructor(parts: Parts) {
    this.clock = parts.clock;
    this.nobody = parts.nobody;
    this.#admin = parts.admin;
    this.#authority = parts.authority;
    this.#client = parts.client;
    this.#node = parts.node;
  }

  /** As an administrator unless somebody else is named. */
  ask(path: string, who: Asker = { keys: this.#admin }): Promise<{ status: number; body: string }> {
    return new Promise((resolve, reject) => {
      const request = httpsRequest({
        ...this.#endpoint(path),
        ...(who.keys && { cert: who.keys.certificate, key: who.keys.privateKey }),
        headers: who.token ? { authorization: `Bearer ${who.token}` } : {},
      });
      request.on('error', reject).on('response', async (response) => {
        resolve({ status: response.statusCode ?? 0, body: await text(response) });
      });
      request.end();
    });
  }

  webSocket(path: string, protocol = 'v5.channel.k8s.io'): WebSocket {
    const { host, port } = this.#endpoint(path);
    return new WebSocket(`wss://${host}:${port}${path}`, protocol, {
      ca: this.#authority.certificate,
      cert: this.#admin.certificate,
      key: this.#admin.privateKey,
    });
  }

  /** The session, or the words of a refusal. */
  trySpdy(
    path: string,
    protocol = 'v4.channel.k8s.io',
    accept = '*/*',
  ): Promise<SpdySession | string> {
    return new Promise((resolve, reject) => {
      const request = httpsRequest({
        ...this.#endpoint(path),
        method: 'POST',
        cert: this.#admin.certificate,
        key: this.#admin.privateKey,
        headers: {
          accept,
          connection: 'Upgrade',
          upgrade: 'SPDY/3.1',
          'x-stream-protocol-version': ['v9.channel.k8s.io', protocol],
        },
      });
      request.on('error', reject).on('upgrade', (_, socket: Duplex, head) => {
        socket.unshift(head);
        resolve(new SpdySession(socket, { role: 'client' }));
      });
      request.on('response', async (response) => {
        resolve(`${response.statusCode} ${await text(response)}`);
      });
      request.end();
    });
  }

  async spdy(path: string, protocol?: string): Promise<SpdySession> {
    const session = await this.trySpdy(path, protocol);
    if (typeof session === 'string') throw new Error(session);
    return session;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#node[Symbol.asyncDispose]();
    await this.#client[Symbol.asyncDispose]();
  }

  #endpoint(path: string) {
    const { address: host, port } = this.#node;
    return { host, port, path, ca: this.#authority.certificate, agent: false } as const;
  }
}

interface Parts {
  readonly clock: VirtualClock;
  readonly authority: CertificateAuthority;
  readonly admin: KeyPair;
  readonly nobody: KeyPair;
  readonly client: Client;
  readonly node: NodeAgent;
}

/** With four pods: `web` runs, `greeter` runs for real, `waiting` does not run yet and `crashed` has run before. */
export async function startTestKubelet(): Promise<TestKubelet> {
  const clock = new VirtualClock();
  const authority = await createCertificateAuthority('cluster');
  const admin = await authority.issueClient({ name: 'admin', groups: ['admins'] });
  const nobody = await authority.issueClient({ name: 'nobody', groups: [] });
  const client = await startBareServer(clock, seededRandom(1));
  const server = await authority.issueServer('worker', ['127.0.0.1']);
  const node = await startNode({
    client: reviewing(client),
    clock,
    random: seededRandom(2),
    name: 'worker',
    images: new Map([['example.org/greeter', greet]]),
    serving: { ...server, clientCa: authority.certificate },
  });
  await run(client, 'web', 'example.org/app', { log: 'one\ntwo\nthree', 'cpu-usage': '250m' });
  await run(client, 'greeter', 'example.org/greeter', {});
  await run(client, 'waiting', 'example.org/app', { 'start-delay': '1h' });
  await run(client, 'crashed', 'example.org/app', { crash: '1', log: 'hello' });
  await clock.advance(1000);
  return new TestKubelet({ clock, authority, admin, nobody, client, node });
}

async function greet({ args, env, stdout, signal }: ProgramContext): Promise<number> {
  stdout.write(`hello ${args.join(' ')} from ${env.HOSTNAME}\n`);
  await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
  return 0;
}

async function run(
  client: Client,
  name: string,
  image: string,
  steering: Record<string, string>,
): Promise<void> {
  const prefixed = Object.entries(steering).map(([key, value]) => [prefix + key, value]);
  const annotations = Object.fromEntries(prefixed);
  const env = [{ name: 'COLOR', value: 'red' }];
  const containers = [{ name: 'main', image, env, args: ['you', '$(COLOR)'] }];
  const metadata = { namespace: 'default', name, annotations };
  await client.create(Pod, { metadata, spec: { nodeName: 'worker', containers } });
}

/** Answers reviews as an API server where everybody in `admins` may do everything and others may read statistics. */
function reviewing(server: Client): Client {
  const clock = new VirtualClock();
  const transport = new InProcessTransport(async (sent: TransportRequest) => {
    const body = sent.body ? JSON.parse(String(sent.body)) : {};
    const status = statusOf(body);
    if (status) return { status: 201, body: JSON.stringify({ ...body, status }) };
    const answer = await server.raw(sent).catch((error) => error);
    if (answer instanceof Error) throw answer;
    return { status: answer.status, headers: answer.headers, body: answer.chunks() };
  });
  return new Client({ transport, clock, random: seededRandom(1) });
}

function statusOf({ kind, spec }: { kind?: string; spec?: Record<string, never> }) {
  if (kind === 'TokenReview') {
    const { token } = spec ?? {};
    return { authenticated: token === 'good', user: { username: 'reader', groups: [] } };
  }
  if (kind !== 'SubjectAccessReview') return undefined;
  const { groups = [], resourceAttributes } = (spec ?? {}) as {
    groups?: string[];
    resourceAttributes?: { subresource?: string };
  };
  return { allowed: groups.includes('admins') || resourceAttributes?.subresource === 'stats' };
}
