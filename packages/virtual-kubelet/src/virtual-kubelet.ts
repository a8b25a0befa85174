import { type Client, LearntLimit, type LimitBounds } from '@liqo/kube';
import {
  mayHaveOtherAddresses,
  nodeLeaseNamespace,
  type ReflectedCustomResource,
} from '@liqo/model';
import {
  type EventRecorder,
  fenceClient,
  LeadershipLostError,
  type Stoppable,
  startController,
  startLeaderElection,
  together,
} from '@liqo/runtime';
import type { AddressSource } from './addresses/address-source.ts';
import type { KubeletContext } from './kubelet-context.ts';
import {
  type NodeController,
  type NodeOptions,
  startNodeController,
} from './node/node-controller.ts';
import { LocalPodStatus } from './pods/local-pod-status.ts';
import { PodFeed } from './pods/pod-feed.ts';
import { PodTokens } from './pods/pod-tokens.ts';
import { PodReconciler, type PodWorld } from './pods/reconcile-pod.ts';
import { Turns, type TurnsOptions } from './pods/turns.ts';
import { ProviderLink } from './provider/provider-link.ts';
import { Reflection } from './reflection/reflection.ts';
import { type ReflectionSettings, startReflectors } from './reflection/reflectors.ts';
import {
  type CertificateType,
  ServingCertificate,
} from './server/certificate/serving-certificate.ts';
import { type KubeletServer, startKubeletServer } from './server/kubelet-server.ts';
import { accessThrough } from './server/provider-access.ts';

export interface VirtualKubeletOptions extends Omit<KubeletContext, 'events'> {
  /** Called in every term, with a client that writes within the term alone. */
  readonly startEvents: (client: Client) => EventRecorder;
  /** This process among its replicas. */
  readonly identity: string;
  /** Without a Node only pods that are bound to its name matter. */
  readonly createNode: boolean;
  readonly node: Omit<NodeOptions, 'kubeletPort'>;
  /** Which addresses of the provider's pods are taken over; of the process, not disposed of here. */
  readonly addresses: AddressSource;
  /** Absent where nobody asks for logs, as in a simulation. */
  readonly endpoint?: EndpointOptions;
  /** How many pods are worked on at a time. */
  readonly podWorkers: number;
  readonly consumerApiServer?: PodWorld['consumerApiServer'];
  /** Keys of labels and annotations that stay at home, besides those that the VirtualNode names. */
  readonly notReflected?: PodWorld['notReflected'];
  /** Of the kinds that are not reflected by default settings. */
  readonly reflection?: ReflectionSettings;
  /** Reflected besides the kinds of Kubernetes. */
  readonly customResources?: readonly ReflectedCustomResource[];
}

/** The one of every kubelet. */
const standardPort = 10_250;

/** Where logs, exec and the like are served. */
interface EndpointOptions {
  /** All addresses when absent. */
  readonly host?: string;
  readonly port: number;
  readonly certificateType: CertificateType;
}

/**
 * Plays the kubelet of one virtual node, for as long as it leads. The Node's own Lease is the election: whoever renews it
 * is the kubelet, and a successor finds it expired before Kubernetes finds the node lost.
 */
export function startVirtualKubelet(options: VirtualKubeletOptions): Stoppable {
  const readiness: Readiness = {};
  const { local: client, virtualNode, identity, clock, random, log, metrics } = options;
  const election = startLeaderElection({
    client,
    lease: options.createNode
      ? { namespace: nodeLeaseNamespace, name: virtualNode.name }
      : { namespace: virtualNode.namespace, name: virtualNode.name },
    identity,
    leaseDurationMs: 40_000,
    renewDeadlineMs: 30_000,
    retryPeriodMs: 10_000,
    // Reading costs little: a successor is there before Kubernetes finds the node lost.
    acquirePeriodMs: 2_000,
    clock,
    random,
    log,
    ...(metrics && { metrics }),
    onStartedLeading: (signal, mayWrite) => play(options, { signal, mayWrite, readiness }),
  });
  return {
    whyNotReady: () => readiness.whyNotReady?.(),
    [Symbol.asyncDispose]: () => election[Symbol.asyncDispose](),
  };
}

/** Parts that hear of changes before they are all started. */
interface Ears {
  node?: NodeController;
  reflection?: Reflection;
}

/** Of the current term; empty while another process leads, whose successor is ready as it is. */
interface Readiness {
  whyNotReady?: (() => string | undefined) | undefined;
}

interface Term {
  readonly signal: AbortSignal;
  readonly mayWrite: () => boolean;
  readonly readiness: Readiness;
}

/** What the parts of one term work with: clients that write within the term alone. */
type TermOptions = VirtualKubeletOptions & KubeletContext;

