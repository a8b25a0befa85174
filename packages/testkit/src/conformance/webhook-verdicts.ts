import { ConfigMap } from '@liqo/kube';
import { expect, test } from 'vitest';
import { rejection } from '../rejection.ts';
import { type Hook, installWebhooks, startWebhookWorld } from './install-webhooks.ts';
import type { GetSubject } from './subject.ts';
import type { ReviewAnswer, WebhookServer } from './webhook-server.ts';

/** Webhooks that judge. */
export function validatingWebhooks(subject: GetSubject, getServer: () => WebhookServer): void {
  const install = async (...hooks: readonly Hook[]) => {
    const world = await startWebhookWorld(subject(), getServer(), 'validating', hooks);
    const { client, namespace } = world;
    const create = (name = 'one') => client.create(ConfigMap, { metadata: { namespace, name } });
    return { ...world, create };
  };

  const denials: readonly (readonly [string, ReviewAnswer['status'], object])[] = [
    [
      'without a word',
      undefined,
      {
        code: 400,
        reason: '',
        message: 'admission webhook "deny.example.org" denied the request without explanation',
      },
    ],
    [
      'with a message',
      { message: 'not today' },
      {
        code: 400,
        reason: '',
        message: 'admission webhook "deny.example.org" denied the request: not today',
      },
    ],
    [
      'with a reason',
      { reason: 'Forbidden', code: 403 },
      {
        code: 403,
        reason: 'Forbidden',
        message: 'admission webhook "deny.example.org" denied the request: Forbidden',
      },
    ],
    [
      'with everything',
      {
        code: 409,
        reason: 'Conflict',
        message: 'taken',
        details: { causes: [{ field: 'data', message: 'no', reason: 'FieldValueInvalid' }] },
      },
      {
        code: 409,
        reason: 'Conflict',
        message: 'admission webhook "deny.example.org" denied the request: taken',
        details: { causes: [{ field: 'data', message: 'no', reason: 'FieldValueInvalid' }] },
      },
    ],
    [
      'with a code that is no error',
      { code: 200, message: 'odd' },
      { code: 400, message: 'admission webhook "deny.example.org" denied the request: odd' },
    ],
  ];
  test.each(denials)('a validating webhook refuses %s', async (_, status, expected) => {
    await using world = await install({ path: '/deny' });
    world.server.answer('/deny', () => ({ allowed: false, ...(status && { status }) }));
    expect(await rejection(world.create())).toMatchObject(expected);
    expect(
      await world.client.get(ConfigMap, { namespace: world.namespace, name: 'one' }),
    ).toBeUndefined();
  });

  test('a validating webhook sees the object as it will be stored', async () => {
    await using world = await install({ path: '/final' });
    const { client, server, namespace } = world;
    const installation = { client, server, namespace, kind: 'mutating' as const };
    await using _ = await installWebhooks(installation, [{ path: '/before-final' }]);
    server.answer('/before-final', () => ({
      patch: [{ op: 'add', path: '/data', value: { a: '1' } }],
    }));
    const metadata = { namespace, generateName: 'one-' };
    const created = await client.create(ConfigMap, { metadata });
    const { name, uid } = created.metadata;
    expect(server.asked('/final').at(-1)).toMatchObject({
      name,
      object: { metadata: { name, uid }, data: { a: '1' } },
    });
  });

  test('a validating webhook may not change anything', async () => {
    await using world = await install({ path: '/meddle' });
    world.server.answer('/meddle', () => ({ patch: [{ op: 'add', path: '/data', value: {} }] }));
    expect(await rejection(world.create())).toMatchObject({
      code: 500,
      message:
        'Internal error occurred: failed calling webhook "meddle.example.org": received invalid webhook response: validating webhook may not return response.patch',
    });
  });

  test('all validating webhooks are heard, even if one refuses', async () => {
    await using world = await install({ path: '/no' }, { path: '/yes' });
    world.server.answer('/no', () => ({ allowed: false }));
    const before = world.server.asked('/yes').length;
    await rejection(world.create());
    expect(world.server.asked('/yes').length).toBe(before + 1);
  });

  test('a validating webhook can refuse an update and a deletion', async () => {
    await using world = await install({ path: '/keep', operations: ['UPDATE', 'DELETE'] });
    const { client, namespace, server } = world;
    const metadata = { namespace, name: 'one' };
    await world.create();
    server.answer('/keep', () => ({ allowed: false, status: { message: 'kept', code: 403 } }));
    const denied = {
      code: 403,
      message: 'admission webhook "keep.example.org" denied the request: kept',
    };
    expect(await rejection(client.update(ConfigMap, { metadata, data: { a: '1' } }))).toMatchObject(
      denied,
    );
    expect(await rejection(client.delete(ConfigMap, metadata))).toMatchObject(denied);
    expect((await client.get(ConfigMap, metadata))?.data).toBeUndefined();
    server.answer('/keep', () => ({}));
  });

  test('warnings of a webhook reach the client, refused or not', async () => {
    await using world = await install({ path: '/warn' });
    world.server.answer('/warn', ({ name }) => ({
      allowed: name === 'good',
      warnings: [`careful with ${name} in ${world.namespace}`],
    }));
    await world.create('good');
    await rejection(world.create('bad'));
    expect(subject().warnings).toEqual(
      expect.arrayContaining([
        `careful with good in ${world.namespace}`,
        `careful with bad in ${world.namespace}`,
      ]),
    );
  });
}
