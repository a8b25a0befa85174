import { type ForeignCluster, labels, labelValues, VirtualNode } from '@liqo/api';
import {
  diffMergePatch,
  findCondition,
  formatTime,
  isJsonObject,
  type Json,
  mergePatch,
  Node,
  type Stored,
} from '@liqo/kube';
import { nodeHead, nodeStatus } from '@liqo/model';
import {
  type CachedReader,
  done,
  type Informer,
  type Outcome,
  type ReconcileContext,
  requeueAfter,
  writeStatus,
} from '@liqo/runtime';
import type { KubeletContext } from '../kubelet-context.ts';
import type { ProviderLink } from '../provider/provider-link.ts';
import type { NodeOptions } from './node-controller.ts';
import { whyNoNetwork } from './why-no-network.ts';

interface NodeWorld extends NodeOptions {
  readonly context: KubeletContext;
  readonly link: Pick<ProviderLink, 'contact' | 'trouble' | 'virtualNode'>;
  readonly nodes: Informer<Node>;
  readonly peers: CachedReader<ForeignCluster>;
}

/** A node that is well says so now and then. */
const heartbeatMs = 300_000;
/** Somebody who deletes every Node that we make is not fought at full speed. */
const makeAgainMs = 1_000;

export class NodeReconciler {
  readonly #world: NodeWorld;
  #madeMs = Number.NEGATIVE_INFINITY;
  #version: { readonly gitVersion: string; readonly readMs: number } | undefined;

  constructor(world: NodeWorld) {
    this.#world = world;
  }

  async reconcile(run: ReconcileContext): Promise<Outcome> {
    const { link, nodes, context } = this.#world;
    const { virtualNode } = link;
    if (!virtualNode) return done;
    const { name } = context.virtualNode;
    const current = nodes.get({ name });
    if (current && !isVirtual(current)) return this.#complainOfStranger(virtualNode);
    if (!current) {
      const tooSoonMs = this.#madeMs + makeAgainMs - context.clock.monotonicMs();
      if (tooSoonMs > 0) return requeueAfter(tooSoonMs, 'the node has gone soon after it was made');
      if (!(await this.#isWanted(run.signal))) return done;
    }
    const node = await this.#ensureHead(virtualNode, current, run);
    await this.#ensureStatus(virtualNode, node, run);
    return requeueAfter(heartbeatMs, 'saying that the node is still there');
  }

  /** Asked of the server: whoever takes a virtual node down may have seen its end before us. */
  async #isWanted(signal: AbortSignal): Promise<boolean> {
    const { local, virtualNode: key } = this.#world.context;
    const virtualNode = await local.get(VirtualNode, key, signal);
    if (!virtualNode) return false;
    const { metadata, spec } = virtualNode;
    return metadata.deletionTimestamp === undefined && spec.createNode !== false;
  }

  async #ensureHead(
    virtualNode: Stored<VirtualNode>,
    current: Stored<Node> | undefined,
    run: ReconcileContext,
  ): Promise<Stored<Node>> {
    const { context, nodes, extras } = this.#world;
    const head = nodeHead(virtualNode, extras, current);
    const { name } = context.virtualNode;
    const wanted = { metadata: head.metadata, spec: { taints: [...head.taints] } };
    if (!current) {
      const node = { metadata: { name, ...head.metadata }, spec: wanted.spec };
      const created = await context.local.create(Node, node, run.signal);
      this.#madeMs = context.clock.monotonicMs();
      run.wrote(nodes, created);
      return created;
    }
    const { labels: marks = {}, annotations = {}, resourceVersion } = current.metadata;
    const before = {
      metadata: { labels: marks, annotations },
      spec: { taints: current.spec?.taints },
    };
    const change = diffMergePatch(before, wanted);
    if (isJsonObject(change) && Object.keys(change).length === 0) return current;
    const patch = mergePatch(withVersion(change as Json, resourceVersion));
    const patched = await context.local.patch(Node, { name }, patch, run.signal);
    run.wrote(nodes, patched);
    return patched;
  }

  async #ensureStatus(
    virtualNode: Stored<VirtualNode>,
    node: Stored<Node>,
    run: ReconcileContext,
  ): Promise<void> {
    const { context, link, nodes, peers, address, kubeletPort, checkNetwork } = this.#world;
    const isKnown = findCondition(node.status?.conditions, 'Ready') !== undefined;
    // A predecessor has said how it is, a moment ago. That we do not know yet is no news.
    if (link.contact === 'unknown' && isKnown) return;
    const peer = peers.get({ name: context.providerClusterID });
    const facts = {
      address,
      kubeletPort,
      version: await this.#readVersion(run.signal),
      trouble: link.contact === 'there' ? undefined : link.trouble,
      whyNoNetwork: checkNetwork ? whyNoNetwork(peer) : undefined,
      now: formatTime(context.clock.now()),
    };
    const status = nodeStatus(virtualNode, facts, node.status);
    if (!status) return;
    run.wrote(nodes, await writeStatus(context.local, Node, node, status, run.signal));
  }

  /** That of the API server here, which may be upgraded while we run. */
  async #readVersion(signal: AbortSignal): Promise<string> {
    const { local, clock } = this.#world.context;
    const nowMs = clock.monotonicMs();
    if (!this.#version || nowMs - this.#version.readMs >= heartbeatMs) {
      const { gitVersion } = await local.rawJson<{ gitVersion: string }>('/version', signal);
      this.#version = { gitVersion, readMs: nowMs };
    }
    return this.#version.gitVersion;
  }

  #complainOfStranger(virtualNode: Stored<VirtualNode>): Outcome {
    const { events } = this.#world.context;
    const note = `A node "${virtualNode.metadata.name}" exists and is not a virtual node: rename the VirtualNode`;
    events.record({
      regarding: virtualNode,
      type: 'Warning',
      reason: 'NameTaken',
      action: 'CreatingNode',
      note,
    });
    return requeueAfter(30_000, note);
  }
}

function isVirtual({ metadata }: Stored<Node>): boolean {
  return metadata.labels?.[labels.type] === labelValues.virtualNode;
}

function withVersion(change: Json, resourceVersion: string): Json {
  const { metadata } = isJsonObject(change) ? change : {};
  const known = isJsonObject(metadata) ? metadata : {};
  return { ...(isJsonObject(change) ? change : {}), metadata: { ...known, resourceVersion } };
}
