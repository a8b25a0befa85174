import { checkDnsLabel, checkDnsSubdomain, checkLabelValue } from '@liqo/kube';
import type { FlagTable } from './flag.ts';
import {
  connectionFlags,
  dryRunFlag,
  globalMetadataFlags,
  namespaceFlag,
  outputFlag,
  timeoutFlag,
} from './shared-flags.ts';

/** Everything that can be said about a VirtualNode, and about its making. */
export const virtualNodeFlags = {
  'remote-cluster-id': {
    type: 'text',
    value: 'ID',
    required: true,
    check: checkDnsLabel,
    help: 'the provider',
  },
  'kubeconfig-secret-name': {
    type: 'text',
    value: 'NAME',
    check: checkDnsSubdomain,
    help: 'the Secret whose key "kubeconfig" leads to the provider',
  },
  'resource-slice-name': {
    type: 'text',
    value: 'NAME',
    check: checkDnsSubdomain,
    help: 'the ResourceSlice whose resources and credentials it uses',
  },
  cpu: { type: 'quantity', value: 'QUANTITY', default: '2', help: 'CPU of the node' },
  memory: { type: 'quantity', value: 'QUANTITY', default: '4Gi', help: 'memory of the node' },
  pods: { type: 'quantity', value: 'QUANTITY', default: '110', help: 'pods that fit the node' },
  resource: {
    type: 'quantities',
    value: 'NAME=QUANTITY,…',
    help: 'further resources of the node, such as nvidia.com/gpu=2',
  },
  'create-node': { type: 'boolean', default: 'true', help: 'whether there is a Node' },
  'disable-network-check': {
    type: 'boolean',
    help: 'lets the Node be Ready without a network to the provider',
  },
  labels: {
    type: 'map',
    value: 'KEY=VALUE,…',
    check: checkLabelValue,
    help: 'labels of the Node',
  },
  'storage-classes': {
    type: 'list',
    value: 'NAME,…',
    help: 'of the provider; the first is default',
  },
  'ingress-classes': {
    type: 'list',
    value: 'NAME,…',
    help: 'of the provider; the first is default',
  },
  'load-balancer-classes': {
    type: 'list',
    value: 'NAME,…',
    help: 'of the provider; the first is default',
  },
  'node-selector': {
    type: 'map',
    value: 'KEY=VALUE,…',
    check: checkLabelValue,
    help: 'the nodes of the provider where its pods may run',
  },
  'runtime-class-name': {
    type: 'text',
    value: 'NAME',
    check: checkDnsSubdomain,
    help: 'the runtime class of its pods at the provider',
  },
  'vk-options-template': {
    type: 'text',
    value: '[NAMESPACE/]NAME',
    help: 'the VkOptionsTemplate to use in place of the default one',
  },
  'no-wait': { type: 'boolean', help: 'does not wait until the Node is Ready' },
  ...timeoutFlag('2m', 'how long it waits until the Node is Ready'),
  ...outputFlag(['json', 'yaml'], 'prints the manifest, and creates nothing'),
  ...dryRunFlag,
  ...namespaceFlag('where it is made, if not in the tenant namespace of the provider'),
  ...globalMetadataFlags,
  ...connectionFlags,
} as const satisfies FlagTable;
