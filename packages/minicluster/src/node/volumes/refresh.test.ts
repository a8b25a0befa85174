import { ConfigMap, mergePatch, Pod, Secret } from '@liqo/kube';
import { eventually, seededRandom, VirtualClock } from '@liqo/testkit';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Program, ProgramContext } from '../containers/image-registry.ts';
import { startTestNode } from '../testing/start-test-node.ts';

describe('mounted files', () => {
  const key = { namespace: 'default', name: 'settings' };
  let program: ProgramContext | undefined;
  let world: Awaited<ReturnType<typeof startTestNode>>;
  const files = () => Object.fromEntries(program?.files ?? []);
  const mounts = (...names: readonly string[]) => ({
    volumeMounts: names.map((name) => ({ name, mountPath: `/${name}` })),
  });

  beforeEach(async () => {
    const run = (context: ProgramContext) =>
      new Promise<number>((resolve) => {
        program = context;
        context.signal.addEventListener('abort', () => resolve(0), { once: true });
      });
    const script = 'until [ "$(cat config/a)" = 2 ]; do sleep 0.01; done';
    const images = new Map<string, Program>([
      ['example.org/app', run],
      ['example.org/child', { command: ['/bin/sh', '-c', script] }],
    ]);
    world = await startTestNode({ clock: new VirtualClock(), random: seededRandom(1), images });
    await world.client.create(ConfigMap, { metadata: key, data: { a: '1', b: '1' } });
    await world.client.create(Secret, { metadata: key, stringData: { password: 'old' } });
  });
  afterEach(() => world[Symbol.asyncDispose]());
  const change = (data: Record<string, string | null>) =>
    world.client.patch(ConfigMap, key, mergePatch({ data }));

  test('follow their config map and secret within a minute', async () => {
    const volumes = [
      { name: 'config', configMap: { name: 'settings' } },
      { name: 'secret', secret: { secretName: 'settings' } },
    ];
    await world.run('web', mounts('config', 'secret'), { volumes });
    const before = { '/config/a': '1', '/config/b': '1', '/secret/password': 'old' };
    expect(files()).toEqual(before);
    await change({ a: '2', b: null, c: '3' });
    await world.client.patch(Secret, key, mergePatch({ stringData: { password: 'new' } }));
    await world.pass(59);
    expect(files()).toEqual(before);
    await world.pass(1);
    expect(files()).toEqual({ '/config/a': '2', '/config/c': '3', '/secret/password': 'new' });
  });

  test('of a part of a volume stay what they were', async () => {
    const volumes = [{ name: 'config', configMap: { name: 'settings' } }];
    const part = { name: 'config', mountPath: '/only', subPath: 'a' };
    const { volumeMounts } = mounts('config');
    await world.run('web', { volumeMounts: [...volumeMounts, part] }, { volumes });
    await change({ a: '2' });
    await world.pass(60);
    expect(files()).toMatchObject({ '/config/a': '2', '/only': '1' });
  });

  test('of what is optional come when it comes and go when it goes', async () => {
    const configMap = { name: 'later', optional: true };
    await world.run('web', mounts('config'), { volumes: [{ name: 'config', configMap }] });
    expect(files()).toEqual({});
    const later = { namespace: 'default', name: 'later' };
    await world.client.create(ConfigMap, { metadata: later, data: { a: '1' } });
    await world.pass(60);
    expect(files()).toEqual({ '/config/a': '1' });
    await world.client.delete(ConfigMap, later);
    await world.pass(60);
    expect(files()).toEqual({});
  });

  test('of what has gone and was not optional stay, and people are told', async () => {
    const volumes = [{ name: 'config', configMap: { name: 'settings' } }];
    await world.run('web', mounts('config'), { volumes });
    await world.client.delete(ConfigMap, key);
    await world.pass(60);
    expect(files()).toEqual({ '/config/a': '1', '/config/b': '1' });
    expect(await world.events('FailedMount')).toEqual([
      'Warning FailedMount x1: MountVolume.SetUp failed for volume "config" : configmap "settings" not found',
    ]);
  });

  test('that tell a pod of itself change with it at once', async () => {
    const fieldRef = { fieldPath: "metadata.labels['color']" };
    const downwardAPI = { items: [{ path: 'color', fieldRef }] };
    await world.run('web', mounts('self'), { volumes: [{ name: 'self', downwardAPI }] });
    const painted = mergePatch({ metadata: { labels: { color: 'red' } } });
    await world.client.patch(Pod, { namespace: 'default', name: 'web' }, painted);
    await world.pass(0);
    expect(files()).toEqual({ '/self/color': 'red' });
  });

  test('of a program of the machine are replaced where it finds them', async () => {
    const volumes = [{ name: 'config', configMap: { name: 'settings' } }];
    const container = { image: 'example.org/child', ...mounts('config') };
    await world.run('web', container, { volumes, restartPolicy: 'Never' });
    await change({ a: '2' });
    await world.pass(60);
    await eventually(async () => {
      expect((await world.get('web'))?.status?.phase).toBe('Succeeded');
    });
  });
});
