export type Permission = 'allowed' | 'forbidden';

/** What a kubeconfig may make a process do. */
export interface KubeconfigTrust {
  /** To have files read: whoever wrote it would choose which of our files are sent to a server of its choice. */
  readonly files: Permission;
  /** To have programs run. */
  readonly execPlugins: Permission;
  /** To act as another user than the one who is authenticated. */
  readonly impersonation: Permission;
  /** To use plain HTTP, or TLS without verification. */
  readonly insecureServers: Permission;
  /** To connect to loopback, link-local, metadata and other reserved addresses, also those that a name resolves to. */
  readonly reservedAddresses: Permission;
}

/** For a kubeconfig of the user who runs the process. */
export const trusted: KubeconfigTrust = {
  files: 'allowed',
  execPlugins: 'allowed',
  impersonation: 'allowed',
  insecureServers: 'allowed',
  reservedAddresses: 'allowed',
};

/** For a kubeconfig that came from elsewhere: a peer, a Secret. */
export const untrusted: KubeconfigTrust = {
  files: 'forbidden',
  execPlugins: 'forbidden',
  impersonation: 'forbidden',
  insecureServers: 'forbidden',
  reservedAddresses: 'forbidden',
};
