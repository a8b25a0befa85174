import {
  anyNamespaceName,
  defaultPodPolicy,
  defaultTenantLimits,
  type PodPolicy,
} from '@liqo/model';

/** Quantities, as Kubernetes writes them. */
export interface Resources {
  readonly cpu: string;
  readonly memory: string;
}

type Words = Readonly<Record<string, string>>;

/** As Kubernetes has it; the keys are its own. */
type AsInKubernetes = Readonly<Record<string, unknown>>;

/** How objects of one kind are reflected. */
interface ReflectorValues {
  readonly workers: number;
  readonly type?: 'AllowList' | 'DenyList' | 'Disabled';
}

/** What an installation can be told. */
export interface Values {
  /** How this cluster is known to its peers. */
  readonly clusterID: string;
  readonly namespace: string;
  /** The name of the Helm release; part of the label `app.kubernetes.io/instance`. */
  readonly releaseName: string;
  readonly image: {
    readonly name: string;
    /** May end with a digest: `1.2@sha256:…`. */
    readonly tag: string;
    readonly pullPolicy: 'Always' | 'IfNotPresent' | 'Never';
    readonly pullSecrets: readonly { readonly name: string }[];
  };
  /** For all pods of the installation. */
  readonly common: {
    /** Also for all other objects. */
    readonly labels: Words;
    readonly nodeSelector: Words;
    readonly tolerations: readonly AsInKubernetes[];
    readonly affinity: AsInKubernetes;
  };
  readonly controllerManager: {
    readonly replicas: number;
    readonly logLevel: 'debug' | 'info' | 'warn' | 'error';
    /** Of the namespaces made for consumers. */
    readonly podSecurityLevel: 'privileged' | 'baseline' | 'restricted';
    readonly drainTimeoutSeconds: number;
    /** Where it says whether it is well. */
    readonly healthPort: number;
    readonly metrics: {
      /** Where it listens: an address of the pod. */
      readonly host: string;
      readonly port: number;
      /** The namespace whose pods may connect. */
      readonly namespace: string;
    };
    readonly extraArgs: readonly string[];
    readonly requests: Resources;
    readonly limits: Resources;
  };
  /** The webhooks that the API server of this cluster calls. */
  readonly webhook: {
    readonly replicas: number;
    readonly logLevel: 'debug' | 'info' | 'warn' | 'error';
    /** Where they listen; the port of the Service is another one. */
    readonly port: number;
    readonly healthPort: number;
    /** Of the rule for pods. */
    readonly failurePolicy: 'Fail' | 'Ignore';
    readonly extraArgs: readonly string[];
    readonly requests: Resources;
    readonly limits: Resources;
  };
  /** What consumers are told of the API server of this cluster. */
  readonly apiServer: {
    /** Empty: an address of a control-plane node. */
    readonly address: string;
    /** PEM, as base64. Empty: what is in `kube-root-ca.crt`. */
    readonly ca: string;
    readonly trustedCA: boolean;
  };
  readonly peers: {
    /** Their API servers: plain HTTP, no verification, loopback and metadata addresses. */
    readonly allowInsecure: boolean;
  };
  readonly authentication: {
    readonly enabled: boolean;
    /** RSA keys for this cluster, if they have to be made. */
    readonly tlsCompatibilityMode: boolean;
  };
  readonly offloading: { readonly enabled: boolean };
  readonly storage: { readonly enabled: boolean };
  /** What Helm runs besides. */
  readonly hooks: { readonly kinds: boolean; readonly uninstallCheck: boolean };
  readonly networkPolicies: { readonly enabled: boolean };
  readonly disruptionBudgets: { readonly enabled: boolean };
  /** For the operator of Prometheus, and for Grafana. */
  readonly monitoring: {
    readonly enabled: boolean;
    readonly interval: string;
    readonly labels: Words;
    readonly dashboard: { readonly enabled: boolean; readonly labels: Words };
  };
  /** What consumers are granted. */
  readonly slices: {
    readonly enableResourceEnforcement: boolean;
    /** Of their Quotas. */
    readonly defaultLimitsEnforcement: 'Hard' | 'None' | 'Soft';
    /** Whether slices of the class `default` are granted; otherwise they are denied. */
    readonly enableDefaultClass: boolean;
    /** `cpu=4` */
    readonly defaultNodeResources: readonly string[];
    /** `key=value` */
    readonly nodeLabels: readonly string[];
    readonly offerStorageClasses: boolean;
    readonly defaultStorageClass: string;
    /** `nginx`, or `nginx;default` */
    readonly ingressClasses: readonly string[];
    readonly loadBalancerClasses: readonly string[];
  };
  /** What goes into the VkOptionsTemplate that VirtualNodes use unless they name another. */
  readonly virtualKubelet: {
    readonly replicas: number;
    readonly createNode: boolean;
    readonly disableNetworkCheck: boolean;
    readonly extraArgs: readonly string[];
    readonly podLabels: Words;
    readonly podAnnotations: Words;
    readonly nodeLabels: Words;
    readonly nodeAnnotations: Words;
    /** By resource. */
    readonly reflection: Readonly<Record<string, ReflectorValues>>;
    readonly labelsNotReflected: readonly string[];
    readonly annotationsNotReflected: readonly string[];
    readonly metrics: { readonly enabled: boolean; readonly port: number };
    readonly requests: Resources;
    readonly limits: Resources;
  };
  /** What consumers may put into the namespaces that are made here for them. */
  readonly consumers: {
    /** Names of namespaces, `*` for any text, `<consumer>` for the cluster ID of the consumer. */
    readonly namespacePatterns: readonly string[];
    readonly maxNamespaces: number;
    readonly maxPods: number;
    readonly maxSlices: number;
    readonly pods: PodPolicy;
    readonly serviceTypes: readonly string[];
    /** Also the IP of a load balancer. */
    readonly allowExternalIPs: boolean;
    /** Hosts, `*.domain`, or `*`. */
    readonly ingressHosts: readonly string[];
    /** By name, by labels, or for want of a storage class. */
    readonly allowChosenVolumes: boolean;
    /** Names, or `*`. */
    readonly storageClasses: readonly string[];
    /** Ranges of this cluster, besides those of its Nodes and Services, that no endpoint may be in. */
    readonly deniedEndpointRanges: readonly string[];
    /** Ranges that endpoints may be in although Nodes or Services of this cluster are. */
    readonly allowedEndpointRanges: readonly string[];
    /** And labels, by the beginnings of their keys. */
    readonly deniedAnnotations: readonly string[];
  };
}

