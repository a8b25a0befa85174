import { type LogLevel, runDisposable } from '@liqo/runtime';
import {
  noAddresses,
  OwnAddresses,
  type OwnAddressesOptions,
  startVirtualKubelet,
} from '@liqo/virtual-kubelet';
import {
  describeFlags,
  type FlagTable,
  type FlagValues,
  listIgnoredFlags,
  parseFlags,
  UsageError,
} from '../flags.ts';
import { flagsWithoutEffect } from '../flags-without-effect.ts';
import { parseListener } from '../parse-listener.ts';
import { parseLogLevel } from '../parse-log-level.ts';
import { parseRanges } from '../parse-ranges.ts';
import { parseVirtualNodes, type ServedNode } from '../parse-virtual-nodes.ts';
import {
  customResourceFlags,
  parseCustomResources,
  parseReflection,
  reflectionFlags,
} from '../reflection-flags.ts';
import { runManager } from '../run-manager.ts';
import type { Command, Surroundings } from '../surroundings.ts';

const flags = {
  'foreign-cluster-id': { type: 'string', help: 'the provider, or that of each node, …' },
  'home-cluster-id': { type: 'string', help: 'this cluster' },
  nodename: {
    type: 'string',
    help: 'of the virtual node, and of its VirtualNode; one process serves several, …',
  },
  'tenant-namespace': { type: 'string', help: 'where the VirtualNode is, or that of each, …' },
  'liqo-namespace': { type: 'string', default: 'liqo', help: 'where this is installed' },
  'foreign-kubeconfig-secret-name': {
    type: 'string',
    help: 'in the tenant namespace, or one for each node, …; its key "kubeconfig" leads to the provider',
  },
  'node-ip': { type: 'string', help: 'the address of the virtual node: the one of this pod' },
  'listen-port': {
    type: 'string',
    default: '10250',
    help: 'of the kubelet endpoints; of several nodes one for each, …, or the first of as many',
  },
  'certificate-type': {
    type: 'string',
    default: 'kubelet',
    help: 'of the kubelet endpoints: kubelet or aws (signed by the cluster), or self-signed',
  },
  'create-node': { type: 'boolean', default: 'true', help: 'whether there is a Node' },
  'node-check-network': {
    type: 'boolean',
    default: 'true',
    help: 'whether the Node needs the network to the provider to be ready',
  },
  'node-extra-labels': { type: 'map', help: 'key=value, …' },
  'node-extra-annotations': { type: 'map', help: 'key=value, …' },
  'labels-not-reflected': { type: 'list', help: 'keys, …: these labels stay in this cluster' },
  'annotations-not-reflected': {
    type: 'list',
    help: 'keys, …: these annotations stay in this cluster',
  },
  'pod-reflection-workers': {
    type: 'number',
    default: '32',
    help: 'how many pods are worked on at a time',
  },
  ...reflectionFlags,
  ...customResourceFlags,
  'local-podcidr': {
    type: 'list',
    help: 'ranges of this cluster, …, besides those of its Nodes and Services: addresses of the provider’s pods in them are not taken over',
  },
  'remote-podcidr': {
    type: 'list',
    help: 'ranges of the provider’s pods, …: addresses in them are taken over, even from a range of this cluster',
  },
  'disable-ip-reflection': {
    type: 'boolean',
    default: 'false',
    help: 'whether no address of the provider’s pods is taken over',
  },
  'enable-apiserver-support': {
    type: 'boolean',
    default: 'false',
    help: 'whether pods at the provider may call the API server of this cluster, with tokens of their accounts',
  },
  'home-api-server-host': { type: 'string', default: 'kubernetes.default', help: 'for those pods' },
  'home-api-server-port': { type: 'string', default: '443', help: 'for those pods' },
  'metrics-enabled': { type: 'boolean', default: 'false', help: 'serves /metrics' },
  'metrics-address': { type: 'string', default: ':5872', help: 'where' },
  'allow-insecure-peers': {
    type: 'boolean',
    default: 'false',
    help: 'whether the kubeconfig of a peer may use plain HTTP, no verification, loopback or metadata addresses',
  },
  'log-level': { type: 'string', default: 'info', help: 'debug, info, warn or error' },
  'home-kubeconfig': {
    type: 'string',
    default: '',
    help: 'a file that leads to this cluster, instead of KUBECONFIG or the ServiceAccount',
  },
  v: { type: 'number', default: '0', help: 'as klog has it: from 4 on, as --log-level=debug' },
  'klog.v': { type: 'number', default: '0', help: 'the same' },
} as const satisfies FlagTable;

const allFlags = { ...flagsWithoutEffect, ...flags };

const name = 'virtual-kubelet';

/** A low limit: during a burst of pods the API server of the consumer has other clients to serve. */
const modest = { queue: 1 };

