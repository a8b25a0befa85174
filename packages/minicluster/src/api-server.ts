import type { Clock, Random } from '@liqo/kube';
import { AdmissionChain } from './admission/admission.ts';
import { defaultPlugins } from './admission/plugins.ts';
import type { CallWebhook } from './admission/webhooks/webhook-caller.ts';
import type { StaticTokens } from './auth/authenticator.ts';
import { type AuthSnapshot, type ClusterAuth, createClusterAuth } from './auth/cluster-auth.ts';
import { CustomResources, type DefinitionsSnapshot } from './crd/custom-resources.ts';
import { discoveryPaths } from './discovery/discovery-paths.ts';
import { builtInResources } from './resources/built-in.ts';
import { ApiServer } from './rest/api-server.ts';
import { Registry } from './rest/registry.ts';
import type { Resource } from './rest/resource.ts';
import type { ServerParts } from './rest/server-parts.ts';
import { StoreReader } from './rest/store-reader.ts';
import { ItemExpiry } from './store/item-expiry.ts';
import { Store, type StoreSnapshot } from './store/store.ts';
import { ClusterRoutes } from './subresources/cluster-routes.ts';
import { KubeletConnection } from './subresources/kubelet-connection.ts';
import { namespaceFinalize } from './subresources/namespace-finalize.ts';
import { podBinding } from './subresources/pod-binding.ts';
import { podEviction } from './subresources/pod-eviction.ts';
import { podStreams } from './subresources/pod-streams.ts';
import { proxies } from './subresources/proxies.ts';

export interface AssembledServer extends Disposable {
  readonly server: ApiServer;
  readonly store: Store;
  readonly auth: ClusterAuth;
  /** What it holds, for parts of the same cluster. */
  readonly reader: StoreReader;
  snapshot(): ServerSnapshot;
}

/** What a server is made of at a moment, for others to begin with. It lives in this process alone. */
export interface ServerSnapshot {
  readonly store: StoreSnapshot;
  readonly auth: AuthSnapshot;
  readonly definitions: DefinitionsSnapshot;
}

export interface ServerOptions {
  readonly clock: Clock;
  readonly random: Random;
  /** How many changes of each resource are remembered. */
  readonly historyLimit?: number | undefined;
  readonly staticTokens?: StaticTokens | undefined;
  readonly from?: ServerSnapshot | undefined;
  readonly bookmarkEveryMs?: number | undefined;
  /** Plurals of the built-in resources that there are; all when absent. */
  readonly serves?: readonly string[] | undefined;
  /** Plurals of resources whose objects do not say who manages which of their fields. */
  readonly unmanaged?: readonly string[] | undefined;
  /** Where the pods of its nodes are; addresses are what they seem unless it says otherwise. */
  readonly routes?: ClusterRoutes | undefined;
  /** Answers webhooks in the place of the network. */
  readonly callWebhook?: CallWebhook | undefined;
  /** Where clients reach it: `host:port`. */
  serverAddress(): string;
}

/** The `--event-ttl` of a stock server. */
const eventTtlMs = 60 * 60_000;

/** An API server with everything a stock one has, empty but for the stock roles unless it begins with a snapshot. */
export function assembleServer(options: ServerOptions): AssembledServer {
  const { clock, random, historyLimit, staticTokens, from } = options;
  const store = new Store({ historyLimit, from: from?.store });
  const registry = new Registry();
  const auth = createClusterAuth({
    store,
    clock,
    random,
    from: from?.auth,
    ...(staticTokens && { staticTokens }),
  });
  const custom = new CustomResources({ store, registry, clock, from: from?.definitions });
  const { authorizer } = auth;
  const routes = options.routes ?? new ClusterRoutes();
  const plugins = defaultPlugins({
    store,
    registry,
    authorizer,
    clock,
    random,
    routes,
    callWebhook: options.callWebhook,
  });
  const admission = new AdmissionChain([...plugins, ...auth.admission, custom.admission]);
  const unmanaged = new Set(options.unmanaged);
  const { bookmarkEveryMs } = options;
  const parts: ServerParts = {
    store,
    registry,
    admission,
    clock,
    random,
    bookmarkEveryMs,
    unmanaged,
  };
  for (const resource of builtIn(parts, auth, routes, options.serves)) registry.add(resource);
  holdAllocations(parts);
  const paths = discoveryPaths({ registry, serverAddress: options.serverAddress });
  const server = new ApiServer(parts, auth.gatekeeper, paths);
  const events = new ItemExpiry(store.collection('events'), eventTtlMs, clock);
  const dispose = () => {
    events[Symbol.dispose]();
    custom[Symbol.dispose]();
  };
  const snapshot = () => ({
    store: store.snapshot(),
    auth: auth.snapshot(),
    definitions: custom.snapshot(),
  });
  const reader = new StoreReader(parts);
  return { server, store, auth, reader, snapshot, [Symbol.dispose]: dispose };
}

/** What the objects of a snapshot have been given is not for others. */
function holdAllocations({ store, registry }: ServerParts): void {
  for (const { plural, group, strategy } of registry.all()) {
    if (!strategy.allocations) continue;
    const name = group ? `${plural}.${group}` : plural;
    for (const item of store.collection(name).list())
      strategy.allocations.allocate(item, undefined);
  }
}

function builtIn(
  parts: ServerParts,
  auth: ClusterAuth,
  routes: ClusterRoutes,
  serves: readonly string[] | undefined,
): readonly Resource[] {
  const { clock, random } = parts;
  const user = { name: 'kube-apiserver-kubelet-client', groups: ['system:masters'], extra: {} };
  const kubelets = new KubeletConnection(parts, routes, () => {
    const { certificate, privateKey } = auth.authority.issueClient(user);
    return { cert: certificate, key: privateKey };
  });
  const subresourceHandlers = {
    ...auth.subresources(parts),
    ...podStreams(parts, kubelets),
    ...proxies(parts, kubelets, routes),
    'pods/binding': podBinding(parts),
    'pods/eviction': podEviction(parts),
    'namespaces/finalize': namespaceFinalize(parts),
  };
  const reviewHandlers = auth.reviews;
  return builtInResources({ clock, random, subresourceHandlers, reviewHandlers, serves });
}
