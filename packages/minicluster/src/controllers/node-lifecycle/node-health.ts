import {
  findCondition,
  formatTime,
  type Lease,
  type Node,
  parseTime,
  type Stored,
} from '@liqo/kube';
import type { NodeCondition } from 'kubernetes-types/core/v1.d.ts';

/** How long a node may be silent once it has posted a status, and how long before its first one. */
const monitorGraceMs = 50_000;
const startupGraceMs = 60_000;

/** When a node was last heard of, by the clock of the controller: those of the nodes may be wrong. */
export interface NodeHealth {
  readonly heardMs: number;
  readonly heartbeat: string | undefined;
  readonly renewal: string | undefined;
}

/** A new heartbeat in the status or a new renewal of the lease is a sign of life. */
export function observeNode(
  node: Stored<Node>,
  lease: Lease | undefined,
  known: NodeHealth | undefined,
  nowMs: number,
): NodeHealth {
  const ready = findCondition(node.status?.conditions, 'Ready');
  const heartbeat = ready ? (ready.lastHeartbeatTime ?? '') : undefined;
  const renewal = lease?.spec?.renewTime;
  if (!known && !ready && renewal === undefined) {
    return { heardMs: parseTime(node.metadata.creationTimestamp), heartbeat, renewal };
  }
  const isAlive = !known || known.heartbeat !== heartbeat || isLater(renewal, known.renewal);
  return { heardMs: isAlive ? nowMs : known.heardMs, heartbeat, renewal };
}

function isLater(renewal: string | undefined, known: string | undefined): boolean {
  if (renewal === undefined) return false;
  return known === undefined || parseTime(renewal) > parseTime(known);
}

export function isSilent(node: Node, health: NodeHealth, nowMs: number): boolean {
  const hasPosted = findCondition(node.status?.conditions, 'Ready') !== undefined;
  return nowMs > health.heardMs + (hasPosted ? monitorGraceMs : startupGraceMs);
}

const reportedConditions = ['Ready', 'MemoryPressure', 'DiskPressure', 'PIDPressure'];

/** What is known of a node that says nothing. Undefined if that is written there already. */
export function planSilentConditions(
  node: Stored<Node>,
  nowMs: number,
): NodeCondition[] | undefined {
  const ready = findCondition(node.status?.conditions, 'Ready');
  if (ready?.status === 'Unknown') return undefined;
  const now = formatTime(nowMs);
  const present = node.status?.conditions ?? [];
  const updated = present.map((condition) =>
    reportedConditions.includes(condition.type) && condition.status !== 'Unknown'
      ? { ...condition, ...stopped, lastTransitionTime: now }
      : condition,
  );
  const missing = reportedConditions.filter((type) => !findCondition(present, type));
  const never = { ...neverPosted, lastHeartbeatTime: node.metadata.creationTimestamp };
  return [...updated, ...missing.map((type) => ({ type, ...never, lastTransitionTime: now }))];
}

const stopped = {
  status: 'Unknown',
  reason: 'NodeStatusUnknown',
  message: 'Kubelet stopped posting node status.',
};

const neverPosted = {
  status: 'Unknown',
  reason: 'NodeStatusNeverUpdated',
  message: 'Kubelet never posted node status.',
};
