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
  /** The command that comes next, of what is in order. */
  readonly next?: string;
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
  const hasNoNode = nodes.length > 0 && ready.length === 0;
  const cluster = {
    what,
    ...(refusal && { problem: broken('NotUsable', refusal.why, howToSee(missingRights)) }),
  };
  const ownNodes = {
    what: `${ready.length} of ${nodes.length} nodes of its own are Ready`,
    ...(hasNoNode && {
      problem: broken('NoNode', 'no node can run the controllers', 'kubectl get nodes'),
    }),
  };
  if (clusterID !== undefined) {
    return [cluster, ownNodes, { what: `Liqo, as the cluster "${clusterID}"` }];
  }
  // What keeps it from being installed is said already.
  if (refusal || hasNoNode) return [cluster, ownNodes];
  const isReady = { what: 'Liqo is not installed, and can be', next: 'liqoctl install' };
  return [cluster, ownNodes, isReady];
}

function howToSee(missingRights: readonly string[]): string {
  return missingRights.length > 0 ? 'kubectl auth whoami' : 'kubectl version';
}

/** What can be said of an installation: each object once, and each cause with the first object that suffers from it. */
export function examineInstallation(
  { unattended, webhookFault }: Pick<ChainFacts, 'unattended' | 'webhookFault'>,
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
  const controllers: Finding = {
    what: 'Controllers',
    ...(unattended && {
      problem: broken('ControllersNotRunning', unattended.why, unattended.command),
    }),
  };
  const webhooks: Finding = {
    what: 'Webhooks',
    ...(webhookFault && {
      problem: broken(webhookFault.reason, webhookFault.why, webhookFault.command),
    }),
  };
  return [controllers, webhooks, ...findings];
}