/** Plays the kubelets of virtual nodes. */
export const virtualKubelet: Command = {
  name,
  summary: 'plays the kubelet of a virtual node, or of several',
  help: () => describeFlags(allFlags),
  async run(args, around) {
    const values = parseFlags(name, allFlags, args);
    const nodes = parseVirtualNodes(values);
    const identity =
      around.env.POD_NAME ?? `${nodes[0]?.name}-${Math.floor(around.random() * 1e9)}`;
    const certificateType = parseCertificateType(values['certificate-type']);
    const ownRanges = parseRanges(name, 'local-podcidr', splitLists(values['local-podcidr']));
    const exemptRanges = parseRanges(name, 'remote-podcidr', splitLists(values['remote-podcidr']));
    const reflection = parseReflection(name, values);
    const customResources = parseCustomResources(name, splitLists(values['reflected-resources']));
    const startAddresses = (options: OwnAddressesOptions) =>
      values['disable-ip-reflection']
        ? noAddresses
        : new OwnAddresses({ ...options, ownRanges, exemptRanges });
    const ignored = listIgnoredFlags(allFlags, args);
    const kubeconfigPath = values['home-kubeconfig'];
    const health = values['metrics-enabled'] ? parseListener(values['metrics-address']) : undefined;
    await runManager(
      {
        name: 'virtual-kubelet',
        instance: identity,
        logLevel: chooseLogLevel(values),
        limit: modest,
        ...(kubeconfigPath && { kubeconfigPath }),
        ...(health && { health }),
        allowInsecurePeers: values['allow-insecure-peers'],
        runnables: ({ home, connectPeer, ...tools }) => {
          if (ignored.length > 0)
            tools.log.info('Ignored flags without effect', { flags: ignored });
          const addresses = startAddresses({
            clock: around.clock,
            random: around.random,
            log: tools.log,
            client: home,
          });
          const kubelets = nodes.map((node, nth) =>
            runDisposable(`virtual kubelet of ${node.name}`, () =>
              startVirtualKubelet({
                ...optionsOf(node, values, around),
                reflection,
                customResources,
                ...tools,
                local: home,
                connectProvider: connectPeer,
                log: nodes.length > 1 ? tools.log.with({ node: node.name }) : tools.log,
                identity,
                endpoint: { ...endpointOf(node, nth, around), certificateType },
                addresses,
              }),
            ),
          );
          return [...kubelets, runDisposable('addresses', () => addresses)];
        },
      },
      around,
    );
  },
};

const debugVerbosity = 4;

/** klog's verbosity, unless `--log-level` says more than its default. */
function chooseLogLevel(values: FlagValues<typeof flags>): LogLevel {
  const level = parseLogLevel(values['log-level']);
  const verbosity = Math.max(values.v, values['klog.v']);
  return level === 'info' && verbosity >= debugVerbosity ? 'debug' : level;
}

function optionsOf(
  node: ServedNode,
  values: FlagValues<typeof flags>,
  { clock, random }: Surroundings,
) {
  return {
    virtualNode: { namespace: node.namespace, name: node.name },
    kubeconfigSecretName: node.kubeconfigSecretName,
    liqoNamespace: values['liqo-namespace'],
    consumerClusterID: values['home-cluster-id'],
    providerClusterID: node.providerClusterID,
    clock,
    random,
    createNode: values['create-node'],
    podWorkers: values['pod-reflection-workers'],
    notReflected: {
      labels: splitLists(values['labels-not-reflected']),
      annotations: splitLists(values['annotations-not-reflected']),
    },
    node: {
      address: values['node-ip'],
      extras: {
        labels: values['node-extra-labels'],
        annotations: values['node-extra-annotations'],
      },
      checkNetwork: values['node-check-network'],
    },
    ...(values['enable-apiserver-support'] && {
      consumerApiServer: {
        host: values['home-api-server-host'] || flags['home-api-server-host'].default,
        port: values['home-api-server-port'] || flags['home-api-server-port'].default,
      },
    }),
  };
}

/** Where there is one place to listen at, the first of several nodes has it, and the others any that is free. */
function endpointOf({ port }: ServedNode, nth: number, { kubeletAddress }: Surroundings) {
  if (!kubeletAddress) return { port };
  return nth === 0 ? kubeletAddress : { ...kubeletAddress, port: 0 };
}

function parseCertificateType(text: string): 'kubelet' | 'aws' | 'self-signed' {
  if (text === 'kubelet' || text === 'aws' || text === 'self-signed') return text;
  throw new UsageError(
    `Cannot run "liqo ${name}": "--certificate-type=${text}" is not kubelet, aws or self-signed`,
  );
}

function splitLists(lists: readonly string[]): readonly string[] {
  return lists.flatMap((text) => text.split(',')).filter((key) => key !== '');
}
