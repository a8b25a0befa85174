import { mergePatch, Pod } from '@liqo/kube';
import { seededRandom, VirtualClock } from '@liqo/testkit';
import { expect, test } from 'vitest';
import { startTestNode } from '../testing/start-test-node.ts';

test.each(['Always', 'Never'])(
  'a container that is given another image is started again, with restart policy %s',
  async (restartPolicy) => {
    const clock = new VirtualClock();
    await using world = await startTestNode({ clock, random: seededRandom(1) });
    await world.run('web', {}, { restartPolicy });
    const containers = [{ name: 'main', image: 'example.org/other' }];
    const patch = mergePatch({ spec: { containers } });
    await world.client.patch(Pod, { namespace: 'default', name: 'web' }, patch);
    await world.pass(0);
    expect(await world.main('web')).toMatchObject({
      image: 'example.org/other',
      restartCount: 1,
      state: { running: {} },
    });
    expect(await world.events('Killing')).toEqual([
      'Normal Killing x1: Container main definition changed, will be restarted',
    ]);
  },
);
