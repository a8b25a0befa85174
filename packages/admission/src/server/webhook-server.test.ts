import { EventEmitter, once } from 'node:events';
import { request } from 'node:https';
import { silentLogger } from '@liqo/runtime';
import { VirtualClock } from '@liqo/testkit';
import { createCertificateAuthority, type KeyPair } from '@liqo/testkit/faults';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { unchanged } from '../review/verdict.ts';
import type { Rule } from '../rule.ts';
import { forgeBody, forgeRequest } from '../testing/forge-request.ts';
import { Reviewer } from './answer-review.ts';
import { WebhookServer } from './webhook-server.ts';

interface Answer {
  readonly status: number;
  readonly text: string;
}

describe('WebhookServer', () => {
  let server: WebhookServer;
  let authority: Awaited<ReturnType<typeof createCertificateAuthority>>;
  let port: number;
  let review: Rule['review'];

  beforeEach(async () => {
    review = () => unchanged;
    const rules: readonly Rule[] = [
      { path: '/mutate/pod', review: (...asked) => review(...asked) },
    ];
    const reviewer = new Reviewer({ rules, clock: new VirtualClock(), log: silentLogger });
    server = new WebhookServer({ reviewer, host: '127.0.0.1', port: 0 });
    authority = await createCertificateAuthority('webhook');
    show(await authority.issueServer('webhook', ['liqo-webhook.liqo.svc']));
    await server.listen();
    port = server.port;
  });
  afterEach(async () => {
    await server[Symbol.asyncDispose]();
  });

  const show = ({ certificate, privateKey }: KeyPair) => server.show({ certificate, privateKey });
  const body = forgeBody(forgeRequest({ metadata: { name: 'web' } }));

  function call(path: string, text: string, options: object = {}): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const outgoing = request({
        host: '127.0.0.1',
        port,
        path,
        method: 'POST',
        servername: 'liqo-webhook.liqo.svc',
        ca: authority.certificate,
        agent: false,
        ...options,
      });
      outgoing.on('error', reject);
      outgoing.on('response', async (response) => {
        const chunks: Uint8Array[] = [];
        for await (const chunk of response) chunks.push(chunk);
        resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() });
      });
      outgoing.end(text);
    });
  }

  test('answers reviews', async () => {
    const { status, text } = await call('/mutate/pod?timeout=10s', body);
    expect(status).toBe(200);
    expect(JSON.parse(text).response).toEqual({ uid: 'e5c4d3b2', allowed: true });
  });

  test.each([
    ['a path without a rule', '/mutate/none', {}, 404],
    ['a request target that is no path', 'http://[', {}, 404],
    ['another method', '/mutate/pod', { method: 'GET' }, 405],
  ])('refuses %s', async (_, path, options, status) => {
    expect(await call(path, '', options)).toMatchObject({ status });
  });

  test('refuses a body that is too long without reading all of it', async () => {
    const answer = call('/mutate/pod', 'x'.repeat(9 * 1024 * 1024)).catch(
      ({ code }: NodeJS.ErrnoException) => ({ code }),
    );
    // The connection is closed: whether the answer or its end is seen first is for the network to say.
    expect([{ status: 413 }, { code: 'EPIPE' }, { code: 'ECONNRESET' }]).toContainEqual(
      await answer.then(({ text: _, ...rest }: Partial<Answer> & object) => rest),
    );
    expect(await call('/mutate/pod', body)).toMatchObject({ status: 200 });
  });

  /** A rule that has been asked and does not answer yet. */
  function holdVerdict() {
    const progress = new EventEmitter();
    const asked = once(progress, 'asked');
    const decided = once(progress, 'decided').then(() => unchanged);
    review = () => {
      progress.emit('asked');
      return decided;
    };
    return { asked, decide: () => void progress.emit('decided') };
  }

  test('answers requests under way with the certificate that they began with', async () => {
    const { asked, decide } = holdVerdict();
    const underWay = call('/mutate/pod', body);
    await asked;
    show(await authority.issueServer('webhook', ['another.liqo.svc']));
    await expect(call('/mutate/none', body)).rejects.toThrow('another.liqo.svc');
    decide();
    expect(await underWay).toMatchObject({ status: 200 });
  });

  test('answers requests under way when it stops, and accepts no others', async () => {
    const { asked, decide } = holdVerdict();
    const underWay = call('/mutate/pod', body);
    await asked;
    const stopped = server[Symbol.asyncDispose]();
    await expect(call('/mutate/pod', body)).rejects.toThrow('ECONNREFUSED');
    decide();
    expect(await underWay).toMatchObject({ status: 200 });
    await stopped;
  });
});