/** As `charts/liqo/values.yaml` has them; the cluster ID has no default. */
export const defaultValues: Omit<Values, 'clusterID'> = {
  namespace: 'liqo',
  releaseName: 'liqo',
  image: { name: 'localhost/liqo', tag: 'dev', pullPolicy: 'IfNotPresent', pullSecrets: [] },
  common: { labels: {}, nodeSelector: {}, tolerations: [], affinity: {} },
  controllerManager: {
    replicas: 1,
    logLevel: 'info',
    podSecurityLevel: 'baseline',
    drainTimeoutSeconds: 900,
    healthPort: 8081,
    // On loopback, only users with the right to forward ports of the pod read them.
    metrics: { host: '127.0.0.1', port: 8082, namespace: 'monitoring' },
    extraArgs: [],
    requests: { cpu: '100m', memory: '128Mi' },
    // Lists of several peers fit in, each of 128 MiB at most.
    limits: { cpu: '2', memory: '2Gi' },
  },
  webhook: {
    replicas: 2,
    logLevel: 'info',
    port: 9443,
    healthPort: 8083,
    failurePolicy: 'Fail',
    extraArgs: [],
    requests: { cpu: '50m', memory: '64Mi' },
    limits: { cpu: '1', memory: '512Mi' },
  },
  apiServer: { address: '', ca: '', trustedCA: false },
  peers: { allowInsecure: false },
  authentication: { enabled: true, tlsCompatibilityMode: false },
  offloading: { enabled: true },
  storage: { enabled: true },
  hooks: { kinds: true, uninstallCheck: true },
  networkPolicies: { enabled: true },
  disruptionBudgets: { enabled: true },
  monitoring: {
    enabled: false,
    interval: '30s',
    labels: {},
    dashboard: { enabled: false, labels: { grafana_dashboard: '1' } },
  },
  slices: {
    enableResourceEnforcement: true,
    defaultLimitsEnforcement: 'None',
    enableDefaultClass: true,
    defaultNodeResources: ['cpu=4', 'memory=8Gi', 'pods=110', 'ephemeral-storage=20Gi'],
    nodeLabels: [],
    offerStorageClasses: true,
    defaultStorageClass: '',
    ingressClasses: [],
    loadBalancerClasses: [],
  },
  virtualKubelet: {
    replicas: 1,
    createNode: true,
    disableNetworkCheck: false,
    extraArgs: [],
    podLabels: {},
    podAnnotations: {},
    nodeLabels: {},
    nodeAnnotations: {},
    reflection: {},
    labelsNotReflected: [],
    annotationsNotReflected: [],
    metrics: { enabled: false, port: 5872 },
    requests: { cpu: '50m', memory: '64Mi' },
    limits: { cpu: '2', memory: '1Gi' },
  },
  consumers: {
    namespacePatterns: anyNamespaceName,
    maxNamespaces: defaultTenantLimits.namespaces,
    maxPods: defaultTenantLimits.pods,
    maxSlices: defaultTenantLimits.slices,
    pods: defaultPodPolicy,
    serviceTypes: ['ClusterIP', 'NodePort', 'LoadBalancer'],
    allowExternalIPs: false,
    ingressHosts: [],
    allowChosenVolumes: false,
    storageClasses: ['*'],
    deniedEndpointRanges: [],
    allowedEndpointRanges: [],
    deniedAnnotations: [
      // DNS names of the provider.
      'external-dns.alpha.kubernetes.io/',
      'external-dns.kubernetes.io/',
      // Addresses of load balancers.
      'metallb.io/',
      'metallb.universe.tf/',
      'kube-vip.io/',
      'lbipam.cilium.io/',
      'io.cilium/lb-ipam-',
      'kubernetes.digitalocean.com/load-balancer-id',
      'kubernetes.io/ingress.global-static-ip-name',
      'loadbalancer.openstack.org/load-balancer-id',
      'networking.gke.io/load-balancer-ip-addresses',
      'service.beta.kubernetes.io/aws-load-balancer-eip-allocations',
      'service.beta.kubernetes.io/aws-load-balancer-private-ipv4-addresses',
      'service.beta.kubernetes.io/aws-load-balancer-security-groups',
      'service.beta.kubernetes.io/aws-load-balancer-ssl-cert',
      'service.beta.kubernetes.io/azure-load-balancer-ipv',
      'service.beta.kubernetes.io/azure-pip-',
      // Further hosts, configuration text, and Secrets of other namespaces.
      'nginx.ingress.kubernetes.io/server-alias',
      'nginx.ingress.kubernetes.io/server-snippet',
      'nginx.ingress.kubernetes.io/configuration-snippet',
      'nginx.ingress.kubernetes.io/auth-',
      'nginx.ingress.kubernetes.io/stream-snippet',
      'nginx.ingress.kubernetes.io/modsecurity-snippet',
      'nginx.ingress.kubernetes.io/proxy-ssl-secret',
      'nginx.ingress.kubernetes.io/mirror-',
      'nginx.ingress.kubernetes.io/custom-headers',
      'nginx.ingress.kubernetes.io/fastcgi-params-configmap',
      'nginx.org/server-snippets',
      'nginx.org/location-snippets',
      'haproxy.org/backend-config-snippet',
      'haproxy-ingress.github.io/config-',
      'traefik.ingress.kubernetes.io/router.middlewares',
      'traefik.ingress.kubernetes.io/router.tls.options',
      'alb.ingress.kubernetes.io/actions.',
      'alb.ingress.kubernetes.io/certificate-arn',
      'alb.ingress.kubernetes.io/group.',
      'alb.ingress.kubernetes.io/security-groups',
      // Certificates for further hosts.
      'cert-manager.io/alt-names',
      'cert-manager.io/common-name',
      'cert-manager.io/email-sans',
      'cert-manager.io/ip-sans',
      'cert-manager.io/uri-sans',
      // Copies of Secrets and ConfigMaps from other namespaces.
      'replicator.v1.mittwald.de/',
      'reflector.v1.k8s.emberstack.com/',
      // Data sources and dashboards of Grafana.
      'grafana_',
      // A storage class besides the one in the spec.
      'volume.beta.kubernetes.io/storage-class',
    ],
  },
};
