import { findCondition } from '@liqo/kube';
import { judgeCluster } from '../install/judge-cluster.ts';
import type { FoundCluster } from '../install/read-cluster.ts';
import { type Break, broken, type ChainFacts } from '../why/chain.ts';
import { diagnose } from '../why/diagnose.ts';
import type { Subject } from '../why/subject.ts';

/** One thing that was examined. */
export interface Finding {
  /** `Kubernetes v1.35.0`, `VirtualNode mypool`. */
  readonly what: string;
  /** Undefined if it is in order. */
  readonly problem?: Break | undefined;
}

export interface Examined {
  readonly subject: Subject & { readonly namespace?: string | undefined };
  readonly facts: ChainFacts;
}

/** What can be said of a cluster before Liqo is installed. */
export function examineCluster(found: FoundCluster): readonly Finding[] {
  const { gitVersion, clusterID, provider, nodes } = found;
  // Whoever looks after an installation need not be allowed to make one.
  const missingRights = clusterID === undefined ? found.missingRights : [];
  const refusal = judgeCluster({ ...found, isOfHelm: false, missingRights }, undefined);
  const ready = nodes.filter(
    ({ status }) => findCondition(status?.conditions, 'Ready')?.status === 'True',
  );
  const what = `Kubernetes ${gitVersion}${provider ? `, ${provider}` : ''}`;
  return [
    {
      what,
      ...(refusal && {
        problem: broken('NotUsable', refusal.why, 'kubectl auth whoami && kubectl version'),
      }),
    },
    {
      what: `${ready.length} of ${nodes.length} nodes of its own are Ready`,
      ...(nodes.length > 0 &&
        ready.length === 0 && {
          problem: broken('NoNode', 'no node can run the controllers', 'kubectl get nodes'),
        }),
    },
    {
      what: clusterID === undefined ? 'Liqo' : `Liqo, as the cluster "${clusterID}"`,
      ...(clusterID === undefined && {
        problem: broken('NotInstalled', 'it is not installed', 'liqoctl install --cluster-id ID'),
      }),
    },
  ];
}

/** What can be said of an installation: each object once, and each cause with the first object that suffers from it. */
export function examineInstallation(
  { unattended }: Pick<ChainFacts, 'unattended'>,
  objects: readonly Examined[],
): readonly Finding[] {
  const known = new Set<string>();
  const findings = objects.map(({ subject, facts }): Finding => {
    const what = `${subject.kind}/${subject.name}`;
    const { cause } = diagnose(facts);
    if (!cause?.problem) return { what };
    const { reason, evidence } = cause.problem;
    const key = `${cause.object} ${reason}`;
    const isKnown = known.has(key);
    known.add(key);
    const words = isKnown ? `for the same reason: ${cause.object}` : `${cause.object}: ${evidence}`;
    return { what, problem: { ...cause.problem, evidence: words } };
  });
  const controllers = { what: 'Controllers' };
  const problem =
    unattended && broken('ControllersNotRunning', unattended.why, 'kubectl describe pods -n liqo');
  return [{ ...controllers, ...(problem && { problem }) }, ...findings];
}
