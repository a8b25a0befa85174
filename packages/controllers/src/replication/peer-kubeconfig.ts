import { annotations, labels } from '@liqo/api';
import { hashText, type KubeObject, type Secret, type Stored } from '@liqo/kube';

/** The way to a peer's control plane, as a Secret of the tenant namespace describes it. */
export interface PeerKubeconfig {
  readonly clusterID: string;
  readonly kubeconfig: string;
  /** Where the originals are: the namespace of the Secret. */
  readonly localNamespace: string;
  /** Where our copies go, at the peer. */
  readonly remoteNamespace: string;
  /** Changes with anything that matters for the connection. */
  readonly fingerprint: string;
}

export type PeerSecret =
  | { readonly type: 'peer'; readonly peer: PeerKubeconfig }
  | { readonly type: 'fault'; readonly message: string };

/** Whether a Secret holds credentials of the control plane, as its labels say. */
export function isPeerSecret({ metadata }: KubeObject): boolean {
  const marks = metadata?.labels ?? {};
  return marks[labels.identityType] === 'ControlPlane' && labels.remoteClusterID in marks;
}

/** The peer that a Secret claims to be of. */
export function peerOf({ metadata }: Secret): string {
  return metadata?.labels?.[labels.remoteClusterID] ?? '';
}

export function readPeerSecret(secret: Stored<Secret>): PeerSecret {
  const { metadata, data } = secret;
  const clusterID = peerOf(secret);
  const remoteNamespace = metadata.annotations?.[annotations.remoteTenantNamespace];
  const encoded = data?.kubeconfig;
  if (!clusterID) return fault(`the label "${labels.remoteClusterID}" is empty`);
  if (!remoteNamespace) {
    return fault(`the annotation "${annotations.remoteTenantNamespace}" is missing`);
  }
  if (!encoded) return fault('the key "kubeconfig" is missing');
  const kubeconfig = Buffer.from(encoded, 'base64').toString();
  const fingerprint = hashText(JSON.stringify([clusterID, remoteNamespace, encoded]));
  const localNamespace = metadata.namespace ?? '';
  const peer = { clusterID, localNamespace, remoteNamespace, kubeconfig, fingerprint };
  return { type: 'peer', peer };
}

function fault(message: string): PeerSecret {
  return { type: 'fault', message };
}
