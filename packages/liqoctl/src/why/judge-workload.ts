import { type Break, broken, type Link, type Workload } from './chain.ts';

export function workloadLink(workload: Workload): Link {
  return { link: 'workload', object: workload.object, problem: judgeWorkload(workload) };
}

/** A webhook that does not answer is the cause of a refusal, and not the refusal. */
function judgeWorkload({ wantedPods, pods, refusal, command }: Workload): Break | undefined {
  if (pods >= wantedPods) return undefined;
  const count = `it has ${pods} of ${wantedPods} pods`;
  return refusal === undefined
    ? broken('TooFewPods', count, command, { mayFollow: true })
    : broken('FailedCreate', `${count}: ${refusal}`, command, { mayFollow: true });
}
