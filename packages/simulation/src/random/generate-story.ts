import { Choice, seededRandom } from '@liqo/testkit';
import {
  deployments,
  home,
  largeCast,
  namespaces,
  singles,
  smallCast,
  virtualNodes,
} from './names.ts';
import type {
  Belonging,
  Container,
  Deletion,
  DenialStatus,
  Fault,
  Step,
  Storm,
  Stranger,
  UserStep,
  Work,
} from './step.ts';

export interface Story {
  readonly seed: number;
  /** The first one is the consumer of all others. */
  readonly clusters: readonly string[];
  readonly steps: readonly Step[];
}

/** The story of a seed: a beginning in which something runs, chapters of what people and fate do, and an end. */
export function generateStory(seed: number): Story {
  const choice = new Choice(seededRandom(seed));
  const clusters = choice.chance(0.25) ? largeCast : smallCast;
  const chapters = choice.between(1, 2);
  const steps = [...beginning(choice, clusters)];
  for (let i = 0; i < chapters; i++) steps.push(...chapter(choice, clusters), { type: 'calm' });
  if (choice.chance(0.5))
    steps.push({ type: 'take-down', order: shuffled(choice) }, { type: 'calm' });
  return { seed, clusters, steps };
}

/** Mostly a node, a namespace and something that runs; the rest may come at any time later. */
function beginning(choice: Choice, clusters: readonly string[]): Step[] {
  const [node, other] = virtualNodes;
  const [namespace] = namespaces;
  const first: Step[] = [
    { type: 'create-virtual-node', node },
    { type: 'offload', namespace, ...offloading(choice) },
    deploy(choice, namespace),
  ];
  if (clusters === largeCast) first.push({ type: 'create-virtual-node', node: other });
  if (choice.chance(0.5)) first.push(runSomething(choice, namespace));
  const order = choice.chance(0.3) ? first.toReversed() : first;
  return choice.chance(0.8) ? order : order.slice(0, 2);
}

function chapter(choice: Choice, clusters: readonly string[]): Step[] {
  const steps: Step[] = [];
  const length = choice.between(2, 6);
  const isCalm = choice.chance(0.2);
  for (let i = 0; i < length; i++) {
    steps.push(!isCalm && choice.chance(0.45) ? fault(choice, clusters) : userStep(choice));
    if (choice.chance(0.6)) steps.push({ type: 'pass', ms: choice.weighted(pauses) });
  }
  return steps;
}

/** Time passes at a price. */
const pauses = [
  [4, 1],
  [4, 50],
  [4, 500],
  [8, 1_000],
  [8, 5_000],
  [4, 15_000],
  [3, 30_000],
  [2, 60_000],
  [1, 120_000],
  [0.3, 600_000],
] as const;

function offloading(choice: Choice) {
  return {
    naming: choice.weighted([
      [4, 'DefaultName'],
      [1, 'EnforceSameName'],
      [1, 'SelectedName'],
    ] as const),
    pods: choice.weighted([
      [1, 'Local'],
      [3, 'Remote'],
      [3, 'LocalAndRemote'],
    ] as const),
  };
}

function deploy(choice: Choice, namespace: string): UserStep {
  const where = choice.chance(0.8) ? 'away' : 'anywhere';
  const replicas = choice.between(1, 3);
  const name = choice.pick(deployments);
  return { type: 'deploy', namespace, name, replicas, where, sidecar: choice.chance(0.2) };
}

function runSomething(choice: Choice, namespace: string): UserStep {
  const isPod = choice.chance(0.5);
  const work = choice.pick<Work>(['forever', 'succeeds', 'succeeds', 'fails']);
  const name = choice.pick(singles);
  if (!isPod) return { type: 'run-job', namespace, name, work };
  return { type: 'run-pod', namespace, name, work, sidecar: choice.chance(0.3) };
}

