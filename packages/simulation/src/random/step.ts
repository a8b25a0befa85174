/** What may happen in a world, as data: the same steps make the same story. A step that finds nothing to act on is none. */
export type Step = UserStep | Fault | TimeStep;

/** What people do, at home unless said otherwise. */
export type UserStep =
  | VirtualNodeStep
  | NamespaceStep
  | DeploymentStep
  | SingleStep
  | RemoteStep
  | OtherStep;

export type VirtualNodeStep =
  | { readonly type: 'create-virtual-node'; readonly node: string }
  | { readonly type: 'delete-virtual-node'; readonly node: string }
  | { readonly type: 'label-virtual-node'; readonly node: string; readonly value: string }
  | { readonly type: 'taint-virtual-node'; readonly node: string; readonly value: string }
  | { readonly type: 'resize-virtual-node'; readonly node: string; readonly cpu: string }
  /** Sets `spec.createNode`. */
  | { readonly type: 'set-create-node'; readonly node: string; readonly on: boolean };

export type NamespaceStep =
  | ({ readonly type: 'offload'; readonly namespace: string } & Offloading)
  | { readonly type: 'unoffload'; readonly namespace: string }
  | { readonly type: 'delete-namespace'; readonly namespace: string };

export type DeploymentStep =
  | ({ readonly type: 'deploy' } & Target & {
        readonly replicas: number;
        readonly where: Where;
        readonly sidecar?: boolean;
      })
  | ({ readonly type: 'scale' } & Target & { readonly replicas: number })
  | ({ readonly type: 'update' } & Target & { readonly version: number })
  | ({ readonly type: 'undeploy' } & Target);

export type SingleStep =
  | ({ readonly type: 'run-pod' } & Target & { readonly work: Work; readonly sidecar?: boolean })
  | ({ readonly type: 'run-job' } & Target & { readonly work: Work })
  | ({ readonly type: 'delete-job' } & Target);

/** At the provider, to what was made for the consumer there. */
export type RemoteStep =
  | { readonly type: 'delete-remote-pod'; readonly pick: number; readonly how: Deletion }
  | { readonly type: 'delete-shadow-pod'; readonly pick: number }
  | { readonly type: 'delete-remote-namespace'; readonly pick: number };

export type OtherStep =
  | { readonly type: 'delete-pod'; readonly pick: number; readonly how: Deletion }
  | { readonly type: 'drain'; readonly node: string }
  | { readonly type: 'cordon'; readonly node: string; readonly on: boolean }
  | { readonly type: 'put-stranger'; readonly stranger: Stranger }
  | {
      readonly type: 'resize-pod';
      readonly pick: number;
      readonly container: Container;
      readonly cpu: string;
    }
  /** Whether virtual kubelets give pods at the provider tokens of the consumer. */
  | { readonly type: 'set-api-server-support'; readonly on: boolean }
  /** Takes everything down that the user made, in this order. */
  | { readonly type: 'take-down'; readonly order: readonly Belonging[] };

export type Fault =
  | { readonly type: 'kill'; readonly process: string; readonly forMs: number }
  | { readonly type: 'restart'; readonly process: string }
  | { readonly type: 'cut-link'; readonly how: 'refused' | 'silent' | 'answers lost' }
  | { readonly type: 'heal-link' }
  /** Of every ten calls so many meet it. */
  | {
      readonly type: 'storm';
      readonly cluster: string;
      readonly what: Storm;
      readonly ofTen: number;
    }
  | { readonly type: 'slow-calls'; readonly cluster: string; readonly ms: number }
  | { readonly type: 'stale-watches'; readonly cluster: string; readonly ms: number }
  | { readonly type: 'forget-history'; readonly cluster: string }
  | { readonly type: 'lose-machine' }
  | { readonly type: 'spoil-kubeconfig'; readonly node: string }
  /** The Secret is created again when all faults end. */
  | { readonly type: 'delete-kubeconfig'; readonly node: string }
  /** A cluster answers 401 or 403 to everything that the identity of a process asks for. */
  | {
      readonly type: 'deny';
      readonly process: string;
      readonly cluster: string;
      readonly status: DenialStatus;
    }
  | { readonly type: 'end-denials' }
  | { readonly type: 'second-kubelet'; readonly node: string };

type TimeStep =
  | { readonly type: 'pass'; readonly ms: number }
  /** All faults end, and everything comes to rest: then the invariants have to hold. */
  | { readonly type: 'calm' };

interface Target {
  readonly namespace: string;
  readonly name: string;
}

interface Offloading {
  readonly naming: 'DefaultName' | 'EnforceSameName' | 'SelectedName';
  readonly pods: 'Local' | 'Remote' | 'LocalAndRemote';
}

export type Where = 'away' | 'anywhere';
/** What its container does: run for ever, or end well or badly after a while. */
export type Work = 'forever' | 'succeeds' | 'fails';
export type DenialStatus = 401 | 403;
/** Of a pod in a story: its main container, or its sidecar, where it has one. */
export type Container = 'main' | 'side';
export type Deletion = 'graceful' | 'forced';
export type Storm =
  | 'conflicts'
  | 'too many requests'
  | 'failures after the effect'
  | 'failures'
  | 'expired';
export type Belonging = 'workloads' | 'offloadings' | 'virtual nodes' | 'namespaces';

/** Somebody else's object, under a name that the product would like to have. */
export type Stranger =
  | 'remote namespace'
  | 'remote pod'
  | 'remote shadow pod'
  | 'remote root certificate'
  | 'virtual kubelet'
  | 'node';
