import type { CertificateAuthority } from '../certificate-authority.ts';
import type { ClusterNetwork } from '../network/cluster-network.ts';
import type { ApiServerAccess } from '../probe.ts';

/** What has to be known to build a node. */
export interface NodePlan {
  readonly name: string;
  /** Its place in the cluster, counted from 0, which decides its addresses. */
  readonly nth: number;
  /** Everything of the cluster. */
  readonly folder: string;
  readonly assets: string;
  readonly network: ClusterNetwork;
  /** As the administrator. */
  readonly access: ApiServerAccess;
  readonly ca: CertificateAuthority;
  /** The image whose only work is to hold the namespaces of a pod. */
  readonly sandboxImage: string;
  /** Added to the settings of its kubelet, or put in their place, as in `KubeletConfiguration`. */
  readonly kubeletConfig: Readonly<Record<string, unknown>>;
}
