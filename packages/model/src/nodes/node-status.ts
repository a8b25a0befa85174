import type { VirtualNode } from '@liqo/api';
import {
  deepEqual,
  formatQuantity,
  fractionalCounts,
  isZeroQuantity,
  type Node,
  oneLine,
  ownMember,
  parseQuantity,
  parseTime,
  type Stored,
  setCondition,
} from '@liqo/kube';
import type { ProviderTrouble } from './provider-trouble.ts';

type NodeStatus = NonNullable<Node['status']>;
type Condition = NonNullable<NodeStatus['conditions']>[number];

/** What the virtual kubelet knows about the node it plays. */
export interface NodeFacts {
  readonly address: string;
  readonly kubeletPort: number;
  /** Of the API server here. */
  readonly version: string;
  /** Undefined while the provider can be relied on; else why not. */
  readonly trouble: ProviderTrouble | undefined;
  /** Undefined while the network to the provider works or does not matter; else why not. */
  readonly whyNoNetwork: string | undefined;
  readonly now: string;
}

/** A kubelet that has nothing new to say says so this often. */
const heartbeatMs = 300_000;

/** What the Node says of itself, or nothing if it says that already and has said so lately. */
export function nodeStatus(
  virtualNode: Stored<VirtualNode>,
  facts: NodeFacts,
  current: NodeStatus | undefined,
): NodeStatus | undefined {
  const { images, resourceQuota } = virtualNode.spec;
  const { whole: hard, fractions } = splitResources(resourceQuota?.hard ?? {});
  const info = nodeInfo(facts.version, current?.nodeInfo);
  const status: NodeStatus = {
    ...current,
    capacity: hard,
    allocatable: hard,
    addresses: [{ type: 'InternalIP', address: facts.address }],
    daemonEndpoints: { kubeletEndpoint: { Port: facts.kubeletPort } },
    nodeInfo: info,
    images: (images ?? []).map((image) => ({ ...image, names: [...(image.names ?? [])] })),
    conditions: wantedConditions({ hard, fractions }, facts, current?.conditions),
  };
  const isNews = !deepEqual(withoutEmpty(status), withoutEmpty(current ?? {}));
  return isNews || isSilent(current, facts.now) ? heartbeat(status, facts.now) : undefined;
}

interface NodeResources {
  readonly hard: Readonly<Record<string, string>>;
  /** Counted resources that are not whole numbers: the API server refuses a Node with such a capacity. */
  readonly fractions: readonly string[];
}

function wantedConditions(
  { hard, fractions }: NodeResources,
  facts: NodeFacts,
  current: Condition[] | undefined,
): Condition[] {
  const { now, whyNoNetwork } = facts;
  const hasResources = isPositive(hard.cpu) && isPositive(hard.memory);
  const wanted = [
    readiness(resourceProblem(hasResources, fractions), facts),
    ...pressures(hasResources),
    {
      type: 'NetworkUnavailable',
      status: whyNoNetwork === undefined ? 'False' : 'True',
      reason: whyNoNetwork === undefined ? 'LiqoNetworkingUp' : 'LiqoNetworkingDown',
      message: whyNoNetwork ?? 'Nothing stands between the pods here and over there',
    },
  ];
  return wanted.reduce<Condition[]>(
    (conditions, condition) => setCondition(conditions, condition, now),
    current ?? [],
  );
}

function resourceProblem(
  hasResources: boolean,
  fractions: readonly string[],
): ProviderTrouble | undefined {
  if (!hasResources) {
    return { reason: 'KubeletNotReady', message: 'the virtual node has no cpu or no memory' };
  }
  if (fractions.length === 0) return undefined;
  const message = `counted resources must be whole numbers; correct spec.resourceQuota.hard of the VirtualNode: ${fractions.join(', ')}`;
  return { reason: 'InvalidResources', message };
}

function readiness(
  invalidResources: ProviderTrouble | undefined,
  { trouble, whyNoNetwork }: NodeFacts,
) {
  const noNetwork = whyNoNetwork && {
    reason: 'KubeletNotReady',
    message: `there is no network to the provider: ${whyNoNetwork}`,
  };
  const problem = invalidResources ?? trouble ?? (noNetwork || undefined);
  return problem === undefined
    ? {
        type: 'Ready',
        status: 'True',
        reason: 'KubeletReady',
        message: 'The Liqo Virtual Kubelet is posting ready status',
      }
    : {
        type: 'Ready',
        status: 'False',
        reason: problem.reason,
        message: oneLine(`The Liqo Virtual Kubelet is not ready: ${problem.message}`),
      };
}

function pressures(hasResources: boolean) {
  const status = hasResources ? 'False' : 'True';
  const message = hasResources
    ? 'The remote cluster is advertising sufficient resources'
    : 'The remote cluster is advertising no or insufficient resources';
  const reason = (good: string, bad: string) => `RemoteCluster${hasResources ? good : bad}`;
  return [
    ['MemoryPressure', reason('HasSufficientMemory', 'HasMemoryPressure')],
    ['DiskPressure', reason('HasNoDiskPressure', 'HasDiskPressure')],
    ['PIDPressure', reason('HasNoPIDPressure', 'HasPIDPressure')],
  ].map(([type = '', reason = '']) => ({ type, status, reason, message }));
}

type NodeInfo = NonNullable<NodeStatus['nodeInfo']>;

function nodeInfo(version: string, current: NodeInfo | undefined): NodeInfo {
  return {
    machineID: '',
    systemUUID: '',
    bootID: '',
    kernelVersion: '',
    osImage: '',
    containerRuntimeVersion: '',
    kubeProxyVersion: '',
    ...current,
    kubeletVersion: version,
    operatingSystem: 'linux',
    architecture: 'amd64',
  };
}

function heartbeat(status: NodeStatus, now: string): NodeStatus {
  const conditions = (status.conditions ?? []).map((condition) => ({
    ...condition,
    lastHeartbeatTime: now,
  }));
  return { ...status, conditions };
}

function isSilent(current: NodeStatus | undefined, now: string): boolean {
  const last = current?.conditions?.find(({ type }) => type === 'Ready')?.lastHeartbeatTime;
  return last === undefined || parseTime(now) - parseTime(last) >= heartbeatMs;
}

function splitResources(resources: Readonly<Record<string, string | number>>) {
  const fractional = fractionalCounts(resources);
  const whole = Object.entries(resources).filter(([name]) => !fractional.includes(name));
  return {
    whole: asQuantities(Object.fromEntries(whole)),
    fractions: fractional.map((name) => `${name} (${ownMember(resources, name)})`),
  };
}

/** As a server spells them: otherwise what it shows would never be what is wanted. */
function asQuantities(resources: Readonly<Record<string, string | number>>) {
  return Object.fromEntries(
    Object.entries(resources).map(([name, quantity]) => [
      name,
      formatQuantity(parseQuantity(String(quantity))),
    ]),
  );
}

function isPositive(quantity: string | undefined): boolean {
  if (quantity === undefined) return false;
  const parsed = parseQuantity(quantity);
  return !isZeroQuantity(parsed);
}

/** A server leaves out what is empty. */
function withoutEmpty(status: NodeStatus): object {
  const isEmpty = (value: unknown) => Array.isArray(value) && value.length === 0;
  return Object.fromEntries(Object.entries(status).filter(([, value]) => !isEmpty(value)));
}
