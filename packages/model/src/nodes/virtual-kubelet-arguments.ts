import type { VirtualNode, VkOptionsTemplate } from '@liqo/api';
import type { Stored } from '@liqo/kube';
import { formatReflectedResource } from '../reflection/reflected-resource.ts';
import { flagName, joinFlagValues, mergeFlags } from './flags.ts';

/** What the virtual kubelets of a cluster have in common. */
export interface HomeCluster {
  readonly clusterID: string;
  /** Where this is installed. */
  readonly liqoNamespace: string;
  /** Plain HTTP, no verification, loopback and metadata addresses of providers. */
  readonly allowInsecurePeers?: boolean;
}

/** Reflectors by their names in the options and on the command line. */
const reflectors = [
  'pod',
  'service',
  'endpointslice',
  'ingress',
  'configmap',
  'secret',
  'serviceaccount',
  'persistentvolumeclaim',
  'event',
] as const;
const reflectorsWithType = ['service', 'ingress', 'configmap', 'secret', 'event'] as const;

/** The command line of a virtual kubelet, in the order in which Liqo has it. */
export function forgeArguments(
  virtualNode: Stored<VirtualNode>,
  options: VkOptionsTemplate,
  home: HomeCluster,
): string[] {
  const head = [
    ...identityFlags(virtualNode, home),
    ...(home.allowInsecurePeers ? ['--allow-insecure-peers=true'] : []),
    ...classFlags(virtualNode),
    ...reflectorFlags(options),
    ...listFlag('--reflected-resources', reflectedResources(options)),
    ...mapFlag('--node-extra-annotations', options.spec.nodeExtraAnnotations),
    ...mapFlag('--node-extra-labels', options.spec.nodeExtraLabels),
    ...listFlag('--labels-not-reflected', options.spec.labelsNotReflected),
    ...listFlag('--annotations-not-reflected', options.spec.annotationsNotReflected),
  ];
  const tail = [...metricsFlags(options), ...nodeFlags(virtualNode, options)];
  const extras = undecided(options.spec.extraArgs ?? []);
  const known = new Set([...head, ...tail].map(flagName));
  const added = extras.filter((flag) => !known.has(flagName(flag)));
  return mergeFlags([...head, ...added, ...tail], extras);
}

/** Flags that the VirtualNode decides are for nobody else to change. */
const decidedFlags = new Set([
  '--foreign-cluster-id',
  '--nodename',
  '--tenant-namespace',
  '--home-cluster-id',
  '--foreign-kubeconfig-secret-name',
  '--create-node',
  '--node-check-network',
]);

/** Without those that are not for templates to say. */
export function undecided(args: readonly string[]): string[] {
  return joinFlagValues(args).filter((flag) => !decidedFlags.has(flagName(flag)));
}

function identityFlags(
  { metadata, spec }: Stored<VirtualNode>,
  { clusterID, liqoNamespace }: HomeCluster,
): string[] {
  return [
    `--foreign-cluster-id=${spec.clusterID ?? ''}`,
    `--nodename=${metadata.name}`,
    '--node-ip=$(POD_IP)',
    `--tenant-namespace=${metadata.namespace ?? ''}`,
    `--liqo-namespace=${liqoNamespace}`,
    `--home-cluster-id=${clusterID}`,
  ];
}

function reflectorFlags({ spec }: VkOptionsTemplate): string[] {
  const { reflectorsConfig: config = {} } = spec;
  const workers = reflectors.flatMap((name) =>
    config[name] ? [`--${name}-reflection-workers=${workersOf(config[name])}`] : [],
  );
  const types = reflectorsWithType.flatMap((name) => {
    const type = config[name]?.type;
    return type && type !== 'Disabled' ? [`--${name}-reflection-type=${type}`] : [];
  });
  return [...workers, ...types];
}

function reflectedResources({ spec }: VkOptionsTemplate): string[] {
  return (spec.reflectedResources ?? []).map(({ group, version, resource, type = 'DenyList' }) =>
    formatReflectedResource({ group, version, plural: resource, policy: type }),
  );
}

type ReflectorConfig = NonNullable<VkOptionsTemplate['spec']['reflectorsConfig']>[string];

function workersOf({ workers, type }: ReflectorConfig): number {
  return type === 'Disabled' ? 0 : workers;
}

function metricsFlags({ spec }: VkOptionsTemplate): string[] {
  const { metricsEnabled, metricsAddress } = spec;
  const address = metricsAddress ? [`--metrics-address=${metricsAddress}`] : [];
  return [`--metrics-enabled=${metricsEnabled}`, ...address];
}

function nodeFlags({ spec }: Stored<VirtualNode>, options: VkOptionsTemplate): string[] {
  const createNode = spec.createNode ?? options.spec.createNode;
  const skipNetwork = spec.disableNetworkCheck ?? options.spec.disableNetworkCheck;
  return [
    `--foreign-kubeconfig-secret-name=${spec.kubeconfigSecretRef?.name ?? ''}`,
    `--create-node=${createNode}`,
    `--node-check-network=${!skipNetwork}`,
  ];
}

/** The provider's classes that pods, ingresses and services get: the default one, or the first. */
function classFlags({ spec }: Stored<VirtualNode>): string[] {
  const offered = [
    ['storage', spec.storageClasses?.map((one) => ({ ...one, name: one.storageClassName }))],
    ['ingress', spec.ingressClasses?.map((one) => ({ ...one, name: one.ingressClassName }))],
    [
      'load-balancer',
      spec.loadBalancerClasses?.map((one) => ({ ...one, name: one.loadBalancerClassName })),
    ],
  ] as const;
  return offered.flatMap(([which, classes]) => {
    const chosen = classes?.find((one) => one.default) ?? classes?.[0];
    return chosen ? [`--enable-${which}`, `--remote-real-${which}-class-name=${chosen.name}`] : [];
  });
}

function mapFlag(flag: string, entries: Readonly<Record<string, string>> = {}): string[] {
  const pairs = Object.entries(entries).map(([key, value]) => `${key}=${value}`);
  return pairs.length > 0 ? [`${flag}=${pairs.join()}`] : [];
}

function listFlag(flag: string, entries: readonly string[] = []): string[] {
  return entries.length > 0 ? [`${flag}=${entries.join()}`] : [];
}
