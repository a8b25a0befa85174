import { Place } from './place.ts';

/**
 * A kubeconfig as it is on disk, every field spelled as there. It holds secrets: print it only into a file that is meant
 * to be one. An empty string means the same as an absent field, as it does to kubectl.
 */
export interface Kubeconfig {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly clusters: readonly NamedCluster[];
  readonly users: readonly NamedUser[];
  readonly contexts: readonly NamedContext[];
  readonly 'current-context'?: string;
  readonly preferences?: KubeconfigPreferences;
  readonly extensions?: readonly NamedExtension[];
}

/** Where an entry was read. It travels with the entry through merges and is no part of the document. */
export const origin: unique symbol = Symbol('origin');

export interface NamedCluster {
  readonly name: string;
  readonly cluster: KubeconfigCluster;
  readonly [origin]?: Place;
}

export interface NamedUser {
  readonly name: string;
  readonly user: KubeconfigUser;
  readonly [origin]?: Place;
}

export interface NamedContext {
  readonly name: string;
  readonly context: KubeconfigContext;
  readonly [origin]?: Place;
}

interface NamedExtension {
  readonly name: string;
  readonly extension: unknown;
}

export interface KubeconfigPreferences {
  readonly colors?: boolean;
  readonly extensions?: readonly NamedExtension[];
}

export interface KubeconfigCluster {
  readonly server?: string;
  readonly 'tls-server-name'?: string;
  readonly 'insecure-skip-tls-verify'?: boolean;
  readonly 'certificate-authority'?: string;
  readonly 'certificate-authority-data'?: string;
  readonly 'proxy-url'?: string;
  readonly 'disable-compression'?: boolean;
  readonly extensions?: readonly NamedExtension[];
}

export interface KubeconfigUser {
  readonly 'client-certificate'?: string;
  readonly 'client-certificate-data'?: string;
  readonly 'client-key'?: string;
  readonly 'client-key-data'?: string;
  readonly token?: string;
  readonly tokenFile?: string;
  readonly username?: string;
  readonly password?: string;
  readonly as?: string;
  readonly 'as-uid'?: string;
  readonly 'as-groups'?: readonly string[];
  readonly 'as-user-extra'?: Readonly<Record<string, readonly string[]>>;
  readonly 'auth-provider'?: AuthProviderConfig;
  readonly exec?: ExecConfig;
  readonly extensions?: readonly NamedExtension[];
}

export interface AuthProviderConfig {
  readonly name?: string;
  readonly config?: Readonly<Record<string, string>>;
}

export interface ExecConfig {
  readonly apiVersion?: string;
  readonly command?: string;
  readonly args?: readonly string[];
  readonly env?: readonly ExecEnvVar[];
  readonly installHint?: string;
  readonly provideClusterInfo?: boolean;
  readonly interactiveMode?: string;
}

export interface ExecEnvVar {
  readonly name?: string;
  readonly value?: string;
}

export interface KubeconfigContext {
  readonly cluster?: string;
  readonly user?: string;
  readonly namespace?: string;
  readonly extensions?: readonly NamedExtension[];
}

/** Where messages about an entry point: into the file it came from, or at its name when it was made by a program. */
export function placeOf(entry: NamedCluster | NamedUser | NamedContext): Place {
  if (entry[origin]) return entry[origin];
  const list = 'cluster' in entry ? 'clusters' : 'user' in entry ? 'users' : 'contexts';
  return new Place({ lines: new Map() }, `${list}["${entry.name}"]`);
}
