import { join, resolve } from 'node:path';
import { eventually } from '../../eventually.ts';
import type { Component } from '../component.ts';
import { forgeComputer, type Machine } from '../machine/machine.ts';
import { nodeAddress, nodePods } from '../network/address-plan.ts';
import { createOnApiServer } from '../probe.ts';
import { emptyCgroup, makeCgroup } from './cgroups.ts';
import { nodeEnvironment } from './node-assets.ts';
import { layNodeCable } from './node-cable.ts';
import {
  forgeNodeComponents,
  type NodeComponentName,
  type NodeComponents,
} from './node-components.ts';
import type { NodePlan } from './node-plan.ts';
import { nodeCgroup, nodeFolder, writeNodeFiles } from './write-node-files.ts';

/** A computer with a kubelet, a container runtime and kube-proxy, and what a fault test may do to it. */
export class RealNode {
  readonly name: string;
  /** Where its kubelet and its node ports are reached, from this machine too. */
  readonly address: string;
  readonly #plan: NodePlan;
  readonly #computer: Machine;
  #components: NodeComponents = new Map();

  constructor(plan: NodePlan) {
    this.name = plan.name;
    this.address = nodeAddress(plan.network.addresses, plan.nth);
    this.#plan = plan;
    const disk = join(nodeFolder(plan), 'disk');
    this.#computer = forgeComputer({ name: plan.name, folder: plan.folder }, disk);
  }

  /** For fault tests. A node that was killed has new ones after its next start. */
  component(name: NodeComponentName): Component<NodeComponentName> {
    const found = this.#components.get(name);
    if (found) return found;
    throw new Error(`Cannot find ${name}: node "${this.name}" has never been on`);
  }

  /** Turns the computer on, as far as it needs no API server: containers could be run, but nobody asks for any. */
  async boot(signal?: AbortSignal): Promise<void> {
    await writeNodeFiles(this.#plan);
    makeCgroup(nodeCgroup(this.#plan));
    await this.#computer.start(signal);
    await layNodeCable(this.#plan, this.#computer);
    this.#components = forgeNodeComponents(this.#plan, this.#computer);
    await this.component('containerd').start(signal);
  }

  /** Resolves when the node is ready, after whatever was done to it. */
  async start(signal?: AbortSignal): Promise<void> {
    if (!this.#computer.isUp) await this.boot(signal);
    await this.#register(signal);
    const missing = [...this.#components.values()].filter(({ pid }) => pid === undefined);
    await Promise.all(missing.map((component) => component.start(signal)));
  }

  /** The kubelet ends, as in an upgrade: its containers go on without it. */
  stop(): Promise<void> {
    return this.component('kubelet').stop('SIGTERM');
  }

  /** A power cut: kubelet, containers and network are gone at once. The disk is what `start` finds again. */
  async kill(): Promise<void> {
    await this.#computer.stop();
    await Promise.all([...this.#components.values()].map((component) => component.stop()));
    // They would not outlive a power cut, and a kubelet that finds them waits for containers in vain.
    await eventually(() => emptyCgroup(nodeCgroup(this.#plan)));
  }

  /** Puts the image in a docker-archive where pods find it without pulling. */
  async loadImage(archivePath: string): Promise<void> {
    await this.run(['ctr', '--namespace', 'k8s.io', 'images', 'import', resolve(archivePath)]);
  }

  /** What a command prints that root runs on the node. */
  run(command: readonly string[]): Promise<string> {
    return this.#computer.run(command, { env: nodeEnvironment(this.#plan.assets) });
  }

  /**
   * A kubelet registers itself, but is then told which addresses are for its pods, and looks again seconds later. Here
   * addresses follow from the plan, so the object is there first, as where a cloud makes the machine.
   */
  #register(signal?: AbortSignal): Promise<void> {
    const { name, nth, access, network } = this.#plan;
    const podCIDR = nodePods(network.addresses, nth);
    const object = { apiVersion: 'v1', kind: 'Node', metadata: { name } };
    const spec = { podCIDR, podCIDRs: [podCIDR] };
    return createOnApiServer(access, '/api/v1/nodes', { ...object, spec }, signal);
  }
}
