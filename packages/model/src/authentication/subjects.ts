import { sha256 } from '../sha256.ts';

/** The subject of a client certificate: the user name and the only group of its holder. */
export interface IdentitySubject {
  readonly commonName: string;
  readonly organization: string;
}

/** The group of the control planes of all consumers. */
const controlPlaneGroup = 'liqo.io';

/** Of the identity with which the control plane of a consumer replicates its objects. */
export function controlPlaneSubject(consumerClusterID: string): IdentitySubject {
  return { commonName: consumerClusterID, organization: controlPlaneGroup };
}

/** Of the identity of the virtual kubelet of one slice: a user of its own in the group of the consumer. */
export function sliceSubject(slice: string, consumerClusterID: string): IdentitySubject {
  return { commonName: quotaName(slice, consumerClusterID), organization: consumerClusterID };
}

/** The name of the Quota of a slice, which is also the user that it limits. */
export function quotaName(slice: string, consumerClusterID: string): string {
  const bytes = 6;
  return `${slice}-${sha256(consumerClusterID).slice(0, 2 * bytes)}`;
}
