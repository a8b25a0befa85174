import { annotations, virtualNodeTaint } from '@liqo/api';
import { findCondition, type Pod, type Stored } from '@liqo/kube';
import { type Break, broken, type Link, type Route } from './chain.ts';
import { tolerates } from './tolerates.ts';

/** The Node of a virtual node. A cordon and taints only matter to pods that are not bound to it yet. */
export function judgeNode(route: Route, pod: Stored<Pod> | undefined): Link {
  const { virtualNode } = route;
  const { name } = virtualNode.metadata;
  return {
    link: 'node',
    object: `Node "${name}"`,
    problem:
      virtualNode.spec.createNode === false
        ? undefined
        : (judgeReadiness(route) ?? (pod?.spec?.nodeName ? undefined : judgeAdmission(route, pod))),
  };
}

function judgeReadiness({ node, virtualNode }: Route): Break | undefined {
  const { name, namespace } = virtualNode.metadata;
  const describe = `kubectl describe virtualnode ${name} -n ${namespace}`;
  if (!node) {
    const evidence = 'there is no Node of that name';
    return broken('NoNode', evidence, describe, { mayFollow: true, isPending: true });
  }
  const ready = findCondition(node.status?.conditions, 'Ready');
  if (ready?.status === 'True') return undefined;
  const { reason = 'NodeNotReady', message = 'it does not report the condition Ready' } =
    ready ?? {};
  return broken(reason, message, describe, { mayFollow: true });
}

/** Why the scheduler binds no pod, or not this one, to a Node that is Ready. */
function judgeAdmission({ node, virtualNode }: Route, pod: Stored<Pod> | undefined) {
  const { name, namespace } = virtualNode.metadata;
  const describe = `kubectl describe virtualnode ${name} -n ${namespace}`;
  if (node?.spec?.unschedulable === true) {
    const why = node.metadata.annotations?.[annotations.cordonReason];
    return why === undefined
      ? broken('NodeCordoned', 'spec.unschedulable is true', `kubectl uncordon ${name}`)
      : broken('NodeCordoned', `the controllers have cordoned it: ${why}`, describe, {
          mayFollow: true,
        });
  }
  const taint = pod && (node?.spec?.taints ?? []).find((one) => isObstacle(one, pod));
  if (!taint) return undefined;
  const { key, value, effect } = taint;
  const spelled = `${key}${value ? `=${value}` : ''}:${effect}`;
  const isOfVirtualNode = virtualNode.spec.taints?.some((one) => one.key === key);
  const command = isOfVirtualNode
    ? `kubectl edit virtualnode ${name} -n ${namespace}`
    : `kubectl taint nodes ${name} ${spelled}-`;
  return broken('TaintNotTolerated', `the pod does not tolerate its taint "${spelled}"`, command);
}

type Taint = Parameters<typeof tolerates>[1];

/** The taint of virtual nodes themselves is a fact about the pod. */
function isObstacle(taint: Taint, { spec }: Stored<Pod>): boolean {
  if (taint.key === virtualNodeTaint.key || taint.effect === 'PreferNoSchedule') return false;
  return !tolerates(spec?.tolerations, taint);
}
