import {
  type Kubeconfig,
  type NamedCluster,
  type NamedContext,
  type NamedUser,
  placeOf,
} from './kubeconfig.ts';
import { KubeconfigError } from './kubeconfig-error.ts';

/** What a user may ask for on the command line; every part overrides what the kubeconfig says. */
export interface ContextChoice {
  readonly context?: string | undefined;
  readonly cluster?: string | undefined;
  readonly user?: string | undefined;
  readonly namespace?: string | undefined;
}

/** One cluster, one user of it (anonymous has no name) and one namespace. */
export interface SelectedContext {
  readonly cluster: NamedCluster;
  readonly user: NamedUser;
  readonly namespace: string;
}

const anonymous: NamedUser = { name: '', user: {} };

/** Picks the chosen or current context and follows its references; a cluster can be chosen without a context. */
export function selectContext(config: Kubeconfig, choice: ContextChoice = {}): SelectedContext {
  const context = findContext(config, choice);
  return {
    cluster: findCluster(config, choice, context),
    user: findUser(config, choice, context),
    namespace: findNamespace(config, choice, context),
  };
}

function findContext(config: Kubeconfig, choice: ContextChoice): NamedContext | undefined {
  const name = choice.context || config['current-context'];
  if (!name && choice.cluster) return undefined;
  const complain = complaintAbout(config, choice.context ? undefined : 'current-context');
  if (!name)
    throw complain(`is not set; choose one of the contexts: ${listNames(config.contexts)}`);
  return find('context', name, config.contexts, complain);
}

function findCluster(config: Kubeconfig, choice: ContextChoice, context?: NamedContext) {
  const name = choice.cluster || context?.context.cluster;
  const complain = choice.cluster
    ? complaintAbout(config)
    : complaintIn(config, 'cluster', context);
  if (!name) throw complain(`is missing; name one of the clusters: ${listNames(config.clusters)}`);
  return find('cluster', name, config.clusters, complain);
}

function findUser(config: Kubeconfig, choice: ContextChoice, context?: NamedContext): NamedUser {
  const name = choice.user || context?.context.user;
  if (!name) return anonymous;
  const complain = choice.user ? complaintAbout(config) : complaintIn(config, 'user', context);
  return find('user', name, config.users, complain);
}

/** It becomes part of request paths, so it has to be what Kubernetes takes for a namespace: a DNS label. */
function findNamespace(config: Kubeconfig, choice: ContextChoice, context?: NamedContext): string {
  const namespace = choice.namespace || context?.context.namespace || 'default';
  if (/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/.test(namespace)) return namespace;
  const complain = choice.namespace
    ? complaintAbout(config)
    : complaintIn(config, 'namespace', context);
  throw complain(`"${namespace}" is no namespace; use lower case letters, digits and dashes`);
}

type Complaint = (reason: string) => KubeconfigError;

function find<T extends { readonly name: string }>(
  what: string,
  name: string,
  entries: readonly T[],
  complain: Complaint,
): T {
  const entry = entries.find((candidate) => candidate.name === name);
  if (entry) return entry;
  throw complain(`there is no ${what} "${name}"; the ${what}s are: ${listNames(entries)}`);
}

/** About the choice of the caller, or about a key that belongs to no entry. */
function complaintAbout(config: Kubeconfig, key?: string): Complaint {
  const sources = new Set(config.contexts.map((context) => placeOf(context).source));
  const source = sources.size === 1 ? [...sources][0] : undefined;
  return (reason) => new KubeconfigError({ source, key, reason });
}

function complaintIn(config: Kubeconfig, key: string, context?: NamedContext): Complaint {
  if (!context) return complaintAbout(config, key);
  const place = placeOf(context).key('context').key(key);
  return (reason) => place.problem(reason);
}

function listNames(entries: readonly { readonly name: string }[]): string {
  const most = 20;
  const names = entries.slice(0, most).map(({ name }) => `"${name}"`);
  if (entries.length > most) names.push(`${entries.length - most} more`);
  return names.join(', ') || 'none';
}
