import {
  Client,
  type InProcessAnswer,
  InProcessTransport,
  type TransportRequest,
} from '@liqo/kube';
import { eventually, seededRandom, VirtualClock } from '@liqo/testkit';
import { createCertificateAuthority, type KeyPair } from '@liqo/testkit/faults';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Proof } from './testing/ask.ts';
import { type BareKubelet, startBareKubelet } from './testing/bare-kubelet.ts';

const minuteMs = 60_000;

describe('KubeletServer', () => {
  let kubelet: BareKubelet;
  let upstream: string[];

  beforeEach(async () => {
    upstream = [];
    const transport = new InProcessTransport(async ({ path }: TransportRequest) => {
      upstream.push(path);
      return answerOf(path);
    });
    const client = new Client({ transport, clock: new VirtualClock(), random: seededRandom(1) });
    kubelet = await startBareKubelet({ client, remoteNamespace: () => 'shop-rome' });
    kubelet.desk.rights.add('token reader').add('reader get proxy');
    await eventually(() => expect(kubelet.desk.configMaps.openWatches).toBe(1));
  });
  afterEach(async () => {
    await kubelet[Symbol.asyncDispose]();
  });

  const proofOf = ({ certificate, privateKey }: KeyPair): Proof => ({
    keys: { cert: certificate, key: privateKey },
  });
  const issue = async (name: string, groups: readonly string[] = []) =>
    proofOf(await kubelet.authority.issueClient({ name, groups }));
  const log = '/containerLogs/shop/web/main';

  test('knows whom a certificate of the cluster’s client CA belongs to', async () => {
    kubelet.desk.rights.add('jane get pods');
    expect(await kubelet.ask('/pods', await issue('jane'))).toMatchObject({ status: 200 });
    expect(kubelet.desk.asked).toEqual(['jane get pods']);
  });

  test('knows whom a bearer token belongs to, and may do what the API server says', async () => {
    const reader = { token: 'reader' };
    expect(await kubelet.ask(log, reader)).toMatchObject({ status: 200, body: 'a log' });
    expect(await kubelet.ask('/pods', reader)).toMatchObject({ status: 200 });
    expect(await kubelet.ask('/stats/summary', reader)).toMatchObject({
      status: 403,
      body: 'Forbidden (user=reader, verb=get, resource=nodes, name=mynode, subresource(s)=[stats])',
    });
    expect(upstream).toHaveLength(1);
  });

  test.each(['/healthz', '/pods', '/runningpods/', '/stats/summary', '/metrics', log])(
    'tells nobody anything at %s',
    async (path) => {
      expect(await kubelet.ask(path, {})).toMatchObject({
        status: 401,
        body: 'Unauthorized: a client certificate or a bearer token is needed',
      });
      expect([...upstream, ...kubelet.desk.asked]).toEqual([]);
    },
  );

  test('does not believe a token that nobody has', async () => {
    expect(await kubelet.ask('/pods', { token: 'forged' })).toMatchObject({ status: 401 });
    const long = 'x'.repeat(20_000);
    expect(await kubelet.ask('/pods', { token: long })).toMatchObject({ status: 401 });
    expect(kubelet.desk.asked).toEqual(['token forged']);
  });

  test('does not believe a certificate of another authority with the same name', async () => {
    const other = await createCertificateAuthority('consumer');
    const proof = proofOf(await other.issueClient({ name: 'root', groups: ['system:masters'] }));
    expect(await kubelet.ask('/pods', proof)).toMatchObject({
      status: 401,
      body: expect.stringContaining('not issued by the client CA of this cluster'),
    });
    expect(kubelet.desk.asked).toEqual([]);
  });

  test('does not believe a certificate for servers, or one that ran out', async () => {
    const server = proofOf(await kubelet.authority.issueServer('jane', ['127.0.0.1']));
    expect(await kubelet.ask('/pods', server)).toMatchObject({
      status: 401,
      body: expect.stringContaining('not for clients'),
    });
    const jane = await issue('jane');
    kubelet.clock.skewMs = 2 * 365 * 24 * 60 * minuteMs;
    expect(await kubelet.ask('/pods', jane)).toMatchObject({
      status: 401,
      body: expect.stringContaining('not valid at this time'),
    });
  });

  test('follows the client CA, and believes no certificate without one', async () => {
    kubelet.desk.rights.add('jane get pods');
    const old = await issue('jane');
    const other = await createCertificateAuthority('consumer');
    const young = proofOf(await other.issueClient({ name: 'jane', groups: [] }));
    const statuses = async () => [
      (await kubelet.ask('/pods', old)).status,
      (await kubelet.ask('/pods', young)).status,
    ];
    await eventually(async () => expect(await statuses()).toEqual([200, 401]));
    kubelet.desk.trust(kubelet.authority.certificate + other.certificate);
    await eventually(async () => expect(await statuses()).toEqual([200, 200]));
    kubelet.desk.trust(other.certificate);
    await eventually(async () => expect(await statuses()).toEqual([401, 200]));
    kubelet.desk.trust(undefined);
    await eventually(async () => expect(await statuses()).toEqual([401, 401]));
    const { body } = await kubelet.ask('/pods', young);
    expect(body).toContain('kube-system/extension-apiserver-authentication');
  });

  test('lets a certificate that does not count be helped by a token', async () => {
    const other = await createCertificateAuthority('other');
    const { keys } = proofOf(await other.issueClient({ name: 'jane', groups: [] }));
    const both: Proof = { ...(keys && { keys }), token: 'reader' };
    expect(await kubelet.ask('/pods', both)).toMatchObject({ status: 200 });
  });

  test('lets nobody in when the API server cannot be asked', async () => {
    const jane = await issue('jane');
    kubelet.desk.isDown = true;
    expect(await kubelet.ask('/pods', { token: 'reader' })).toMatchObject({
      status: 503,
      body: expect.stringContaining('Cannot check the token of the caller'),
    });
    expect(await kubelet.ask('/pods', jane)).toMatchObject({
      status: 503,
      body: expect.stringContaining('Cannot check the rights of the caller'),
    });
    expect(upstream).toEqual([]);
  });

  test('asks who somebody is every two minutes, what they may every five, and what not every half', async () => {
    const { clock, desk } = kubelet;
    const asksFor = async (path: string) => {
      desk.asked.length = 0;
      await kubelet.ask(path, { token: 'reader' });
      return [...desk.asked];
    };
    expect(await asksFor(log)).toEqual(['token reader', 'reader get proxy']);
    expect(await asksFor(log)).toEqual([]);
    expect(await asksFor('/metrics')).toEqual(['reader get metrics']);
    await clock.advance(29_000);
    expect(await asksFor('/metrics')).toEqual([]);
    await clock.advance(1_000);
    expect(await asksFor('/metrics')).toEqual(['reader get metrics']);
    await clock.advance(1.5 * minuteMs);
    expect(await asksFor(log)).toEqual(['token reader']);
    await clock.advance(3 * minuteMs);
    expect(await asksFor(log)).toEqual(['token reader', 'reader get proxy']);
  });

  test.each(['/exec/shop/web/main', '/attach/shop/web/main', '/portForward/shop/web'])(
    'takes %s for creating something, with whatever method',
    async (path) => {
      for (const method of ['GET', 'POST']) {
        const reply = await kubelet.ask(path, { token: 'reader' }, method);
        expect(reply).toMatchObject({ status: 403, body: expect.stringContaining('verb=create') });
      }
      kubelet.desk.rights.add('token runner').add('runner create proxy');
      const reply = await kubelet.ask(path, { token: 'runner' });
      expect(reply).toMatchObject({ status: 400, body: 'Upgrade request required' });
      expect(upstream).toEqual([]);
    },
  );

  test('asks the provider for metrics at a fixed path, whatever the request says besides', async () => {
    kubelet.desk.rights.add('token scraper').add('scraper get metrics');
    const scraper = { token: 'scraper' };
    const reply = await kubelet.ask('/metrics/cadvisor?x=/../../../../secrets', scraper);
    expect(reply).toMatchObject({ status: 200, body: 'cpu 1\n' });
    expect(upstream).toEqual(['/apis/metrics.liqo.io/v1beta1/scrape/rome/metrics/cadvisor']);
  });
});

function answerOf(path: string): InProcessAnswer {
  if (path.includes('/log')) return { status: 200, body: 'a log' };
  if (path.startsWith('/apis/metrics.liqo.io/')) return { status: 200, body: 'cpu 1\n' };
  return { status: 404, body: 'no' };
}
