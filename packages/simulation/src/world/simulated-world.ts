import type { Pod, Stored } from '@liqo/kube';
import { VirtualClock } from '@liqo/testkit';
import {
  type ApiCall,
  type CrashPoint,
  firstOf,
  ofCaller,
  type RefusalPoint,
} from '@liqo/testkit/faults';
import type { Blueprint } from './blueprint.ts';
import { Frenzy } from './frenzy.ts';
import { type KubeletFlags, superviseKubelets } from './kubelet-supervisor.ts';
import { controllerManager, virtualKubelet, webhook } from './programs.ts';
import { SimulatedCluster } from './simulated-cluster.ts';
import { type Program, SimulatedProcess } from './simulated-process.ts';

export interface SimulatedWorldOptions {
  readonly seed: number;
  /** What its clusters begin with. */
  readonly blueprint: Blueprint;
}

export interface SettleOptions {
  /** So long nothing may change. Whatever waits for another try in the product waits half a minute at most. */
  readonly quietMs?: number;
  /** By then it has to be quiet. */
  readonly limitMs?: number;
}

const quietMs = 40_000;
const lookEveryMs = 5_000;
const limitMs = 1_200_000;
/** Often enough for no machine to be given up, and no more: it is most of what happens in a world at rest. */
const beatEveryMs = 30_000;
/** How long a container that ended takes to run again. */
const restartMs = 1_000;

/** Clusters and the processes of the product in them, on one clock and one seed: the same seed, the same history. */
export async function startSimulatedWorld(options: SimulatedWorldOptions): Promise<SimulatedWorld> {
  const { seed, blueprint } = options;
  const clock = new VirtualClock({ settleTurns: 1 });
  const clusters: SimulatedCluster[] = [];
  const calls: ApiCall[] = [];
  const frenzy = new Frenzy(clock);
  const onCall = (call: ApiCall) => {
    calls.push(call);
    frenzy.note(call);
  };
  for (const [name, from] of blueprint.clusters) {
    const number = seed * 16 + clusters.length;
    const cluster = await SimulatedCluster.start({ name, clock, seed: number, from, onCall });
    const podCidr = `10.${128 + clusters.length}.0.0/24`;
    await cluster.cluster.startNode({ name: `${name}-1`, podCidr, beatEveryMs });
    clusters.push(cluster);
  }
  const world = new SimulatedWorld({ clock, clusters, calls, frenzy, seed, blueprint });
  await clock.settle();
  return world;
}

interface WorldParts {
  readonly clock: VirtualClock;
  readonly clusters: readonly SimulatedCluster[];
  readonly calls: readonly ApiCall[];
  readonly frenzy: Frenzy;
  readonly seed: number;
  readonly blueprint: Blueprint;
}

export class SimulatedWorld implements AsyncDisposable {
  readonly clock: VirtualClock;
  readonly clusters: ReadonlyMap<string, SimulatedCluster>;
  /** What the processes asked for, in order, in whichever cluster. */
  readonly calls: readonly ApiCall[];
  readonly frenzy: Frenzy;
  readonly #processes = new Map<string, SimulatedProcess>();
  readonly #seed: number;
  readonly #supervisor: AsyncDisposable | undefined;

  /** The processes begin at once. */
  constructor({ clock, clusters, calls, frenzy, seed, blueprint }: WorldParts) {
    this.clock = clock;
    this.clusters = new Map(clusters.map((cluster) => [cluster.name, cluster]));
    this.calls = calls;
    this.frenzy = frenzy;
    this.#seed = seed;
    for (const home of clusters) {
      this.#startControllers(home);
      if (blueprint.hasWebhooks) this.#startWebhook(home);
    }
    const [home] = clusters;
    this.#supervisor = home && this.#supervise(home);
  }

  /**
   * By name: `rome/controller-manager`, `rome/webhook` where there are webhooks, `rome/virtual-kubelet(mynode)`, `rome/virtual-kubelet(mynode)#2` for a second replica.
   * Virtual kubelets come and go with their pods.
   */
  get processes(): ReadonlyMap<string, SimulatedProcess> {
    return this.#processes;
  }

  cluster(name: string): SimulatedCluster {
    const cluster = this.clusters.get(name);
    if (!cluster) throw new Error(`Cannot find the cluster "${name}": this world has none`);
    return cluster;
  }

  /** How many changes anybody has asked for, in all clusters; signs of life and events do not count. */
  get written(): number {
    return [...this.clusters.values()].reduce((sum, { journal }) => sum + journal.asked, 0);
  }

  /** What processes may not do and asked for, one line each. */
  get denials(): readonly string[] {
    const all = [...this.clusters.values()].flatMap(({ name, denials }) =>
      denials.map(({ message }) => `at ${name}: ${message}`),
    );
    return [...new Set(all)];
  }

  callsOf(process: string): readonly ApiCall[] {
    return this.calls.filter(({ who }) => who === process);
  }

