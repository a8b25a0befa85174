/**
 * What `npm run kubernetes` can build. Versions are not here: each set is built from a Go module of its own, whose
 * go.mod pins them and whose go.sum holds the checksums of every source.
 */
export interface ProgramSet {
  /** The folder of the Go module, below this one. */
  readonly module: string;
  /** The Go module whose version the set goes by, and from which `files` come. */
  readonly release: string;
  /** Program → Go package. */
  readonly programs: Readonly<Record<string, string>>;
  /** Go variables set by the linker: what a release build has, and a plain `go build` leaves empty. */
  readonly variables: (version: string) => Readonly<Record<string, string>>;
  /** Further files: name in the assets folder → files of the release, put together in this order. */
  readonly files: Readonly<Record<string, readonly string[]>>;
  /** How long the first build takes on two cores, sources not yet downloaded. */
  readonly minutes: number;
}

const kubernetes: ProgramSet = {
  module: '.',
  release: 'k8s.io/kubernetes',
  programs: {
    etcd: 'go.etcd.io/etcd/server/v3',
    'kube-apiserver': 'k8s.io/kubernetes/cmd/kube-apiserver',
    'kube-controller-manager': 'k8s.io/kubernetes/cmd/kube-controller-manager',
    'kube-scheduler': 'k8s.io/kubernetes/cmd/kube-scheduler',
    kubectl: 'k8s.io/kubernetes/cmd/kubectl',
  },
  variables: (version) => {
    const [major = '', minor = ''] = version.slice(1).split('.');
    const info = 'k8s.io/component-base/version';
    return {
      [`${info}.gitVersion`]: version,
      [`${info}.gitMajor`]: major,
      [`${info}.gitMinor`]: minor,
      [`${info}.gitTreeState`]: 'clean',
    };
  },
  files: {},
  minutes: 5,
};

/**
 * kwok has no built-in behaviour: what happens to a node or a pod is in stage files, each passed with `--config`.
 * Take `node`, `node-heartbeat-with-lease` and one of the two for pods: `pod-fast` answers at once, `pod-general` takes
 * seconds over each step of a life, the grace period of a deletion included.
 */
const kwok: ProgramSet = {
  module: 'kwok',
  release: 'sigs.k8s.io/kwok',
  programs: { kwok: 'sigs.k8s.io/kwok/cmd/kwok' },
  variables: () => ({}),
  files: {
    'kwok-stages/node.yaml': ['kustomize/stage/node/fast/node-initialize.yaml'],
    'kwok-stages/node-heartbeat-with-lease.yaml': [
      'kustomize/stage/node/heartbeat-with-lease/node-heartbeat-with-lease.yaml',
    ],
    'kwok-stages/pod-fast.yaml': [
      'kustomize/stage/pod/fast/pod-ready.yaml',
      'kustomize/stage/pod/fast/pod-complete.yaml',
      'kustomize/stage/pod/fast/pod-delete.yaml',
    ],
    'kwok-stages/pod-general.yaml': [
      'kustomize/stage/pod/general/pod-create.yaml',
      'kustomize/stage/pod/general/pod-init-container-running.yaml',
      'kustomize/stage/pod/general/pod-init-container-completed.yaml',
      'kustomize/stage/pod/general/pod-ready.yaml',
      'kustomize/stage/pod/general/pod-complete.yaml',
      'kustomize/stage/pod/general/pod-delete.yaml',
    ],
  },
  minutes: 2,
};

const helm: ProgramSet = {
  module: 'helm',
  release: 'helm.sh/helm/v3',
  programs: { helm: 'helm.sh/helm/v3/cmd/helm' },
  variables: (version) => ({
    'helm.sh/helm/v3/internal/version.version': version,
    // Which Kubernetes a chart is rendered for when no cluster is asked.
    'helm.sh/helm/v3/pkg/chartutil.k8sVersionMajor': '1',
    'helm.sh/helm/v3/pkg/chartutil.k8sVersionMinor': '35',
    'helm.sh/helm/v3/pkg/lint/rules.k8sVersionMajor': '1',
    'helm.sh/helm/v3/pkg/lint/rules.k8sVersionMinor': '35',
  }),
  files: {},
  minutes: 2,
};

/** What runs on a node, built from the very module of the control plane; node-packages.ts has what goes with it. */
const nodes: ProgramSet = {
  ...kubernetes,
  programs: {
    kubelet: 'k8s.io/kubernetes/cmd/kubelet',
    'kube-proxy': 'k8s.io/kubernetes/cmd/kube-proxy',
  },
  minutes: 1,
};

/** Always made. */
export const baseSet = kubernetes;

/** Made when asked for by name: `npm run kubernetes -- kwok helm nodes`. */
export const extraSets: Readonly<Record<string, ProgramSet>> = { kwok, helm, nodes };
