import type { VirtualNode } from '@liqo/api';
import {
  type Deployment,
  findCondition,
  type NewCondition,
  type Node,
  oneLine,
  setCondition,
} from '@liqo/kube';
import type { TeardownStep } from './teardown.ts';

type Conditions = NonNullable<NonNullable<VirtualNode['status']>['conditions']>;
type Condition = Conditions[number];

/** What there is of a virtual node, as far as its conditions speak of it. */
export interface VirtualNodeFacts {
  readonly createNode: boolean;
  readonly node: Node | undefined;
  readonly kubelet: Deployment | undefined;
  /** What stands in the way of the virtual kubelet. */
  readonly obstacle?: { readonly reason: string; readonly message: string };
  /** Why its Node takes no new pods. */
  readonly whyCordoned?: string;
  /** While it is taken down. */
  readonly teardown?: { readonly step: TeardownStep; readonly message: string };
  readonly now: string;
}

/** What a VirtualNode says of itself: one condition for the Node and one for the virtual kubelet, each with its why. */
export function virtualNodeConditions(
  virtualNode: VirtualNode,
  facts: VirtualNodeFacts,
): Conditions {
  const before = oneOfEach(virtualNode.status?.conditions ?? []);
  const wanted: NewCondition<Condition>[] = facts.teardown
    ? goingConditions(facts.teardown, before, facts)
    : [nodeCondition(facts), kubeletCondition(facts)];
  return wanted.reduce<Conditions>(
    (conditions, condition) => setCondition(conditions, condition, facts.now),
    before,
  );
}

function nodeCondition(facts: VirtualNodeFacts): NewCondition<Condition> {
  const { createNode, node, obstacle, whyCordoned } = facts;
  if (!createNode) {
    return {
      type: 'Node',
      status: 'None',
      reason: 'NotWanted',
      message: 'spec.createNode is false',
    };
  }
  if (obstacle?.reason === 'NameTaken') return { type: 'Node', status: 'None', ...whyOf(obstacle) };
  if (!node) {
    const message = 'Waiting for the virtual kubelet to make the Node';
    return { type: 'Node', status: 'Creating', reason: 'NoNode', message };
  }
  const ready = findCondition(node.status?.conditions, 'Ready');
  if (ready?.status === 'True') {
    const why = whyCordoned && { reason: 'Cordoned', message: oneLine(whyCordoned) };
    return { type: 'Node', status: 'Running', ...why };
  }
  const message = ready?.message ?? 'The Node has not said how it is';
  return { type: 'Node', status: 'Creating', reason: ready?.reason ?? 'NoStatus', message };
}

function whyOf({ reason, message }: NonNullable<VirtualNodeFacts['obstacle']>) {
  return { reason, message: oneLine(message) };
}

function kubeletCondition({ kubelet, obstacle }: VirtualNodeFacts): NewCondition<Condition> {
  if (obstacle) return { type: 'VirtualKubelet', status: 'Creating', ...whyOf(obstacle) };
  if ((kubelet?.status?.availableReplicas ?? 0) > 0) {
    return { type: 'VirtualKubelet', status: 'Running' };
  }
  const message = 'Waiting for a pod of the virtual kubelet to be ready';
  return { type: 'VirtualKubelet', status: 'Creating', reason: 'NotAvailable', message };
}

function goingConditions(
  { step, message }: NonNullable<VirtualNodeFacts['teardown']>,
  before: Conditions,
  { node, kubelet }: VirtualNodeFacts,
): NewCondition<Condition>[] {
  const isDraining = drainingSteps.includes(step);
  const kubeletBefore = findCondition(before, 'VirtualKubelet');
  const nodeStatus = !node ? 'None' : isDraining ? 'Draining' : 'Deleting';
  const isGoing = step === 'delete-kubelet' || step === 'finish';
  const kubeletStatus = !kubelet
    ? 'None'
    : isGoing
      ? 'Deleting'
      : (kubeletBefore?.status ?? 'None');
  return [
    { type: 'Node', status: nodeStatus, reason: 'Terminating', message },
    {
      type: 'VirtualKubelet',
      status: kubeletStatus,
      ...(isGoing && { reason: 'Terminating', message }),
    },
  ];
}

const drainingSteps: readonly TeardownStep[] = ['cordon', 'restore-kubelet', 'evict', 'release'];

/** Other implementations leave several of a type; the first is the one that counts. */
function oneOfEach(conditions: Conditions): Conditions {
  const seen = new Set<string>();
  return conditions.filter(({ type }) => !seen.has(type) && seen.add(type));
}