  /** Lets a process die at a point, and live again a second later, with an empty memory. */
  crash(process: string, point: CrashPoint): void {
    const dying = ofCaller(process, point.plan);
    const plans = [...this.clusters.values()].map(({ faults }) => ({ faults, plan: faults.plan }));
    for (const { faults, plan } of plans) faults.plan = firstOf(dying, plan);
    void point.happened.then(() => {
      for (const { faults, plan } of plans) faults.plan = plan;
      this.#restart(process);
    });
  }

  /** Lets one call of a process be refused, in whichever cluster. */
  refuse(process: string, point: RefusalPoint): void {
    for (const { faults } of this.clusters.values()) {
      faults.plan = firstOf(ofCaller(process, point.plan), faults.plan);
    }
  }

  pass(ms: number): Promise<void> {
    return this.clock.advance(ms);
  }

  /** Lets as much time pass as it takes until somebody has an answer: a server may wait before it gives one. */
  async answer<T>(asked: Promise<T>): Promise<T> {
    const hasAnswer = asked.then(
      () => true,
      () => true,
    );
    const isIdle = () => this.clock.settle().then(() => false);
    while (!(await Promise.race([hasAnswer, isIdle()]))) await this.#passToNextTimer();
    return asked;
  }

  /** Lets time pass until the condition holds, in steps of a fraction of a second. */
  async until(what: string, condition: () => Promise<boolean>, stepMs = 250): Promise<void> {
    const endMs = this.clock.monotonicMs() + limitMs;
    await this.clock.settle();
    while (!(await condition())) {
      if (this.clock.monotonicMs() >= endMs) throw new Error(`Cannot go on: never ${what}`);
      await this.clock.advance(stepMs);
    }
  }

  /** Lets time pass until nothing changes any more: queues and watches are empty, and nothing waits for another try. */
  async settle(options: SettleOptions = {}): Promise<void> {
    const wanted = { quietMs, limitMs, ...options };
    const startedMs = this.clock.monotonicMs();
    let quietForMs = 0;
    while (quietForMs < wanted.quietMs) {
      if (this.clock.monotonicMs() - startedMs >= wanted.limitMs) {
        throw new Error(this.#restless(wanted.limitMs));
      }
      const { written } = this;
      await this.clock.advance(lookEveryMs);
      quietForMs = this.written === written ? quietForMs + lookEveryMs : 0;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const process of this.#processes.values()) process.kill();
    await this.#supervisor?.[Symbol.asyncDispose]();
    for (const cluster of this.clusters.values()) await cluster[Symbol.asyncDispose]();
  }

  async #passToNextTimer(): Promise<void> {
    const { nextTimerMs } = this.clock;
    if (nextTimerMs === undefined) throw new Error('Cannot go on: nothing will ever happen again');
    await this.clock.advance(nextTimerMs);
  }

  #restart(name: string): void {
    const process = this.#processes.get(name);
    process?.kill();
    this.clock.after(restartMs, () => {
      if (process && this.#processes.get(name) === process) process.start();
    });
  }

  #supervise(home: SimulatedCluster): AsyncDisposable {
    return superviseKubelets({
      home,
      clock: this.clock,
      create: (pod, flags) => this.#createKubelet(home, pod, flags),
      forget: (process) => this.#processes.delete(process.name),
    });
  }

  #startControllers(home: SimulatedCluster): void {
    const name = `${home.name}/controller-manager`;
    this.#create(name, name, controllerManager(this.#site(name, home))).start();
  }

  #startWebhook(home: SimulatedCluster): void {
    const name = `${home.name}/webhook`;
    this.#create(name, name, webhook(this.#site(name, home))).start();
  }

  #createKubelet(home: SimulatedCluster, pod: Stored<Pod>, flags: KubeletFlags): SimulatedProcess {
    const name = this.#nameFor(`${home.name}/virtual-kubelet(${flags.nodeName})`);
    return this.#create(name, pod.metadata.name, virtualKubelet(this.#site(name, home), flags));
  }

  #create(name: string, identity: string, program: Program): SimulatedProcess {
    const { clock } = this;
    const process = new SimulatedProcess({ name, identity, clock, seed: this.#seed, program });
    this.#processes.set(name, process);
    return process;
  }

  #site(process: string, home: SimulatedCluster) {
    return { process, home, clusterOf: (peer: string) => this.clusters.get(peer) };
  }

  #nameFor(name: string): string {
    for (let number = 1; ; number++) {
      const candidate = number === 1 ? name : `${name}#${number}`;
      if (!this.#processes.has(candidate)) return candidate;
    }
  }

  #restless(ms: number): string {
    const last = [...this.clusters.values()].flatMap(({ name, faults }) =>
      faults.calls
        .filter(({ method }) => method !== 'GET')
        .slice(-5)
        .map((call) => `${call.who} ${call.verb} ${call.resource} ${call.name ?? ''} at ${name}`),
    );
    return `Cannot settle: still changing after ${ms / 1000} s, at last ${last.join('; ')}`;
  }
}
