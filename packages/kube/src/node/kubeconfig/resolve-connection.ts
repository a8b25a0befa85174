import type { Clock } from '../../clock.ts';
import { type ClusterEndpoint, clusterEndpoint } from './cluster-endpoint.ts';
import type { Connection } from './connection.ts';
import { ExecIdentity } from './exec-identity.ts';
import { execCluster } from './exec-info.ts';
import type { ExecPlugin } from './exec-plugin.ts';
import { type Identity, ownIdentity, type ReloadContext } from './identity.ts';
import type { Environment } from './in-cluster-kubeconfig.ts';
import { authorityProblem } from './key-pair.ts';
import { KubeconfigConnection } from './kubeconfig-connection.ts';
import { type KubeconfigTrust, trusted } from './kubeconfig-trust.ts';
import { fixedValue, type LiveValue } from './live-value.ts';
import { readPem } from './pem-source.ts';
import { ReloadedValue } from './reloaded-value.ts';
import type { SelectedContext } from './select-context.ts';
import { userAuthentication } from './user-authentication.ts';

export interface ResolveConnectionOptions {
  readonly clock: Clock;
  /** Everything is allowed when absent. */
  readonly trust?: KubeconfigTrust | undefined;
  /** The environment that plugins inherit. */
  readonly env?: Environment | undefined;
  /** Whether standard input is a person's terminal, which plugins may use. */
  readonly hasTerminal?: boolean | undefined;
  /** How long a plugin may take; by default a minute, and ten when it has the terminal. */
  readonly pluginTimeoutMs?: number | undefined;
  /** Gets what plugins say on standard error, such as where to log in. */
  readonly onPluginMessage?: ((text: string) => void) | undefined;
  /** Told when a file could not be read again and what it held before stays in use. */
  readonly onStale?: ((error: unknown) => void) | undefined;
}

/**
 * Turns a cluster and a user into something a transport can use. Everything the kubeconfig says about them is checked,
 * and the files it names are read once; a plugin is not run before the first request.
 *
 * As with kubectl, a server on plain `http:` gets no credentials at all.
 */
export async function resolveConnection(
  selected: SelectedContext,
  options: ResolveConnectionOptions,
): Promise<Connection> {
  const { trust = trusted } = options;
  const endpoint = clusterEndpoint(selected.cluster, trust);
  const user = userAuthentication(selected.user, trust);
  const authority = liveAuthority(endpoint, options);
  const plugin = user.exec && pluginIdentity(user.exec, selected, authority, options);
  const identity = plugin ?? ownIdentity(user, { clock: options.clock, onStale: options.onStale });
  const isEncrypted = endpoint.server.protocol === 'https:';
  if (isEncrypted) await Promise.all([authority.current(), !plugin && identity.current()]);
  return new KubeconfigConnection({
    endpoint,
    namespace: selected.namespace,
    identity: isEncrypted ? identity : fixedValue(nobody),
    authority,
    impersonation: user.impersonation,
    reservedAddresses: trust.reservedAddresses,
  });
}

const nobody: Identity = { authorization: undefined, keyPair: undefined };

function liveAuthority(
  { authority }: ClusterEndpoint,
  { clock, onStale }: ReloadContext,
): LiveValue<string | undefined> {
  if (!authority) return fixedValue(undefined);
  const read = async () => {
    const pem = await readPem(authority);
    const problem = authorityProblem(pem);
    if (problem) throw authority.place.problem(problem);
    return pem;
  };
  return new ReloadedValue({ clock, onStale, read, isSame: (one, other) => one === other });
}

function pluginIdentity(
  plugin: ExecPlugin,
  { cluster }: SelectedContext,
  authority: LiveValue<string | undefined>,
  options: ResolveConnectionOptions,
): LiveValue<Identity> {
  return new ExecIdentity(plugin, {
    clock: options.clock,
    env: options.env ?? process.env,
    hasTerminal: options.hasTerminal ?? process.stdin.isTTY === true,
    onMessage: options.onPluginMessage,
    timeoutMs: options.pluginTimeoutMs,
    describeCluster: async () => execCluster(cluster.cluster, await authority.current()),
  });
}
