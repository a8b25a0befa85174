import {
  type ApiCall,
  type CrashSite,
  describeWriteByKey,
  type ExtraWrite,
} from '@liqo/testkit/faults';
import { node } from './shop.ts';

const consumer = 'rome/controller-manager';
const provider = 'milan/controller-manager';
const kubelet = `rome/virtual-kubelet(${node})`;

/**
 * Pods of one ReplicaSet are interchangeable: which of them is scaled down differs between two stories. So are requests for
 * certificates, whose names are made up.
 */
export function describeWrite(call: ApiCall): string {
  return describeWriteByKey(call)
    .replace(/(\/web-[a-z0-9]+)-[a-z0-9]{5}$/, '$1-*')
    .replace(/( certificatesigningrequests\S*) .*$/, '$1 *');
}

/** Every write that a mishap costs, with the mishaps that cost it. All other sites of the story cost none. */
export const extraWrites: readonly ExtraWrite[] = [
  {
    reason:
      'the restarted manager finds the NamespaceMap terminating before the VirtualNode is gone',
    matches: (write, site) =>
      isInterruptedTeardown(site) && isPatch(write, consumer, 'namespaceoffloadings/status'),
  },
  {
    reason: 'the provider reports the failed creation in the NamespaceMap before it succeeds',
    matches: (write, site) =>
      isFailedMapping(site) && isPatch(write, provider, 'namespacemaps/status'),
  },
  {
    reason: 'replication copies that report to the consumer',
    matches: (write, site) =>
      isFailedMapping(site) && isPatch(write, consumer, 'namespacemaps/status'),
  },
  {
    reason: 'the NamespaceOffloading repeats that report',
    matches: (write, site) =>
      isFailedMapping(site) && isPatch(write, consumer, 'namespaceoffloadings/status'),
  },
  {
    reason:
      'the restarted virtual kubelet finds its Node and reports it not ready before it has probed the provider',
    matches: (write, site) => isInterruptedStart(site) && isPatch(write, kubelet, 'nodes/status'),
  },
  {
    reason:
      'the node lifecycle controller changes the Node in between, and the status is written again after the conflict',
    matches: (write, site) => isInterruptedStart(site) && isPatch(write, kubelet, 'nodes/status'),
  },
  {
    reason: 'the VirtualNode repeats that the Node is not ready',
    matches: (write, site) =>
      isInterruptedStart(site) && isPatch(write, consumer, 'virtualnodes/status'),
  },
  ...[1, 2, 3].map((pod) => ({
    reason: `pod ${pod} of three reports that it waits for the root CA of the consumer, which comes later`,
    matches: (write: ApiCall, site: CrashSite) =>
      isLateReflection(site) && isPatch(write, kubelet, 'pods/status'),
  })),
  // The two writers of the conditions of a VirtualNode: a mishap may shift when they write.
  {
    reason: 'the Provider condition comes first, and the other conditions are written again',
    matches: (write) => isPatch(write, consumer, 'virtualnodes/status'),
  },
  {
    reason: 'the other conditions come first, and the Provider condition is written again',
    matches: (write) => isPatch(write, kubelet, 'virtualnodes/status'),
  },
];

/** Between the deletion of the NamespaceMap and the release of the VirtualNode. */
function isInterruptedTeardown({ process, when, call }: CrashSite): boolean {
  if (process !== consumer) return false;
  return when === 'after'
    ? call.verb === 'delete' && resourceOf(call) === 'namespacemaps'
    : when === 'before' && call.verb === 'patch' && resourceOf(call) === 'virtualnodes';
}

/** The provider cannot make the namespace, or the binding in it, at first. */
function isFailedMapping({ process, when, call }: CrashSite): boolean {
  const isOfMapping = ['namespaces', 'rolebindings'].includes(resourceOf(call));
  return process === provider && when === 'refused' && call.verb === 'create' && isOfMapping;
}

/** The virtual kubelet dies with a Node that has no status yet. */
function isInterruptedStart({ process, when, call }: CrashSite): boolean {
  if (process !== kubelet || when === 'refused') return false;
  if (call.verb === 'create') return when === 'after' && resourceOf(call) === 'nodes';
  if (resourceOf(call) === 'nodes/status') return when === 'before';
  return resourceOf(call) === 'virtualnodes/status';
}

/** The virtual kubelet gets the Lease of reflection later, or the right to read what it reflects. */
function isLateReflection({ process, when, call }: CrashSite): boolean {
  if (when !== 'refused') return false;
  if (process === kubelet) return call.verb === 'create' && resourceOf(call) === 'leases';
  return process === consumer && resourceOf(call) === 'rolebindings' && call.verb === 'patch';
}

function isPatch(write: ApiCall, process: string, resource: string): boolean {
  return write.who === process && write.verb === 'patch' && resourceOf(write) === resource;
}

/** Without its group. */
function resourceOf({ resource }: ApiCall): string {
  const [, plural = '', subresource = ''] = /^([^./]+)[^/]*(\/.+)?$/.exec(resource) ?? [];
  return plural + subresource;
}
