import { virtualKubeletName } from '@liqo/api';
import { ApiError, Deployment, mergePatch, Secret } from '@liqo/kube';
import type { NodeAgent } from '@liqo/minicluster';
import { forgeCredentials } from '../world/forge-credentials.ts';
import type { SimulatedProcess } from '../world/simulated-process.ts';
import type { SimulatedWorld } from '../world/simulated-world.ts';
import { credentialsOf, home, providerOf, providers, tenantNamespaceOf } from './names.ts';
import type { Fault } from './step.ts';
import { Trouble } from './trouble.ts';

/** Longer than it takes anybody to notice that a connection is dead. */
const noticingMs = 180_000;
/** Longer than the lease of a virtual kubelet that died: nobody does its work before that. */
const inheritingMs = 45_000;
const machine = { name: `${providers[0]}-2`, podCidr: '10.244.7.0/24' };

/** Everything that goes wrong in a world, and its end. */
export class Fate {
  readonly #world: SimulatedWorld;
  readonly #trouble: Trouble;
  readonly #stopping = new Set<SimulatedProcess>();
  readonly #spoilt = new Set<string>();
  /** Virtual nodes whose kubeconfig Secret was deleted. */
  readonly #without = new Set<string>();
  #machine: NodeAgent | undefined;
  #hasSilence = false;
  #hasDeath = false;
  #isMachineLost = false;
  #cutSinceMs: number | undefined;

  constructor(world: SimulatedWorld, seed: number) {
    this.#world = world;
    this.#trouble = new Trouble(seed);
    for (const { name, faults } of world.clusters.values()) {
      faults.plan = this.#trouble.planFor(name);
    }
  }

