import { Deployment, deepEqual, Job, mergePatch, Pod, Service, StatefulSet } from '@liqo/kube';
import { type Minicluster, startMinicluster } from '@liqo/minicluster';
import { expect, test } from 'vitest';
import { seededRandom } from '../seeded-random.ts';
import { VirtualClock } from '../virtual-clock.ts';
import { type ApiCall, isWatch } from './api-call.ts';
import {
  cutAfterLines,
  delayed,
  errorEvent,
  type Fault,
  failAfterEffect,
  lostAnswer,
  lostRequest,
  refusal,
} from './fault.ts';
import { type FaultPlan, noFaults } from './fault-plan.ts';
import { FaultyCalls } from './faulty-calls.ts';
import { seededPlan } from './seeded-plan.ts';

const faultsOfCalls: readonly (() => Fault)[] = [
  () => refusal(409),
  () => refusal(429, '1'),
  () => refusal(500),
  () => failAfterEffect(409),
  () => failAfterEffect(500),
  () => lostRequest('reset'),
  () => lostRequest('refuse'),
  () => lostAnswer('reset'),
  () => delayed(300),
  () => ({ twice: 'first answer' }),
  () => ({ twice: 'second answer' }),
];

const faultsOfWatches: readonly (() => Fault)[] = [
  () => cutAfterLines(2, 'end'),
  () => cutAfterLines(5, 'reset'),
  () => errorEvent(410, 'Expired'),
  () => refusal(429, '1'),
  () => lostRequest('reset'),
  () => ({ eventsTakeMs: 400 }),
];

const key = (name: string) => ({ namespace: 'default', name });
const labels = (app: string) => ({ app });

function template(app: string, annotations: Record<string, string> = {}) {
  const containers = [{ name: 'main', image: `example.org/${app}` }];
  return { metadata: { labels: labels(app), annotations }, spec: { containers } };
}

/** Things that are made, grow, change, and end. */
async function tellStory({ client }: Minicluster, clock: VirtualClock): Promise<void> {
  const replicas = 3;
  const selector = (app: string) => ({ matchLabels: labels(app) });
  const web = { replicas, selector: selector('web'), template: template('web') };
  await client.create(Deployment, { metadata: key('web'), spec: web });
  await client.create(Service, { metadata: key('db'), spec: { clusterIP: 'None' } });
  const db = { replicas, serviceName: 'db', selector: selector('db'), template: template('db') };
  await client.create(StatefulSet, { metadata: key('db'), spec: db });
  const { metadata, spec } = template('sum', { 'minicluster.liqo-ts.dev/exit-code': '0' });
  const work = { metadata, spec: { ...spec, restartPolicy: 'Never' } };
  const counting = { completions: 4, parallelism: 2, backoffLimit: 100, template: work };
  await client.create(Job, { metadata: key('sum'), spec: counting });
  await clock.advance(60_000);
  const image = [{ name: 'main', image: 'example.org/web:2' }];
  const next = mergePatch({ spec: { replicas: 2, template: { spec: { containers: image } } } });
  await client.patch(Deployment, key('web'), next);
  await client.patch(StatefulSet, key('db'), mergePatch({ spec: { replicas: 2 } }));
  await clock.advance(60_000);
}

const goodEnd = {
  web: { replicas: 2, ready: 2, updated: 2, pods: 2 },
  db: { replicas: 2, ready: 2, pods: ['db-0', 'db-1'] },
  sum: { succeeded: 4, complete: 'True' },
};

async function stateOf({ client }: Minicluster): Promise<typeof goodEnd | object> {
  const web = (await client.get(Deployment, key('web')))?.status;
  const db = (await client.get(StatefulSet, key('db')))?.status;
  const sum = (await client.get(Job, key('sum')))?.status;
  const namesOf = async (app: string) => {
    const { items } = await client.list(Pod, { labelSelector: `app=${app}` });
    return items.map(({ metadata }) => metadata.name);
  };
  const pods = (await namesOf('web')).length;
  return {
    web: {
      replicas: web?.replicas,
      ready: web?.readyReplicas,
      updated: web?.updatedReplicas,
      pods,
    },
    db: { replicas: db?.replicas, ready: db?.readyReplicas, pods: await namesOf('db') },
    sum: {
      succeeded: sum?.succeeded,
      complete: sum?.conditions?.find(({ type }) => type === 'Complete')?.status,
    },
  };
}

/** A quarter of an hour at most: the longest back-offs are shorter. */
async function restUntilDone(cluster: Minicluster, clock: VirtualClock): Promise<void> {
  for (let minute = 0; minute < 15; minute++) {
    await clock.advance(60_000);
    if (deepEqual(await stateOf(cluster), goodEnd)) return;
  }
}

/** The parts of the cluster suffer, whoever uses it does not. */
function planFaults(seed: number, onFault: () => void): FaultPlan {
  const ofCalls = seededPlan({ seed, rate: 0.2, faults: faultsOfCalls });
  const ofWatches = seededPlan({ seed, rate: 0.5, faults: faultsOfWatches });
  return (call: ApiCall) => {
    if (!call.who.startsWith('system:')) return undefined;
    const fault = isWatch(call) ? ofWatches(call) : ofCalls(call);
    if (fault) onFault();
    return fault;
  };
}

const seeds = [7, 17, 23, 35];

test.each(seeds)(
  'A cluster gets its work done after its own parts have suffered, seed %d',
  async (seed) => {
    const clock = new VirtualClock();
    const calls = new FaultyCalls({ clock });
    const random = seededRandom(seed);
    const { intercept } = calls;
    await using cluster = await startMinicluster({ clock, random, nodes: 2, intercept });
    let suffered = 0;
    calls.plan = planFaults(seed, () => {
      suffered += 1;
    });
    await tellStory(cluster, clock);
    calls.plan = noFaults;
    await restUntilDone(cluster, clock);
    expect(await stateOf(cluster)).toEqual(goodEnd);
    expect(suffered).toBeGreaterThan(30);
  },
  120_000,
);
