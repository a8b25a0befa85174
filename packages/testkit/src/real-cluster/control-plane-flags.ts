/**
 * The command lines of a stock control plane, as kubeadm would write them, except where a test machine differs: one etcd
 * that may lose everything in a power cut, no leader election, and nothing listens on a port but the API server.
 */
export type Flags = Readonly<Record<string, string>>;

export interface ClusterLayout {
  /** Everything of the cluster is in it, and it is the working directory of every component. */
  readonly folder: string;
  /** Where the API server is found, and where it listens. */
  readonly address: string;
  readonly bindAddress: string;
  readonly port: number;
  readonly podRange: string;
}

const serviceCidr = '10.96.0.0/12';

/** The names by which pods know the API server, and the first address for services. */
export const apiServerHosts: readonly string[] = [
  'kubernetes',
  'kubernetes.default',
  'kubernetes.default.svc',
  'kubernetes.default.svc.cluster.local',
  'localhost',
  '10.96.0.1',
];

export function etcdFlags({ folder }: Pick<ClusterLayout, 'folder'>): Flags {
  // A lone member calls nobody; it insists on addresses all the same.
  const advertised = 'http://localhost:2380';
  return {
    name: 'etcd',
    'data-dir': `${folder}/etcd`,
    // Relative, because the path of a socket must be short.
    'listen-client-urls': 'unix://etcd.sock',
    'listen-peer-urls': 'unix://etcd-peer.sock',
    'advertise-client-urls': 'http://localhost:2379',
    'initial-advertise-peer-urls': advertised,
    'initial-cluster': `etcd=${advertised}`,
    // It elects itself, and can be quick about it.
    'heartbeat-interval': '10',
    'election-timeout': '100',
    'quota-backend-bytes': String(1024 ** 3),
    'unsafe-no-fsync': 'true',
  };
}

export function apiServerFlags(layout: Omit<ClusterLayout, 'podRange'>): Flags {
  const { folder, address, bindAddress, port } = layout;
  const pki = `${folder}/pki`;
  return {
    'advertise-address': address,
    'allow-privileged': 'true',
    'authorization-mode': 'Node,RBAC',
    'bind-address': bindAddress,
    'cert-dir': pki,
    'client-ca-file': `${pki}/ca.crt`,
    'enable-admission-plugins': 'NodeRestriction',
    'enable-bootstrap-token-auth': 'true',
    // Kubernetes refuses endpoints on loopback.
    ...(isLoopback(address) && { 'endpoint-reconciler-type': 'none' }),
    'etcd-servers': 'unix://etcd.sock',
    'kubelet-client-certificate': `${pki}/apiserver-kubelet-client.crt`,
    'kubelet-client-key': `${pki}/apiserver-kubelet-client.key`,
    'kubelet-preferred-address-types': 'InternalIP,ExternalIP,Hostname',
    'proxy-client-cert-file': `${pki}/front-proxy-client.crt`,
    'proxy-client-key-file': `${pki}/front-proxy-client.key`,
    'requestheader-allowed-names': 'front-proxy-client',
    'requestheader-client-ca-file': `${pki}/front-proxy-ca.crt`,
    'requestheader-extra-headers-prefix': 'X-Remote-Extra-',
    'requestheader-group-headers': 'X-Remote-Group',
    'requestheader-username-headers': 'X-Remote-User',
    'secure-port': String(port),
    'service-account-issuer': 'https://kubernetes.default.svc.cluster.local',
    'service-account-key-file': `${pki}/sa.pub`,
    'service-account-signing-key-file': `${pki}/sa.key`,
    'service-cluster-ip-range': serviceCidr,
    'tls-cert-file': `${pki}/apiserver.crt`,
    'tls-private-key-file': `${pki}/apiserver.key`,
  };
}

export function controllerManagerFlags({
  folder,
  podRange,
}: Pick<ClusterLayout, 'folder' | 'podRange'>): Flags {
  const pki = `${folder}/pki`;
  return {
    'allocate-node-cidrs': 'true',
    'cluster-cidr': podRange,
    'cluster-signing-cert-file': `${pki}/ca.crt`,
    'cluster-signing-key-file': `${pki}/ca.key`,
    controllers: '*,bootstrapsigner,tokencleaner',
    // Its many controllers introduce themselves all at once: at the stock burst that takes 4 s longer.
    'kube-api-burst': '300',
    kubeconfig: `${folder}/controller-manager.conf`,
    'leader-elect': 'false',
    'root-ca-file': `${pki}/ca.crt`,
    'secure-port': '0',
    'service-account-private-key-file': `${pki}/sa.key`,
    'service-cluster-ip-range': serviceCidr,
    'use-service-account-credentials': 'true',
  };
}

export function schedulerFlags({ folder }: Pick<ClusterLayout, 'folder'>): Flags {
  return {
    kubeconfig: `${folder}/scheduler.conf`,
    'leader-elect': 'false',
    'secure-port': '0',
  };
}

function isLoopback(address: string): boolean {
  return address.startsWith('127.') || address === '::1';
}