  /**
   * How long the provider could not be reached at all until now; undefined when it can, or when the consumer's API server fails most
   * calls: a virtual kubelet that was restarted meanwhile may not have been able to report anything.
   */
  get outOfReachMs(): number | undefined {
    if (this.#trouble.hasStorm(home)) return undefined;
    const sinceMs = this.#cutSinceMs;
    return sinceMs === undefined ? undefined : this.#world.clock.monotonicMs() - sinceMs;
  }

  /** One more machine at the provider, which may be lost. */
  async addMachine(): Promise<void> {
    this.#machine = await this.#world.cluster(providers[0]).cluster.startNode(machine);
  }

  async strike(fault: Fault): Promise<void> {
    switch (fault.type) {
      case 'kill':
        return this.#kill(fault.process, fault.forMs);
      case 'restart':
        return this.#restart(fault.process);
      case 'cut-link':
        return this.#cutLink(fault.how);
      case 'heal-link':
        return this.#healLink();
      case 'storm':
        return this.#trouble.raiseStorm(fault.cluster, fault.what, fault.ofTen);
      case 'slow-calls':
        return this.#trouble.slowDown(fault.cluster, fault.ms);
      case 'stale-watches':
        return this.#trouble.delayWatches(fault.cluster, fault.ms);
      case 'forget-history':
        return this.#world.cluster(fault.cluster).cluster.forgetHistory();
      case 'lose-machine':
        return this.#loseMachine();
      case 'spoil-kubeconfig':
        return this.#setKubeconfig(fault.node, 'nonsense');
      case 'delete-kubeconfig':
        return this.#deleteKubeconfig(fault.node);
      case 'deny':
        return this.#deny(fault);
      case 'end-denials':
        return this.#trouble.endDenials();
      case 'second-kubelet':
        return this.#addKubelet(fault.node);
    }
  }

  /** Nothing is wrong any more, and everybody has noticed. */
  async relent(): Promise<void> {
    this.#healLink();
    this.#trouble.end();
    for (const node of this.#spoilt) await this.#setKubeconfig(node, 'good');
    for (const node of this.#without) await this.#restoreKubeconfig(node);
    this.#without.clear();
    this.#spoilt.clear();
    while (this.#stopping.size > 0) await this.#world.pass(1_000);
    for (const process of this.#world.processes.values()) process.start();
    if (this.#isMachineLost) await this.addMachine();
    this.#isMachineLost = false;
    if (this.#hasDeath) await this.#world.pass(inheritingMs);
    if (this.#hasSilence) await this.#world.pass(noticingMs);
    this.#hasDeath = false;
    this.#hasSilence = false;
  }

  #kill(name: string, forMs: number): void {
    const process = this.#world.processes.get(name);
    if (!process?.isRunning) return;
    process.kill();
    this.#hasDeath = true;
    this.#world.clock.after(forMs, () => this.#startAgain(process));
  }

  #restart(name: string): void {
    const process = this.#world.processes.get(name);
    if (!process?.isRunning) return;
    this.#stopping.add(process);
    void process.stop().then(() => {
      this.#stopping.delete(process);
      this.#startAgain(process);
    });
  }

  /** Unless its pod is gone. */
  #startAgain(process: SimulatedProcess): void {
    const isThere = this.#world.processes.get(process.name) === process;
    if (isThere && !this.#stopping.has(process)) process.start();
  }

  #cutLink(how: Extract<Fault, { type: 'cut-link' }>['how']): void {
    this.#trouble.cutLink(how);
    this.#hasSilence ||= how === 'silent' || how === 'answers lost';
    // It answers still, only not to writers.
    if (how === 'answers lost') this.#cutSinceMs = undefined;
    else this.#cutSinceMs ??= this.#world.clock.monotonicMs();
  }

  #healLink(): void {
    this.#cutSinceMs = undefined;
    if (this.#trouble.isLinkCut) this.#trouble.healLink();
  }

  async #loseMachine(): Promise<void> {
    this.#isMachineLost ||= this.#machine !== undefined;
    const lost = this.#machine;
    this.#machine = undefined;
    await lost?.[Symbol.asyncDispose]();
  }

  /** A process that its own cluster denies everything loses its lease, as one that died. */
  #deny({ process, cluster, status }: Extract<Fault, { type: 'deny' }>): void {
    this.#trouble.deny(process, cluster, status);
    this.#hasDeath = true;
  }

  async #deleteKubeconfig(node: string): Promise<void> {
    const { clusters } = this.#world;
    const key = { namespace: tenantNamespaceOf(node, clusters), name: credentialsOf(node) };
    await this.#world.cluster(home).admin.delete(Secret, key).catch(ignoreRefusal);
    this.#without.add(node);
  }

  async #restoreKubeconfig(node: string): Promise<void> {
    const provider = providerOf(node, this.#world.clusters);
    const credentials = { name: credentialsOf(node), user: `${home}-${node}` };
    const { admin } = this.#world.cluster(home);
    const secret = forgeCredentials(home, provider, credentials);
    await admin.create(Secret, secret).catch(ignoreRefusal);
  }

  async #setKubeconfig(node: string, what: 'good' | 'nonsense'): Promise<void> {
    const name = credentialsOf(node);
    const { clusters } = this.#world;
    const provider = providerOf(node, clusters);
    const { data } = forgeCredentials(home, provider, { name, user: `${home}-${node}` });
    const nonsense = { kubeconfig: Buffer.from('nonsense').toString('base64') };
    const change = mergePatch({ data: what === 'good' ? (data ?? {}) : nonsense });
    const { admin } = this.#world.cluster(home);
    const key = { namespace: tenantNamespaceOf(node, clusters), name };
    await admin.patch(Secret, key, change).catch(ignoreRefusal);
    if (what === 'nonsense') this.#spoilt.add(node);
  }

  /** As somebody may ask for, and as happens for a moment in every rollout. */
  async #addKubelet(node: string): Promise<void> {
    const namespace = tenantNamespaceOf(node, this.#world.clusters);
    const key = { namespace, name: virtualKubeletName(node) };
    const { admin } = this.#world.cluster(home);
    await admin.patch(Deployment, key, mergePatch({ spec: { replicas: 2 } })).catch(ignoreRefusal);
  }
}

function ignoreRefusal(error: unknown): void {
  if (!(error instanceof ApiError)) throw error;
}
