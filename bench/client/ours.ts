import { Client, Pod } from '@liqo/kube';
import { HttpTransport } from '@liqo/kube/node';
import { silentLogger, startInformer, systemClock, systemRandom } from '@liqo/runtime';
import { connectionTo } from './connection.ts';
import { report, target } from './measure.ts';

/** The same work through our client and our cache. */
const { port, ca, mode } = target();
const client = new Client({
  transport: new HttpTransport(connectionTo(port, ca), systemClock),
  clock: systemClock,
  random: systemRandom,
});

async function listAndWatch(): Promise<number> {
  let updates = 0;
  let allUpdated = () => {};
  const updated = new Promise<void>((resolve) => {
    allUpdated = resolve;
  });
  const informer = startInformer({
    client,
    kind: Pod,
    clock: systemClock,
    random: systemRandom,
    log: silentLogger,
  });
  informer.subscribe({
    onUpdate: () => {
      updates += 1;
      if (updates === 10_000) allUpdated();
    },
  });
  await updated;
  kept = informer;
  return informer.list().length;
}

async function getMany(): Promise<number> {
  const key = { namespace: 'team-0', name: 'web-00000' };
  const worker = async () => {
    for (let i = 0; i < 100; i++) await client.get(Pod, key);
  };
  await Promise.all(Array.from({ length: 20 }, worker));
  return 2000;
}

let kept: unknown;
await report(mode === 'gets' ? getMany : listAndWatch);
process.exit(kept === null ? 1 : 0);
