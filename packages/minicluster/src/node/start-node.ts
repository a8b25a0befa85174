import { setMaxListeners } from 'node:events';
import { type Client, type Clock, Pod, type Random } from '@liqo/kube';
import type { Taint } from 'kubernetes-types/core/v1.d.ts';
import type { KindReader } from '../kind-reader.ts';
import type { ImageRegistry } from './containers/image-registry.ts';
import { keepBeating } from './heartbeat.ts';
import { startInformer } from './informer.ts';
import { KubeletEvents } from './kubelet-events.ts';
import { renewNodeLease } from './node-lease.ts';
import type { NodeFacts } from './node-object.ts';
import { OwnNode } from './own-node.ts';
import { PodAddresses } from './pod-addresses.ts';
import { PodFleet } from './pod-fleet.ts';
import { registerNode } from './register-node.ts';
import { KubeletServer, type ServingCredentials } from './server/kubelet-server.ts';

export interface NodeOptions {
  /** As `system:node:<name>` in the group `system:nodes`, or anybody who may do as much. */
  readonly client: Client;
  /** What it follows kinds with: the client unless it says otherwise. */
  readonly reader?: KindReader | undefined;
  readonly clock: Clock;
  readonly random: Random;
  readonly name: string;
  /** In place of, or besides, the stock one of 8 CPUs, 16 GiB and 110 pods. */
  readonly capacity?: Readonly<Record<string, string>>;
  readonly labels?: Readonly<Record<string, string>>;
  readonly taints?: readonly Taint[];
  /** What runs for real; every other image is simulated as annotations say (see `simulation.ts`). */
  readonly images?: ImageRegistry;
  /** Where its pods get their addresses from: another range for every node. */
  readonly podCidr?: string;
  /** Its own address, and where its endpoint listens. */
  readonly address?: string;
  /** Without credentials there is no endpoint. */
  readonly serving?: ServingCredentials;
  /** Whether nobody is told, in events, what happens to its pods. */
  readonly silent?: boolean | undefined;
  /** How often it says that it is alive: every ten seconds unless said otherwise, and it is given up after forty. */
  readonly beatEveryMs?: number;
  /** Variables of every container: `KUBERNETES_SERVICE_HOST` and `KUBERNETES_SERVICE_PORT`, say. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** A node that lives until it is disposed; then it is gone as a machine without power: its objects stay. */
export interface NodeAgent extends AsyncDisposable {
  readonly name: string;
  readonly address: string;
  /** Of its HTTPS endpoint. */
  readonly port: number | undefined;
}

/**
 * Registers the node and runs the pods bound to it, as a kubelet does. Resolves when the node is ready; when that fails,
 * nothing is left running.
 */
export async function startNode(options: NodeOptions): Promise<NodeAgent> {
  const { name, address = '127.0.0.1' } = options;
  const stop = new AbortController();
  // Every pod listens to it.
  setMaxListeners(0, stop.signal);
  const self = new OwnNode(options.client, name);
  const fleet = createFleet(options, address, self, stop.signal);
  const server = options.serving && createServer(options, options.serving, address, fleet);
  const dispose = async () => {
    stop.abort();
    await server?.[Symbol.asyncDispose]();
    await fleet[Symbol.asyncDispose]();
  };
  try {
    await server?.listen();
    const facts = forgeFacts(options, address, server);
    const { stopped } = await join({ ...options, facts, fleet, self }, stop.signal);
    const disposeAll = async () => {
      await dispose();
      await stopped;
    };
    return { name, address, port: server?.port, [Symbol.asyncDispose]: disposeAll };
  } catch (error) {
    await dispose();
    throw new Error(`Cannot start node "${name}"`, { cause: error });
  }
}

function createFleet(
  options: NodeOptions,
  address: string,
  self: OwnNode,
  signal: AbortSignal,
): PodFleet {
  const { client, clock, random, name, silent } = options;
  return new PodFleet({
    client,
    clock,
    random,
    signal,
    events: new KubeletEvents({ client, clock, random, nodeName: name, signal, silent }),
    nodeName: name,
    self,
    hostIP: address,
    images: options.images ?? new Map(),
    addresses: new PodAddresses(options.podCidr ?? '10.244.0.0/24'),
    environment: options.environment ?? {},
  });
}

function createServer(
  { client, clock, name }: NodeOptions,
  serving: ServingCredentials,
  address: string,
  pods: PodFleet,
): KubeletServer {
  return new KubeletServer({ client, clock, nodeName: name, address, pods, serving });
}

function forgeFacts(
  options: NodeOptions,
  address: string,
  server: KubeletServer | undefined,
): NodeFacts {
  const { name, labels = {}, taints = [], capacity = {}, podCidr } = options;
  return { name, labels, taints, capacity, address, podCidr, kubeletPort: server?.port };
}

interface JoinParts extends NodeOptions {
  readonly facts: NodeFacts;
  readonly fleet: PodFleet;
  readonly self: OwnNode;
}

/** Makes the node a part of the cluster. The promise inside settles when it is none any more. */
async function join(
  { client, reader = client, clock, beatEveryMs, facts, fleet, self }: JoinParts,
  signal: AbortSignal,
): Promise<{ readonly stopped: Promise<unknown> }> {
  const node = await registerNode(client, clock, facts, signal);
  await renewNodeLease(client, clock, node, signal);
  const following = await self.follow({ reader, clock }, () => fleet.onFreed(), signal);
  const selection = { fieldSelector: `spec.nodeName=${facts.name}` };
  const onChange: PodFleet['onPod'] = (before, after) => fleet.onPod(before, after);
  const pods = await startInformer({ reader, clock, kind: Pod, selection, onChange }, signal);
  const beating = keepBeating({ client, clock, facts, beatEveryMs }, node, signal);
  return { stopped: Promise.all([following.stopped, pods.stopped, beating]) };
}
