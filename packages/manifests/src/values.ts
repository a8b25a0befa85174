/** What an installation can be told. */
export interface Values {
  /** How this cluster is known to its peers. */
  readonly clusterID: string;
  readonly namespace: string;
  /** The name of the Helm release; part of the label `app.kubernetes.io/instance`. */
  readonly releaseName: string;
  readonly image: {
    readonly name: string;
    readonly pullPolicy: 'Always' | 'IfNotPresent' | 'Never';
  };
  readonly controllerManager: {
    readonly replicas: number;
    readonly logLevel: 'debug' | 'info' | 'warn' | 'error';
    /** Of the namespaces made for consumers. */
    readonly podSecurityLevel: 'privileged' | 'baseline' | 'restricted';
    readonly drainTimeoutSeconds: number;
    /** Where it says whether it is well. */
    readonly healthPort: number;
  };
  /** What goes into the VkOptionsTemplate that VirtualNodes use unless they name another. */
  readonly virtualKubelet: {
    readonly replicas: number;
    readonly createNode: boolean;
    readonly disableNetworkCheck: boolean;
    readonly extraArgs: readonly string[];
  };
}

/** As `charts/liqo/values.yaml` has them; the cluster ID has no default. */
export const defaultValues: Omit<Values, 'clusterID'> = {
  namespace: 'liqo',
  releaseName: 'liqo',
  image: { name: 'localhost/liqo:dev', pullPolicy: 'IfNotPresent' },
  controllerManager: {
    replicas: 1,
    logLevel: 'info',
    podSecurityLevel: 'baseline',
    drainTimeoutSeconds: 900,
    healthPort: 8081,
  },
  virtualKubelet: { replicas: 1, createNode: true, disableNetworkCheck: false, extraArgs: [] },
};