async function play(
  beyondTerm: VirtualKubeletOptions,
  { signal, mayWrite, readiness }: Term,
): Promise<void> {
  readiness.whyNotReady = () => 'it is starting';
  const local = fenceClient(beyondTerm.local, mayWrite);
  await using events = beyondTerm.startEvents(local);
  const connectProvider = async (kubeconfig: string) =>
    fenceClient(await beyondTerm.connectProvider(kubeconfig), mayWrite);
  const options: TermOptions = { ...beyondTerm, local, events, connectProvider };
  const ears: Ears = {};
  await using feed = new PodFeed(options);
  await using link = new ProviderLink(options, {
    onPodChanged: (pod) => feed.lookAt(pod),
    onNamespaceChanged: (namespace) => {
      ears.reflection?.lookAt(namespace);
      feed.lookAtNamespace(namespace);
    },
    onHealthChanged: () => {
      ears.node?.lookAgain();
      ears.reflection?.providerChanged();
      feed.lookAtAll();
    },
    onFollowed: () => ears.reflection?.follow(),
  });
  using _addresses = options.addresses.subscribe(() =>
    feed.lookAtAll(({ status }) => mayHaveOtherAddresses(status ?? {}, options.addresses.policy)),
  );
  const { endpoint } = options;
  await using certificate = endpoint && createCertificate(options, endpoint);
  await using server =
    certificate && (await startEndpoint(options, endpoint, { feed, link, certificate }));
  const port = server?.port ?? standardPort;
  await using node = options.createNode ? startNode(options, link, port) : undefined;
  await using reflection = startReflection(options, link);
  using start = newTurns(options, feed, starting);
  using end = newTurns(options, feed, ending);
  await using pods = startPodController(options, { feed, link, turns: { start, end } });
  Object.assign(ears, { node, reflection });
  const parts = together([pods, reflection, link, ...(node ? [node] : [])]);
  readiness.whyNotReady = () => parts.whyNotReady?.();
  await aborted(signal);
  readiness.whyNotReady = undefined;
  if (signal.reason instanceof LeadershipLostError) await parts.stop?.({ drainMs: 0 });
}

function createCertificate(options: TermOptions, endpoint: EndpointOptions): ServingCertificate {
  const { local: client, clock, random, log, virtualNode, node } = options;
  return new ServingCertificate({
    client,
    clock,
    random,
    log,
    nodeName: virtualNode.name,
    addresses: [node.address],
    certificateType: endpoint.certificateType,
  });
}

interface EndpointParts {
  readonly feed: PodFeed;
  readonly link: ProviderLink;
  readonly certificate: ServingCertificate;
}

function startEndpoint(
  options: TermOptions,
  endpoint: EndpointOptions,
  { feed, link, certificate }: EndpointParts,
): Promise<KubeletServer> {
  const { local, clock, random, log, virtualNode, consumerClusterID } = options;
  return startKubeletServer({
    local,
    clock,
    random,
    log,
    nodeName: virtualNode.name,
    consumerClusterID,
    keys: () => certificate.keys(),
    ...(endpoint.host !== undefined && { host: endpoint.host }),
    port: endpoint.port,
    provider: accessThrough(link),
    pods: () => (feed.pods.hasSynced ? feed.pods.list() : undefined),
  });
}

function startNode(options: TermOptions, link: ProviderLink, kubeletPort: number): NodeController {
  return startNodeController(options, link, { ...options.node, kubeletPort });
}

function startReflection(options: TermOptions, link: ProviderLink): Reflection {
  const { identity, reflection: settings = {}, customResources = [] } = options;
  const { notReflected = { labels: [], annotations: [] } } = options;
  return new Reflection({
    context: options,
    link,
    identity,
    notReflected,
    startReflectors: (context) => startReflectors(context, settings, customResources),
  });
}

type TurnBounds = LimitBounds & Omit<TurnsOptions, 'clock' | 'limit' | 'onTurn'>;

/** With seven or so, and nothing idle either, 2,000 pods took 36 s instead of 32. */
const starting: TurnBounds = {
  min: 10,
  initial: 10,
  queue: 1,
  longestMs: 2_000,
  lateNewsMs: 100,
};
/** With 16, a provider whose machines are busy falls behind, and whoever starts meanwhile waits. */
const ending: TurnBounds = {
  min: 4,
  initial: 8,
  queue: 1,
  longestMs: 5_000,
  onceBegunMs: 1_000,
  lateNewsMs: 200,
};

function newTurns({ clock }: TermOptions, feed: PodFeed, bounds: TurnBounds): Turns {
  const limit = new LearntLimit(bounds);
  return new Turns({ ...bounds, clock, limit, onTurn: (pod) => feed.lookAt(pod) });
}

interface PodParts {
  readonly feed: PodFeed;
  readonly link: ProviderLink;
  readonly turns: PodWorld['turns'];
}

function startPodController(options: TermOptions, { feed, link, turns }: PodParts): Stoppable {
  const { clock, random, log, metrics, consumerApiServer, node, podWorkers, addresses } = options;
  const { notReflected = { labels: [], annotations: [] } } = options;
  const { pods } = feed;
  const nodeAddress = node.address;
  const status = new LocalPodStatus({ context: options, pods, nodeAddress, addresses });
  const reconciler = new PodReconciler({
    context: options,
    pods,
    link,
    status,
    tokens: new PodTokens(options, status),
    turns,
    notReflected,
    ...(consumerApiServer && { consumerApiServer }),
  });
  return startController({
    name: 'pod',
    clock,
    random,
    log,
    ...(metrics && { metrics }),
    concurrency: podWorkers,
    sources: feed.sources,
    caches: [link.virtualNodes, link.namespaceMaps, ...addresses.caches],
    reconcile: (key, run) => reconciler.reconcile(key, run),
  });
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
