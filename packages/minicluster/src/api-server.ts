import type { Clock, Random } from '@liqo/kube';
import { AdmissionChain } from './admission/admission.ts';
import { defaultPlugins } from './admission/plugins.ts';
import type { StaticTokens } from './auth/authenticator.ts';
import { type ClusterAuth, createClusterAuth } from './auth/cluster-auth.ts';
import { CustomResources } from './crd/custom-resources.ts';
import { discoveryPaths } from './discovery/discovery-paths.ts';
import { builtInResources } from './resources/built-in.ts';
import { ApiServer } from './rest/api-server.ts';
import { Registry } from './rest/registry.ts';
import type { Resource } from './rest/resource.ts';
import type { ServerParts } from './rest/server-parts.ts';
import { ItemExpiry } from './store/item-expiry.ts';
import { Store } from './store/store.ts';
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
}

export interface ServerOptions {
  readonly clock: Clock;
  readonly random: Random;
  /** How many changes of each resource are remembered. */
  readonly historyLimit?: number | undefined;
  readonly staticTokens?: StaticTokens | undefined;
  /** Where the pods of its nodes are; addresses are what they seem unless it says otherwise. */
  readonly routes?: ClusterRoutes | undefined;
  /** Where clients reach it: `host:port`. */
  serverAddress(): string;
}

/** The `--event-ttl` of a stock server. */
const eventTtlMs = 60 * 60_000;

/** An API server with everything a stock one has, empty but for the stock roles. */
export function assembleServer(options: ServerOptions): AssembledServer {
  const { clock, random, historyLimit, staticTokens } = options;
  const store = new Store(historyLimit === undefined ? {} : { historyLimit });
  const registry = new Registry();
  const auth = createClusterAuth({ store, clock, random, ...(staticTokens && { staticTokens }) });
  const custom = new CustomResources({ store, registry, clock });
  const plugins = defaultPlugins({ store, registry, clock, random });
  const admission = new AdmissionChain([...plugins, ...auth.admission, custom.admission]);
  const parts: ServerParts = { store, registry, admission, clock, random };
  const routes = options.routes ?? new ClusterRoutes();
  for (const resource of builtIn(parts, auth, routes)) registry.add(resource);
  const paths = discoveryPaths({ registry, serverAddress: options.serverAddress });
  const server = new ApiServer(parts, auth.gatekeeper, paths);
  const events = new ItemExpiry(store.collection('events'), eventTtlMs, clock);
  const dispose = () => {
    events[Symbol.dispose]();
    custom[Symbol.dispose]();
  };
  return { server, store, auth, [Symbol.dispose]: dispose };
}

function builtIn(
  parts: ServerParts,
  auth: ClusterAuth,
  routes: ClusterRoutes,
): readonly Resource[] {
  const { clock, random } = parts;
  const user = { name: 'kube-apiserver-kubelet-client', groups: ['system:masters'], extra: {} };
  const { certificate, privateKey } = auth.authority.issueClient(user);
  const kubelets = new KubeletConnection(parts, { cert: certificate, key: privateKey });
  const subresourceHandlers = {
    ...auth.subresources(parts),
    ...podStreams(parts, kubelets),
    ...proxies(parts, kubelets, routes),
    'pods/binding': podBinding(parts),
    'pods/eviction': podEviction(parts),
    'namespaces/finalize': namespaceFinalize(parts),
  };
  const reviewHandlers = auth.reviews;
  return builtInResources({ clock, random, subresourceHandlers, reviewHandlers });
}
