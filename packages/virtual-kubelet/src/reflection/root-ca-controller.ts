import { rootCaConfigMapName } from '@liqo/api';
import {
  ConfigMap,
  isAlreadyExists,
  isForbidden,
  isUnauthorized,
  type ObjectKey,
  type Stored,
} from '@liqo/kube';
import { planRootCa } from '@liqo/model';
import {
  done,
  external,
  type Informer,
  inOrder,
  type Outcome,
  primary,
  type ReconcileContext,
  requeueAfter,
  type Stoppable,
  startController,
  startInformer,
} from '@liqo/runtime';
import type { KubeletContext } from '../kubelet-context.ts';
import type { ProviderLink } from '../provider/provider-link.ts';
import type { ProviderSession } from '../provider/provider-session.ts';

/** In every namespace of a cluster. */
const rootCa = 'kube-root-ca.crt';
/** Somebody may have removed it over there. */
const lookAgainMs = 300_000;
/** After a refusal, which the VirtualNode tells of: rights may be granted at any time. */
const askAgainMs = 10_000;

export interface RootCaController extends Stoppable {
  /** The namespace has come to be, or not to be, at the provider. */
  lookAt(namespace: string): void;
}

/** Gives every offloaded namespace what its pods need to trust the API server here. */
export function startRootCaController(
  context: KubeletContext,
  link: ProviderLink,
): RootCaController {
  const { local: client, clock, random, log, metrics } = context;
  const selection = { fieldSelector: `metadata.name=${rootCa}` };
  const configMaps = startInformer({ client, kind: ConfigMap, clock, random, log, selection });
  const nudges = external();
  const controller = startController({
    name: 'root-ca',
    clock,
    random,
    log,
    ...(metrics && { metrics }),
    sources: [primary(configMaps), nudges],
    reconcile: (key, run) => reconcileRootCa({ context, link, configMaps }, key, run),
  });
  return {
    ...inOrder([controller, configMaps]),
    lookAt: (namespace) => nudges.enqueue({ namespace, name: rootCa }),
  };
}

interface RootCaWorld {
  readonly context: KubeletContext;
  readonly link: ProviderLink;
  readonly configMaps: Informer<ConfigMap>;
}

async function reconcileRootCa(
  { context, link, configMaps }: RootCaWorld,
  key: ObjectKey,
  { signal }: ReconcileContext,
): Promise<Outcome> {
  const { session } = link;
  const namespace = session?.namespaces.of(key.namespace ?? '');
  const local = configMaps.get(key);
  if (!session || !namespace || !local) return done;
  try {
    await bring(local, { context, session, remoteNamespace: namespace.name }, signal);
    return requeueAfter(lookAgainMs, 'looking whether it is still there');
  } catch (error) {
    if (!isForbidden(error) && !isUnauthorized(error)) throw error;
    return requeueAfter(askAgainMs, 'waiting for the provider to grant it');
  }
}

interface Destination {
  readonly context: KubeletContext;
  readonly session: ProviderSession;
  readonly remoteNamespace: string;
}

async function bring(
  local: Stored<ConfigMap>,
  { context, session, remoteNamespace }: Destination,
  signal: AbortSignal,
): Promise<void> {
  const { consumerClusterID, providerClusterID, virtualNode } = context;
  const nodeName = virtualNode.name;
  const name = rootCaConfigMapName(consumerClusterID);
  const remote = await session.client.get(ConfigMap, { namespace: remoteNamespace, name }, signal);
  const route = { consumerClusterID, providerClusterID, nodeName, remoteNamespace };
  const step = planRootCa(local, remote, route);
  try {
    if (step.type === 'create') await session.client.create(ConfigMap, step.configMap, signal);
    if (step.type === 'update') await session.client.update(ConfigMap, step.configMap, signal);
  } catch (error) {
    // Another virtual node of this provider was quicker.
    if (!isAlreadyExists(error)) throw error;
  }
}