function userStep(choice: Choice): UserStep {
  const node = choice.weighted([
    [4, virtualNodes[0]],
    [1, virtualNodes[1]],
  ]);
  const namespace = choice.weighted([
    [4, namespaces[0]],
    [1, namespaces[1]],
  ]);
  const name = choice.pick(deployments);
  const how = choice.pick<Deletion>(['graceful', 'forced']);
  const pick = choice.between(0, 5);
  const make = choice.weighted<() => UserStep>([
    [3, () => ({ type: 'create-virtual-node', node })],
    [2, () => ({ type: 'delete-virtual-node', node })],
    [1, () => ({ type: 'label-virtual-node', node, value: `l${pick}` })],
    [1, () => ({ type: 'taint-virtual-node', node, value: `t${pick}` })],
    [1, () => ({ type: 'resize-virtual-node', node, cpu: choice.pick(['0', '1', '8']) })],
    [4, () => ({ type: 'offload', namespace, ...offloading(choice) })],
    [2, () => ({ type: 'unoffload', namespace })],
    [1, () => ({ type: 'delete-namespace', namespace })],
    [4, () => deploy(choice, namespace)],
    [3, () => ({ type: 'scale', namespace, name, replicas: choice.between(0, 4) })],
    [3, () => ({ type: 'update', namespace, name, version: pick })],
    [1, () => ({ type: 'undeploy', namespace, name })],
    [4, () => runSomething(choice, namespace)],
    [1, () => ({ type: 'delete-job', namespace, name: choice.pick(singles) })],
    [5, () => ({ type: 'delete-pod', pick, how })],
    [1, () => ({ type: 'drain', node })],
    [1, () => ({ type: 'cordon', node, on: choice.chance(0.5) })],
    [3, () => ({ type: 'delete-remote-pod', pick, how })],
    [3, () => ({ type: 'delete-shadow-pod', pick })],
    [1, () => ({ type: 'delete-remote-namespace', pick })],
    [2, () => ({ type: 'set-create-node', node, on: choice.chance(0.4) })],
    [1, () => ({ type: 'set-api-server-support', on: choice.chance(0.7) })],
    [3, () => ({ type: 'resize-pod', pick, container: container(choice), cpu: cpu(choice) })],
    [2, () => ({ type: 'put-stranger', stranger: choice.pick(strangers) })],
  ]);
  return make();
}

function container(choice: Choice): Container {
  return choice.chance(0.4) ? 'side' : 'main';
}

function cpu(choice: Choice): string {
  return choice.pick(['5m', '20m', '30m']);
}

const strangers: readonly Stranger[] = [
  'remote namespace',
  'remote pod',
  'remote shadow pod',
  'remote root certificate',
  'virtual kubelet',
  'node',
];

function fault(choice: Choice, clusters: readonly string[]): Fault {
  const cluster = choice.pick(clusters);
  const process = choice.pick(processesOf(clusters));
  const [node] = virtualNodes;
  const make = choice.weighted<() => Fault>([
    [5, () => ({ type: 'kill', process, forMs: choice.pick([0, 1_000, 30_000, 120_000]) })],
    [2, () => ({ type: 'restart', process })],
    [3, () => ({ type: 'cut-link', how: choice.pick(['refused', 'silent', 'answers lost']) })],
    [2, () => ({ type: 'heal-link' })],
    [4, () => ({ type: 'storm', cluster, what: choice.pick(storms), ofTen: choice.between(2, 9) })],
    [2, () => ({ type: 'slow-calls', cluster, ms: choice.pick([20, 700, 3_000]) })],
    [2, () => ({ type: 'stale-watches', cluster, ms: choice.pick([500, 4_000, 20_000]) })],
    [1, () => ({ type: 'forget-history', cluster })],
    [1, () => ({ type: 'lose-machine' })],
    [1, () => ({ type: 'spoil-kubeconfig', node })],
    [2, () => ({ type: 'delete-kubeconfig', node })],
    [4, () => denial(choice, clusters)],
    [1, () => ({ type: 'end-denials' })],
    [1, () => ({ type: 'second-kubelet', node })],
  ]);
  return make();
}

/**
 * A process is denied everything by its own cluster or, if it is of the consumer, by a provider. Providers never answer 403
 * to the control plane of a consumer: that says that they have withdrawn its tenancy, and the consumer lets its objects go.
 */
function denial(choice: Choice, clusters: readonly string[]): Fault {
  const process = choice.pick(processesOf(clusters));
  const [own = home] = process.split('/');
  const cluster = own === home ? choice.pick(clusters) : own;
  const isPeer = cluster !== own && process.endsWith('/controller-manager');
  const status = isPeer ? 401 : choice.pick<DenialStatus>([401, 403]);
  return { type: 'deny', process, cluster, status };
}

/** As many virtual kubelets as others. */
function processesOf(clusters: readonly string[]): readonly string[] {
  const managers = clusters.map((name) => `${name}/controller-manager`);
  const nodes = clusters === largeCast ? virtualNodes : [virtualNodes[0], virtualNodes[0]];
  return [...managers, ...nodes.map((node) => `${home}/virtual-kubelet(${node})`)];
}

const storms: readonly Storm[] = [
  'conflicts',
  'too many requests',
  'failures after the effect',
  'failures',
  'expired',
];

function shuffled(choice: Choice): readonly Belonging[] {
  const left: Belonging[] = ['workloads', 'offloadings', 'virtual nodes', 'namespaces'];
  const order: Belonging[] = [];
  while (left.length > 0) order.push(...left.splice(choice.between(0, left.length - 1), 1));
  return order;
}
