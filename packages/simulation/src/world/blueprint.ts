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
  /** Whether their API servers ask webhooks, which then are processes of the world. */
  readonly hasWebhooks: boolean;
}

/** Whether the clusters have been introduced to each other by hand, or do not know each other and have webhooks. */
export type Acquaintance = 'introduced' | 'strangers';

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

/** Clusters with the kinds and roles of the product, with nothing running in them. */
export async function drawBlueprint(
  names: readonly string[],
  acquaintance: Acquaintance = 'introduced',
): Promise<Blueprint> {
  const hasWebhooks = acquaintance === 'strangers';
  const clock = new VirtualClock();
  const clusters: SimulatedCluster[] = [];
  try {
    for (const [index, name] of names.entries()) {
      const cluster = await SimulatedCluster.start({ name, clock, seed: index });
      clusters.push(cluster);
      await install(cluster, hasWebhooks);
    }
    const [consumer, ...providers] = clusters.map(asPeer);
    for (const provider of providers) {
      if (consumer && acquaintance === 'introduced') await introduce(consumer, provider);
    }
    await clock.settle();
    const snapshots = clusters.map(({ name, cluster }) => [name, cluster.snapshot()] as const);
    return { clusters: new Map(snapshots), hasWebhooks };
  } finally {
    for (const cluster of clusters) await cluster[Symbol.asyncDispose]();
  }
}

/** Draws the blueprint of the same clusters once. */
export function drawnOnce(): typeof drawBlueprint {
  const drawn = new Map<string, Promise<Blueprint>>();
  return (names, acquaintance = 'introduced') => {
    const key = `${names} ${acquaintance}`;
    const blueprint = drawn.get(key) ?? drawBlueprint(names, acquaintance);
    drawn.set(key, blueprint);
    return blueprint;
  };
}

function asPeer({ name: cluster, admin: client }: SimulatedCluster): Peer<unknown> {
  const kubeconfigFor: Peer<unknown>['kubeconfigFor'] = ({ name: user, groups = [] }) =>
    writeKubeconfig({ cluster, user, groups });
  return { name: cluster, client, kubeconfigFor };
}

/** Worlds serve no kinds that their processes do not look at. */
const notServed = [PodDisruptionBudget.kind, RuntimeClass.kind];
/** By hand there is nothing to install but kinds and roles. */
const notByHand = [
  Deployment.kind,
  MutatingWebhookConfiguration.kind,
  ValidatingWebhookConfiguration.kind,
];

/** The containers of its Deployments are played: the world runs the processes itself, with the same accounts. */
async function install(
  { admin, name: clusterID }: SimulatedCluster,
  isWhole: boolean,
): Promise<void> {
  for (const kind of kinds) {
    await admin.create(CustomResourceDefinition, forgeCustomResourceDefinition(kind));
  }
  const objects = forgeManifests({ ...defaultValues, clusterID }).filter(
    ({ kind = '' }) => !notServed.includes(kind) && (isWhole || !notByHand.includes(kind)),
  );
  for (const object of objects) await admin.create(kindOfManifest(object), object);
}
