import { Deployment, Pod } from '@liqo/kube';
import { startMinicluster } from '@liqo/minicluster';
import { systemClock, systemRandom } from '@liqo/runtime';
import { eventually } from '@liqo/testkit';

/** Two clusters in this process, each with a node; an application in one of them. */
const startedMs = performance.now();
const surroundings = { clock: systemClock, random: systemRandom, nodes: 1 };
await using rome = await startMinicluster({ ...surroundings, name: 'rome' });
await using milan = await startMinicluster({ ...surroundings, name: 'milan' });
say(`Started ${rome.name} and ${milan.name} in ${Math.round(performance.now() - startedMs)} ms`);

const labels = { app: 'web' };
const containers = [{ name: 'main', image: 'example.org/web' }];
const template = { metadata: { labels }, spec: { containers } };
const spec = { replicas: 3, selector: { matchLabels: labels }, template };
await rome.client.create(Deployment, { metadata: { namespace: 'default', name: 'web' }, spec });

const running = await eventually(async () => {
  const { items } = await rome.client.list(Pod, { fieldSelector: 'status.phase=Running' });
  if (items.length < 3) throw new Error(`only ${items.length} pods run`);
  return items;
});
say(`${running.length} pods run on ${running[0]?.spec?.nodeName}`);
say(`kubectl --kubeconfig ${rome.kubeconfig} would see them until this ends`);

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
