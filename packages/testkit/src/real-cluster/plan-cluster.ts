import { findAssets } from './assets-folder.ts';
import type { ComponentName } from './component.ts';
import type { Flags } from './control-plane-flags.ts';
import { hollowPrograms } from './hollow/hollow-nodes.ts';
import { checkHost, thisHost } from './node/check-host.ts';
import { type NodesWanted, nameNodes } from './node/name-nodes.ts';
import { nodePrograms } from './node/node-assets.ts';

export interface RealClusterOptions {
  /** A DNS label: in the names of folder, kubeconfig context, user and nodes. */
  readonly name?: string;
  /** Whole nodes, with a kubelet that runs containers: how many, or their names. Needs Linux and root. */
  readonly nodes?: NodesWanted;
  /**
   * Nodes without anything behind them, for scale: pods on them run at once, in name only. Beside whole nodes they have
   * the taint `kwok.x-k8s.io/node=fake:NoSchedule`.
   */
  readonly hollowNodes?: number;
  /** `api-only` is etcd and the API server: quicker, but nobody acts on the objects. */
  readonly components?: 'control-plane' | 'api-only';
  /** Added to the stock flags, or put in their place: `{ 'goaway-chance': '0.02' }`. */
  readonly apiServerFlags?: Flags;
  readonly controllerManagerFlags?: Flags;
  readonly schedulerFlags?: Flags;
  /** Added to the settings of every kubelet, as in `KubeletConfiguration`: `{ nodeLeaseDurationSeconds: 8 }`. */
  readonly kubeletConfig?: Readonly<Record<string, unknown>>;
  /** Where the port of the API server comes from; asked again when somebody else was quicker to take it. */
  readonly choosePort?: () => Promise<number>;
}

export interface ClusterPlan {
  readonly name: string;
  readonly nodeNames: readonly string[];
  readonly hollowNodes: number;
  readonly controllers: boolean;
  /** By component: added to the stock flags, or put in their place. */
  readonly flags: Partial<Record<ComponentName, Flags>>;
  /** The folder of the programs. */
  readonly assets: string;
  readonly options: RealClusterOptions;
}

const apiPrograms = ['etcd', 'kube-apiserver', 'kubectl'];
const controllerPrograms = ['kube-controller-manager', 'kube-scheduler'];

/** Decides everything that can be decided before something runs; throws when the cluster cannot be had here. */
export function planCluster(options: RealClusterOptions): ClusterPlan {
  const name = checkName(options.name ?? 'kubernetes');
  const controllers = options.components !== 'api-only';
  const nodeNames = nameNodes(name, options.nodes ?? 0);
  const hollowNodes = options.hollowNodes ?? 0;
  if (nodeNames.length + hollowNodes > 0 && !controllers)
    throw new Error(`Cannot start cluster "${name}": nodes need its controllers`);
  if (nodeNames.length > 0) checkHost(thisHost());
  const needs = [
    { needed: true, programs: apiPrograms, sets: [] },
    { needed: controllers, programs: controllerPrograms, sets: [] },
    { needed: nodeNames.length > 0, programs: nodePrograms, sets: ['nodes'] },
    { needed: hollowNodes > 0, programs: hollowPrograms, sets: ['kwok'] },
  ].filter(({ needed }) => needed);
  const programs = needs.flatMap((need) => need.programs);
  const sets = needs.flatMap((need) => need.sets);
  const assets = findAssets(programs, process.env, sets);
  return {
    name,
    nodeNames,
    hollowNodes,
    controllers,
    flags: chooseFlags(options),
    assets,
    options,
  };
}

function checkName(name: string): string {
  if (/^[a-z0-9]([a-z0-9-]{0,30}[a-z0-9])?$/.test(name)) return name;
  throw new Error(
    `Cannot start cluster "${name}": a name is at most 32 lower-case letters, digits and inner dashes`,
  );
}

function chooseFlags(options: RealClusterOptions): Partial<Record<ComponentName, Flags>> {
  // Without the controller that makes service accounts, their admission would refuse every pod.
  const admission: Flags =
    options.components === 'api-only' ? { 'disable-admission-plugins': 'ServiceAccount' } : {};
  // Thousands of nodes would use up the addresses for pods; hollow ones have no use for theirs.
  const addresses: Flags = options.hollowNodes ? { 'allocate-node-cidrs': 'false' } : {};
  return {
    'kube-apiserver': { ...admission, ...options.apiServerFlags },
    'kube-controller-manager': { ...addresses, ...options.controllerManagerFlags },
    'kube-scheduler': { ...options.schedulerFlags },
  };
}
