import { annotations, type ForeignCluster } from '@liqo/api';
import { findCondition, type Stored } from '@liqo/kube';

/**
 * Whether nobody has to wait for a peer any more. Only a person can say so, with an annotation, and only while the peer does
 * not answer. A peer that is not known is not gone.
 */
export function isGoneForGood(peer: Stored<ForeignCluster> | undefined): boolean {
  if (peer?.metadata.annotations?.[annotations.permanentlyUnreachable] !== 'true') return false;
  return findCondition(peer.status?.conditions, 'APIServerStatus')?.status !== 'Established';
}
