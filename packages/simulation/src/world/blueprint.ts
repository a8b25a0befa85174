import {
  Advertisement,
  ClusterConfig,
  Configuration,
  Connection,
  ForeignCluster,
  forgeCustomResourceDefinition,
  GatewayClient,
  GatewayServer,
  Identity,
  NamespaceMap,
  NamespaceOffloading,
  Quota,
  Renew,
  ResourceSlice,
  ShadowEndpointSlice,
  ShadowPod,
  Tenant,
  VirtualNode,
  VkOptionsTemplate,
} from '@liqo/api';
import {
  CustomResourceDefinition,
  Deployment,
  MutatingWebhookConfiguration,
  PodDisruptionBudget,
  RuntimeClass,
  ValidatingWebhookConfiguration,
} from '@liqo/kube';
import { defaultValues, forgeManifests, kindOfManifest } from '@liqo/manifests';
import type { ClusterSnapshot } from '@liqo/minicluster';
import { introduce, type Peer } from '@liqo/playground';
import { VirtualClock } from '@liqo/testkit';
import { writeKubeconfig } from './kubeconfig.ts';
import { SimulatedCluster } from './simulated-cluster.ts';

/** What every world of these clusters begins with: made once, it is used for as many worlds as one likes. */
export interface Blueprint {
  /** By name. The first one is the consumer of all others. */
  readonly clusters: ReadonlyMap<string, ClusterSnapshot>;
}

/** Of all kinds these are what the processes look at. */
const kinds = [
  Advertisement,
  ClusterConfig,
  Configuration,
  Connection,
  ForeignCluster,
  GatewayClient,
  GatewayServer,
  Identity,
  NamespaceMap,
  NamespaceOffloading,
  Renew,
  Quota,
  ResourceSlice,
  ShadowEndpointSlice,
  ShadowPod,
  Tenant,
  VirtualNode,
  VkOptionsTemplate,
];

/** Clusters with the kinds and roles of the product, introduced to each other, with nothing running in them. */
export async function drawBlueprint(names: readonly string[]): Promise<Blueprint> {
  const clock = new VirtualClock();
  const clusters: SimulatedCluster[] = [];
  try {
    for (const [index, name] of names.entries()) {
      const cluster = await SimulatedCluster.start({ name, clock, seed: index });
      clusters.push(cluster);
      await install(cluster);
    }
    const [consumer, ...providers] = clusters.map(asPeer);
    for (const provider of providers) if (consumer) await introduce(consumer, provider);
    await clock.settle();
    return { clusters: new Map(clusters.map(({ name, cluster }) => [name, cluster.snapshot()])) };
  } finally {
    for (const cluster of clusters) await cluster[Symbol.asyncDispose]();
  }
}

/** Draws the blueprint of the same clusters once. */
export function drawnOnce(): (names: readonly string[]) => Promise<Blueprint> {
  const drawn = new Map<string, Promise<Blueprint>>();
  return (names) => {
    const key = names.join();
    const blueprint = drawn.get(key) ?? drawBlueprint(names);
    drawn.set(key, blueprint);
    return blueprint;
  };
}

function asPeer({ name: cluster, admin: client }: SimulatedCluster): Peer<unknown> {
  const kubeconfigFor: Peer<unknown>['kubeconfigFor'] = ({ name: user, groups = [] }) =>
    writeKubeconfig({ cluster, user, groups });
  return { name: cluster, client, kubeconfigFor };
}

/**
 * The world runs the controllers itself, with the account that the Deployment would give them. It has no network over
 * which webhooks could answer, and serves no kinds that its processes do not look at.
 */
const notInstalled = [
  Deployment.kind,
  MutatingWebhookConfiguration.kind,
  PodDisruptionBudget.kind,
  RuntimeClass.kind,
  ValidatingWebhookConfiguration.kind,
];

async function install({ admin, name: clusterID }: SimulatedCluster): Promise<void> {
  for (const kind of kinds) {
    await admin.create(CustomResourceDefinition, forgeCustomResourceDefinition(kind));
  }
  const objects = forgeManifests({ ...defaultValues, clusterID }).filter(
    ({ kind = '' }) => !notInstalled.includes(kind),
  );
  for (const object of objects) await admin.create(kindOfManifest(object), object);
}
