export { connectClient, connectKubeconfig } from './connect-client.ts';
export { HttpTransport } from './http-transport.ts';
export type { Connection, ConnectionTls, RequestCredentials } from './kubeconfig/connection.ts';
export { ExecPluginError } from './kubeconfig/exec-plugin-error.ts';
export { forgeKubeconfig } from './kubeconfig/forge-kubeconfig.ts';
export type { Kubeconfig } from './kubeconfig/kubeconfig.ts';
export { KubeconfigError } from './kubeconfig/kubeconfig-error.ts';
export { type KubeconfigTrust, untrusted } from './kubeconfig/kubeconfig-trust.ts';
export { loadKubeconfig } from './kubeconfig/load-kubeconfig.ts';
export { parseKubeconfig } from './kubeconfig/parse-kubeconfig.ts';
export { printKubeconfig } from './kubeconfig/print-kubeconfig.ts';
export { resolveConnection } from './kubeconfig/resolve-connection.ts';
export {
  type SelectedContext,
  selectContext,
} from './kubeconfig/select-context.ts';
