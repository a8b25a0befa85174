import type {
  Advertisement,
  ForeignCluster,
  Identity,
  NamespaceOffloading,
  ResourceSlice,
  VirtualNode,
} from '@liqo/api';
import type { Namespace, Node, Pod, Stored } from '@liqo/kube';
import type { Unattended } from '../cluster/why-unattended.ts';
import type { WebhookFault } from '../cluster/why-webhook-fails.ts';

/** What offloading depends on, from the pod down to the API server of the provider; and the controllers of the consumer. */
type LinkName =
  | 'workload'
  | 'pod'
  | 'namespace'
  | 'webhook'
  | 'node'
  | 'virtual node'
  | 'slice'
  | 'offer'
  | 'quota'
  | 'identity'
  | 'peer'
  | 'API server'
  | 'controllers';

/** A virtual node, and what is between it and its provider. */
export interface Route {
  readonly virtualNode: Stored<VirtualNode>;
  readonly node: Stored<Node> | undefined;
  /** The ResourceSlice whose credentials it uses; undefined for credentials that were made by hand. */
  readonly slice: Stored<ResourceSlice> | undefined;
  /** The offer that it was made of. */
  readonly offer?: Stored<Advertisement> | undefined;
  readonly identity: Stored<Identity> | undefined;
  /** Whether its Secret has a kubeconfig; undefined without the right to read it. */
  readonly hasKubeconfig: boolean | undefined;
  /** When the certificate of its identity expired; undefined while it is valid. */
  readonly certificateExpired?: string | undefined;
  readonly foreignCluster: Stored<ForeignCluster> | undefined;
}

/** What makes pods. */
export interface Workload {
  /** `Deployment "web" in "shop"`. */
  readonly object: string;
  readonly wantedPods: number;
  readonly pods: number;
  /** Why its controller could not create the last one, by an Event. */
  readonly refusal: string | undefined;
  /** Shows more. */
  readonly command: string;
}

/** The objects of the consumer that the chain of one object consists of. */
export interface ChainFacts {
  readonly workload?: Workload | undefined;
  readonly pod?: Stored<Pod> | undefined;
  readonly namespace?: Stored<Namespace> | undefined;
  readonly offloading?: Stored<NamespaceOffloading> | undefined;
  /** Of the virtual node that is asked about, or that the pod is bound to; of all virtual nodes for a pod without a node. */
  readonly routes: readonly Route[];
  /** Of a slice or a peer that no virtual node uses. */
  readonly slice?: Stored<ResourceSlice> | undefined;
  readonly foreignCluster?: Stored<ForeignCluster> | undefined;
  /** The offer that is asked about, or one that no virtual node was made of. */
  readonly offer?: Stored<Advertisement> | undefined;
  /** A peer that could be asked for resources. */
  readonly peerID?: string | undefined;
  /** Undefined if the webhooks of this cluster answer, or if there are none. */
  readonly webhookFault?: WebhookFault | undefined;
  /** Undefined if the controller-manager of this cluster runs. */
  readonly unattended?: Unattended | undefined;
}

/** What to do about a broken link. */
export interface Remedy {
  /** Where the command is run: in the cluster that liqoctl talks to, or by an administrator of the provider. */
  readonly at: 'consumer' | 'provider';
  readonly command: string;
}

/** Why a link does not hold. */
export interface Break {
  /** One word, as in the conditions of Kubernetes. */
  readonly reason: string;
  /** What was observed, as a sentence without a full stop. */
  readonly evidence: string;
  readonly remedy: Remedy;
  /** Whether a broken link behind this one can be the cause of it: `Ready=False` of a Node says nothing new then. */
  readonly mayFollow?: boolean;
  /** Whether the controllers of this cluster have yet to act: if none runs, that is the cause. */
  readonly isPending?: boolean;
}

/** One link of the chain. */
export interface Link {
  readonly link: LinkName;
  /** `Pod "web" in "shop"`. */
  readonly object: string;
  /** Undefined if the link holds. */
  readonly problem?: Break | undefined;
}

type BreakOptions = Pick<Break, 'isPending' | 'mayFollow'> & { readonly at?: Remedy['at'] };

export function broken(
  reason: string,
  evidence: string,
  command: string,
  { at = 'consumer', ...options }: BreakOptions = {},
): Break {
  return { reason, evidence, remedy: { at, command }, ...options };
}
