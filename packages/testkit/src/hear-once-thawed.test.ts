import { InProcessTransport } from '@liqo/kube';
import { expect, test } from 'vitest';
import { hearOnceThawed } from './hear-once-thawed.ts';
import { ProcessClock } from './process-clock.ts';
import { VirtualClock } from './virtual-clock.ts';

const get = { method: 'GET', path: '/' };

test('hearOnceThawed() holds answers and parts of a body until the process is thawed', async () => {
  const time = new VirtualClock();
  const clock = new ProcessClock(time);
  async function* parts() {
    for (const part of ['one', 'two']) yield new TextEncoder().encode(part);
  }
  const transport = new InProcessTransport(
    hearOnceThawed(clock, async () => ({ status: 200, body: parts() })),
  );
  const heard: string[] = [];
  const listen = async () => {
    for await (const part of (await transport.send(get)).chunks()) {
      heard.push(new TextDecoder().decode(part));
      clock.freeze();
    }
  };
  clock.freeze();
  const listening = listen();
  await time.settle();
  expect(heard).toEqual([]);
  await clock.thaw();
  expect(heard).toEqual(['one']);
  await time.settle();
  expect(heard).toEqual(['one']);
  await clock.thaw();
  await listening;
  expect(heard).toEqual(['one', 'two']);
});
