import { runDisposable } from '@liqo/runtime';
import { startVirtualKubelet } from '@liqo/virtual-kubelet';
import { describeFlags, type FlagTable, parseFlags, UsageError } from '../flags.ts';
import { parseListener } from '../parse-listener.ts';
import { parseLogLevel } from '../parse-log-level.ts';
import { runManager } from '../run-manager.ts';
import type { Command } from '../surroundings.ts';

const flags = {
  'foreign-cluster-id': { type: 'string', help: 'the provider' },
  'home-cluster-id': { type: 'string', help: 'this cluster' },
  nodename: { type: 'string', help: 'of the virtual node, and of its VirtualNode' },
  'tenant-namespace': { type: 'string', help: 'where the VirtualNode is' },
  'liqo-namespace': { type: 'string', default: 'liqo', help: 'where this is installed' },
  'foreign-kubeconfig-secret-name': {
    type: 'string',
    help: 'in the tenant namespace; its key "kubeconfig" leads to the provider',
  },
  'node-ip': { type: 'string', help: 'the address of the virtual node: the one of this pod' },
  'listen-port': { type: 'number', default: '10250', help: 'of the kubelet endpoints' },
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
  'enable-apiserver-support': {
    type: 'boolean',
    default: 'false',
    help: 'whether pods at the provider may call the API server of this cluster, with tokens of their accounts',
  },
  'home-api-server-host': { type: 'string', default: 'kubernetes.default', help: 'for those pods' },
  'home-api-server-port': { type: 'string', default: '443', help: 'for those pods' },
  'metrics-enabled': { type: 'boolean', default: 'false', help: 'serves /metrics' },
  'metrics-address': { type: 'string', default: ':5872', help: 'where' },
  'log-level': { type: 'string', default: 'info', help: 'debug, info, warn or error' },
} as const satisfies FlagTable;

/** Flags of the reflectors that are still to come: whoever sets them already may. */
const flagsToCome = Object.fromEntries(
  [
    'service',
    'endpointslice',
    'ingress',
    'configmap',
    'secret',
    'serviceaccount',
    'persistentvolumeclaim',
    'event',
  ].flatMap((kind) => [
    [`${kind}-reflection-workers`, { type: 'number', default: '3', help: 'without effect yet' }],
    [
      `${kind}-reflection-type`,
      { type: 'string', default: 'DenyList', help: 'without effect yet' },
    ],
  ]),
) as FlagTable;
const classFlags = Object.fromEntries(
  ['storage', 'ingress', 'load-balancer'].flatMap((what) => [
    [`enable-${what}`, { type: 'boolean', default: 'false', help: 'without effect yet' }],
    [`remote-real-${what}-class-name`, { type: 'string', default: '', help: 'without effect yet' }],
  ]),
) as FlagTable;
const allFlags = { ...flagsToCome, ...classFlags, ...flags };

const name = 'virtual-kubelet';

/** Plays the kubelet of a virtual node. */
export const virtualKubelet: Command = {
  name,
  summary: 'plays the kubelet of a virtual node',
  help: () => describeFlags(allFlags),
  async run(args, around) {
    const values = parseFlags(name, allFlags, args);
    const { clock, random, connectPeer, env, kubeletAddress } = around;
    const nodeName = values.nodename;
    const identity = env.POD_NAME ?? `${nodeName}-${Math.floor(random() * 1e9)}`;
    const certificateType = parseCertificateType(values['certificate-type']);
    const health = values['metrics-enabled'] ? parseListener(values['metrics-address']) : undefined;
    await runManager(
      {
        name: 'virtual-kubelet',
        instance: identity,
        logLevel: parseLogLevel(values['log-level']),
        ...(health && { health }),
        runnables: ({ home, log, metrics, events }) => [
          runDisposable('virtual kubelet', () =>
            startVirtualKubelet({
              local: home,
              virtualNode: { namespace: values['tenant-namespace'], name: nodeName },
              kubeconfigSecretName: values['foreign-kubeconfig-secret-name'],
              consumerClusterID: values['home-cluster-id'],
              providerClusterID: values['foreign-cluster-id'],
              clock,
              random,
              log,
              metrics,
              events,
              connectProvider: connectPeer,
              identity,
              createNode: values['create-node'],
              podWorkers: values['pod-reflection-workers'],
              notReflected: {
                labels: splitLists(values['labels-not-reflected']),
                annotations: splitLists(values['annotations-not-reflected']),
              },
              node: {
                address: kubeletAddress?.host ?? values['node-ip'],
                extras: {
                  labels: values['node-extra-labels'],
                  annotations: values['node-extra-annotations'],
                },
                checkNetwork: values['node-check-network'],
              },
              endpoint: {
                ...(kubeletAddress && { host: kubeletAddress.host }),
                port: kubeletAddress?.port ?? values['listen-port'],
                certificateType,
              },
              ...(values['enable-apiserver-support'] && {
                consumerApiServer: {
                  host: values['home-api-server-host'],
                  port: values['home-api-server-port'],
                },
              }),
            }),
          ),
        ],
      },
      around,
    );
  },
};

function parseCertificateType(text: string): 'kubelet' | 'aws' | 'self-signed' {
  if (text === 'kubelet' || text === 'aws' || text === 'self-signed') return text;
  throw new UsageError(
    `Cannot run "liqo ${name}": "--certificate-type=${text}" is not kubelet, aws or self-signed`,
  );
}

function splitLists(lists: readonly string[]): readonly string[] {
  return lists.flatMap((text) => text.split(',')).filter((key) => key !== '');
}
