import { ConfigMap } from '@liqo/kube';
import { expect, test } from 'vitest';
import { createCertificateAuthority } from '../real-cluster/certificate-authority.ts';
import { rejection } from '../rejection.ts';
import { type Hook, startWebhookWorld } from './install-webhooks.ts';
import type { GetSubject } from './subject.ts';
import type { ReviewAnswer, WebhookServer } from './webhook-server.ts';

const unreachable = 'https://127.0.0.1:1/nobody';

/** What happens when a webhook cannot be asked, or talks nonsense. */
export function webhookFailures(subject: GetSubject, getServer: () => WebhookServer): void {
  const install = async (hook: Hook) => {
    const world = await startWebhookWorld(subject(), getServer(), 'validating', [hook]);
    const { client, namespace } = world;
    const create = () => client.create(ConfigMap, { metadata: { namespace, name: 'one' } });
    return { ...world, create };
  };
  const internal = (name: string, fact: string) => ({
    code: 500,
    reason: 'InternalError',
    message: `Internal error occurred: failed calling webhook "${name}.example.org": ${fact}`,
  });

  test('nobody there is an error that says so', async () => {
    await using world = await install({ path: '/refused', clientConfig: { url: unreachable } });
    const fact = `failed to call webhook: Post "${unreachable}?timeout=10s": dial tcp 127.0.0.1:1: connect: connection refused`;
    expect(await rejection(world.create())).toMatchObject({
      ...internal('refused', fact),
      details: { causes: [{ message: `failed calling webhook "refused.example.org": ${fact}` }] },
    });
  });

  test('nobody there does not matter if failures are ignored', async () => {
    const clientConfig = { url: unreachable };
    await using world = await install({ path: '/ignored', clientConfig, failurePolicy: 'Ignore' });
    expect((await world.create()).metadata.name).toBe('one');
  });

  test('a webhook has as much time as its configuration gives it', async () => {
    await using world = await install({ path: '/slow', timeoutSeconds: 1 });
    world.server.answer('/slow', () => ({ silent: true }));
    const fact = `failed to call webhook: Post "${world.server.url}/slow?timeout=1s": context deadline exceeded`;
    expect(await rejection(world.create())).toMatchObject(internal('slow', fact));
  });

  test('a webhook that is too slow is passed over if failures are ignored', async () => {
    await using world = await install({
      path: '/slower',
      timeoutSeconds: 1,
      failurePolicy: 'Ignore',
    });
    world.server.answer('/slower', () => ({ silent: true }));
    expect((await world.create()).metadata.name).toBe('one');
  });

  test('a certificate of somebody else is not trusted', async () => {
    const other = await createCertificateAuthority('other');
    const caBundle = Buffer.from(other.certificate).toString('base64');
    const url = `${getServer().url}/untrusted`;
    await using world = await install({ path: '/untrusted', clientConfig: { url, caBundle } });
    const error = await rejection(world.create());
    expect(error).toMatchObject({ code: 500 });
    expect(String(error)).toContain(
      `Post "${url}?timeout=10s": tls: failed to verify certificate: x509: certificate signed by unknown authority`,
    );
  });

  test('a refusal is a refusal even if failures are ignored', async () => {
    await using world = await install({ path: '/firm', failurePolicy: 'Ignore' });
    world.server.answer('/firm', () => ({ allowed: false }));
    expect(await rejection(world.create())).toMatchObject({ code: 400 });
  });

  const nonsense: readonly (readonly [string, ReviewAnswer, string])[] = [
    [
      'an error',
      { raw: { status: 500, text: 'out of order' } },
      'failed to call webhook: an error on the server ("out of order") has prevented the request from succeeding',
    ],
    [
      'no such page',
      { raw: { status: 404, text: 'where?' } },
      'failed to call webhook: the server could not find the requested resource',
    ],
    [
      'busy',
      { raw: { status: 503, text: 'later' } },
      'failed to call webhook: the server is currently unable to handle the request',
    ],
    [
      'an empty review',
      {
        raw: { status: 200, text: '{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1"}' },
      },
      'received invalid webhook response: webhook response was absent',
    ],
  ];
  test.each(nonsense)('an answer that is %s is a failure', async (_, answer, fact) => {
    await using world = await install({ path: '/nonsense' });
    world.server.answer('/nonsense', () => answer);
    expect(await rejection(world.create())).toMatchObject(internal('nonsense', fact));
  });

  test('an answer to another question is a failure', async () => {
    await using world = await install({ path: '/other' });
    world.server.answer('/other', () => ({ response: { uid: 'another' } }));
    const error = await rejection(world.create());
    const uid = world.server.asked('/other').at(-1)?.uid;
    const fact = `received invalid webhook response: expected response.uid="${uid}", got "another"`;
    expect(error).toMatchObject(internal('other', fact));
  });
}
