import { type IpRangeSet, parseIpAddress, reservedUseOf } from '@liqo/kube';

/** What a PKCS#10 request asks for, read by whoever can read one. */
export interface CertificateContent {
  /** The relative names of the subject, in order, each with its attributes as `CN=…`. */
  readonly subject: readonly (readonly string[])[];
  readonly ipAddresses: readonly string[];
  /** Every other alternative name, with its type: `dns:example.org`. */
  readonly otherNames: readonly string[];
  /** Whatever else is asked for: extensions and attributes, by their object identifiers. */
  readonly extras: readonly string[];
}

export interface ServingRequest {
  readonly usages: readonly string[];
  /** Undefined when it could not be read. */
  readonly content: CertificateContent | undefined;
}

/** The virtual node for which a certificate is asked for, by its own virtual kubelet. */
export interface ServedVirtualNode {
  readonly name: string;
  /** Where its virtual kubelets run. */
  readonly podIPs: readonly string[];
  /** Those of them that are the addresses of Nodes, because the pods are on the host network. */
  readonly hostIPs: readonly string[];
  readonly cluster: ClusterAddresses;
}

/** What a serving certificate of a virtual kubelet must not be good for. */
interface ClusterAddresses {
  /** The ranges of Services. */
  readonly services: IpRangeSet;
  /** Of Nodes that are no virtual nodes. */
  readonly nodes: IpRangeSet;
}

export type ServingVerdict =
  | { readonly type: 'approve' }
  /** Not yet: what is missing may only not have been heard of. */
  | { readonly type: 'wait'; readonly message: string }
  | { readonly type: 'deny'; readonly reason: string; readonly message: string };

const usages = ['digital signature', 'server auth'];

/**
 * Whether the virtual kubelet of a virtual node may have the serving certificate that it asks for: exactly that of its
 * node, and nothing more. The signer copies what it is asked for, so whatever is not expected here would be signed.
 */
export function judgeServingRequest(
  { usages: asked, content }: ServingRequest,
  node: ServedVirtualNode,
): ServingVerdict {
  if (!content) return deny('UnreadableRequest', 'the request cannot be read');
  if (!hasSubject(content, node.name)) {
    const subject = content.subject.map((names) => names.join('+')).join(',');
    const wanted = `CN=system:node:${node.name},O=system:nodes`;
    return deny('WrongSubject', `the subject is "${subject}", and must be "${wanted}"`);
  }
  if (asked.toSorted().join() !== usages.join()) {
    const message = `the usages are [${asked.join()}], and must be [${usages.join()}]`;
    return deny('WrongUsages', message);
  }
  if (content.extras.length > 0) {
    return deny('UnexpectedContent', `it asks for more than names: ${content.extras.join()}`);
  }
  return judgeNames(content, node);
}

/** In any order; certificates tell no difference. */
function hasSubject({ subject }: CertificateContent, node: string): boolean {
  const attributes = subject.map((names) => (names.length === 1 ? names[0] : undefined));
  return (
    attributes.length === 2 &&
    attributes.includes(`CN=system:node:${node}`) &&
    attributes.includes('O=system:nodes')
  );
}

function judgeNames(
  { ipAddresses, otherNames }: CertificateContent,
  node: ServedVirtualNode,
): ServingVerdict {
  if (otherNames.length > 0) {
    const message = `only IP addresses are allowed, not ${otherNames.join()}`;
    return deny('UnexpectedNames', message);
  }
  if (ipAddresses.length === 0) return deny('MissingAddress', 'it names no IP address');
  const foreign = ipAddresses.filter((address) => !node.podIPs.includes(address));
  if (foreign.length > 0) {
    const whose = `no virtual kubelet of the node "${node.name}" runs at ${foreign.join()}`;
    return { type: 'wait', message: whose };
  }
  const [refusal] = ipAddresses.flatMap((address) => refuseAddress(address, node) ?? []);
  return refusal ? deny('ForbiddenAddress', refusal) : { type: 'approve' };
}

/** The status of a pod could say so: a certificate for it would pass for the API server, or for the kubelet of a machine. */
function refuseAddress(text: string, { hostIPs, cluster }: ServedVirtualNode): string | undefined {
  const address = parseIpAddress(text);
  if (!address) return `${text} is not an IP address`;
  const reserved = reservedUseOf(address);
  if (reserved) return `${text} is a ${reserved} address`;
  if (cluster.services.has(address)) return `${text} is in a range of Services`;
  const isOfNode = cluster.nodes.has(address) && !hostIPs.includes(text);
  return isOfNode ? `${text} is the address of a Node` : undefined;
}

function deny(reason: string, message: string): ServingVerdict {
  return { type: 'deny', reason, message };
}

/** Of a ServiceAccount, as API servers write it: undefined for anybody else. */
export function parseServiceAccountUser(
  username: string | undefined,
): { readonly namespace: string; readonly name: string } | undefined {
  const [system, kind, namespace, name, ...rest] = (username ?? '').split(':');
  if (system !== 'system' || kind !== 'serviceaccount' || rest.length > 0) return undefined;
  return namespace && name ? { namespace, name } : undefined;
}
