import { request as httpsRequest } from 'node:https';
import { type CallSignal, Client, type InProcessAnswer, InProcessTransport } from '@liqo/kube';
import { eventually, seededRandom, VirtualClock } from '@liqo/testkit';
import { expect, test } from 'vitest';
import { type BareKubelet, startBareKubelet } from './testing/bare-kubelet.ts';

interface LogWorld extends AsyncDisposable {
  readonly kubelet: BareKubelet;
  readonly asked: string[];
}

async function start(answer: (signal: CallSignal) => InProcessAnswer): Promise<LogWorld> {
  const asked: string[] = [];
  const transport = new InProcessTransport(async ({ path }, signal) => {
    asked.push(path);
    return answer(signal);
  });
  const client = new Client({ transport, clock: new VirtualClock(), random: seededRandom(1) });
  const kubelet = await startBareKubelet({ client, remoteNamespace: () => 'shop-rome' });
  kubelet.desk.rights.add('token reader').add('reader get proxy');
  return { kubelet, asked, [Symbol.asyncDispose]: () => kubelet[Symbol.asyncDispose]() };
}

const log = '/containerLogs/shop/web/main';
const reader = { token: 'reader' };

test('a log is asked for with what was asked of it, and nothing else', async () => {
  await using world = await start(() => ({ status: 200, body: 'one\n' }));
  const since = 'sinceTime=2030-01-01T00%3A00%3A00Z';
  const flags = 'follow=true&previous=false&timestamps=1&insecureSkipTLSVerifyBackend=true';
  const counts = 'tailLines=0&limitBytes=10&sinceSeconds=5&stream=Stdout';
  const tricks = 'container=other&pretty=true&follow=false';
  const reply = await world.kubelet.ask(`${log}?${flags}&${counts}&${since}&${tricks}`, reader);
  expect(reply).toEqual({ status: 200, type: 'text/plain', body: 'one\n' });
  const [path = ''] = world.asked;
  const { pathname, searchParams } = new URL(path, 'http://provider');
  expect(pathname).toBe('/api/v1/namespaces/shop-rome/pods/web/log');
  expect(Object.fromEntries(searchParams)).toEqual({
    container: 'main',
    follow: 'true',
    previous: 'false',
    timestamps: '1',
    insecureSkipTLSVerifyBackend: 'true',
    tailLines: '0',
    limitBytes: '10',
    sinceSeconds: '5',
    stream: 'Stdout',
    sinceTime: '2030-01-01T00:00:00Z',
  });
});

test('a log comes no faster than it is read, and not at all when its reader is gone', async () => {
  let sentBytes = 0;
  let stopped = false;
  async function* endless(signal: CallSignal): AsyncGenerator<Uint8Array> {
    const chunk = Buffer.alloc(64 * 1024, 'x');
    signal.addEventListener('abort', () => {
      stopped = true;
    });
    while (!signal.aborted) {
      sentBytes += chunk.length;
      yield chunk;
    }
  }
  await using world = await start((signal) => ({ status: 200, body: endless(signal) }));
  const response = await openLog(world.kubelet.server.port);
  let before = -1;
  await eventually(
    () => {
      const grown = sentBytes !== before;
      before = sentBytes;
      expect(grown).toBe(false);
    },
    { intervalMs: 200 },
  );
  expect(sentBytes).toBeGreaterThan(0);
  expect(sentBytes).toBeLessThan(32 * 1024 * 1024);
  expect(stopped).toBe(false);
  response.destroy();
  await eventually(() => expect(stopped).toBe(true));
  await eventually(() => expect(world.kubelet.server.connections).toBe(0));
});

test('a log that breaks off at the provider breaks off here', async () => {
  async function* broken(): AsyncGenerator<Uint8Array> {
    yield Buffer.from('one\n');
    throw new Error('cut');
  }
  await using world = await start(() => ({ status: 200, body: broken() }));
  await expect(world.kubelet.ask(log, reader)).rejects.toThrow('aborted');
});

/** Reads nothing but the head. */
function openLog(port: number): Promise<{ destroy(): unknown }> {
  const headers = { authorization: 'Bearer reader' };
  const options = { host: '127.0.0.1', port, path: `${log}?follow=true`, headers };
  return new Promise((resolve, reject) => {
    httpsRequest({ ...options, rejectUnauthorized: false, agent: false }, resolve)
      .on('error', reject)
      .end();
  });
}
