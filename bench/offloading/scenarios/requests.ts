import { setTimeout as pause } from 'node:timers/promises';
import type { AuditedRequest } from '../audit-log.ts';
import type { BenchWorld } from '../bench-world.ts';
import { lastWordSeconds, onePair, type Sample, type Scenario } from '../scenario.ts';
import { secondsToDelete, secondsToRun } from '../timed-load.ts';

const count = 200;
const restSeconds = 60;
const settleSeconds = 15;
const audited = { ...onePair, audited: true };
const reading = new Set(['get', 'list', 'watch']);

/** Every request of the product, by what it is about: in the life of a pod, at rest, and after a restart. */
export const requests: Scenario = {
  name: 'requests',
  needs: audited,
  repeats: 1,
  rows: [
    { id: 'requests.created', title: 'requests per pod, created to Running', unit: '' },
    { id: 'requests.created.writes', title: '… of which write', unit: '' },
    { id: 'requests.deleted', title: 'requests per pod, deleted', unit: '' },
    { id: 'requests.deleted.writes', title: '… of which write', unit: '' },
    { id: 'requests.rest', title: `writes at rest, with ${count} pods`, unit: '/s', budget: 0.15 },
    {
      id: 'requests.restart',
      title: 'writes after all restart, nothing changed',
      unit: '',
      budget: 0,
    },
    { id: 'requests.restart.leases', title: '… and of leases, meanwhile', unit: '' },
  ],
  measure: async (world) => {
    const namespace = await world.freshNamespace('offloaded');
    const where = { clients: [world.rome.client], namespace, place: 'virtual' } as const;
    const created = await during(world, lastWordSeconds, () => secondsToRun(where, count));
    const rest = await during(world, restSeconds, async () => {});
    const restart = await during(world, settleSeconds, () => restartEverything(world));
    const deleted = await during(world, settleSeconds, () => secondsToDelete(where, count));
    return {
      ...perPod('requests.created', created),
      ...perPod('requests.deleted', deleted),
      'requests.rest': writes(rest).length / restSeconds,
      'requests.restart': writes(restart).filter((one) => !isLease(one)).length,
      'requests.restart.leases': writes(restart).filter(isLease).length,
      ...listed('created', created),
      ...listed('deleted', deleted),
      ...listed('rest', writes(rest)),
      ...listed('restart', writes(restart)),
    };
  },
};

/** Everything the product asked for meanwhile, and for a while after. */
async function during(
  world: BenchWorld,
  seconds: number,
  work: () => Promise<unknown>,
): Promise<readonly AuditedRequest[]> {
  world.takeRequests();
  await work();
  await pause(seconds * 1000);
  return world.takeRequests();
}

async function restartEverything({ processes }: BenchWorld): Promise<void> {
  for (const process of processes) await process.restart();
  await pause(settleSeconds * 1000);
}

function perPod(id: string, all: readonly AuditedRequest[]): Sample {
  return { [id]: all.length / count, [`${id}.writes`]: writes(all).length / count };
}

function writes(all: readonly AuditedRequest[]): AuditedRequest[] {
  return all.filter(({ verb }) => !reading.has(verb));
}

function isLease({ resource }: AuditedRequest): boolean {
  return resource.startsWith('leases.');
}

/** How often each verb of each resource was asked for, by whom, with what answer: for the results. */
function listed(when: string, all: readonly AuditedRequest[]): Sample {
  const counts: Record<string, number> = {};
  for (const { user, verb, resource, code } of all) {
    const who = user.replace('system:serviceaccount:', '');
    const what = `list.${when}.${who} ${verb} ${resource}${code >= 400 ? ` (${code})` : ''}`;
    counts[what] = (counts[what] ?? 0) + 1;
  }
  return counts;
}
