import { oneLine } from '@liqo/kube';

/** What is wrong with the way to a provider, as its virtual kubelet sees it. */
export type ProviderProblem =
  | { readonly type: 'no-kubeconfig' }
  | { readonly type: 'invalid-kubeconfig'; readonly why: string }
  /** Somebody answers who is not the provider. */
  | { readonly type: 'wrong-cluster'; readonly found: string }
  /** 401: whoever the credentials stand for is not known there, or not any more. */
  | { readonly type: 'unauthorized'; readonly why: string }
  /** 403: in these namespaces over there, or altogether when none is named. */
  | { readonly type: 'forbidden'; readonly why: string; readonly namespaces: readonly string[] }
  | { readonly type: 'silent'; readonly why: string; readonly since?: string };

/** The same for people: one word, and a sentence that says what to do. */
export interface ProviderTrouble {
  readonly reason: string;
  readonly message: string;
}

export interface ProviderRoute {
  /** In the namespace of the VirtualNode. */
  readonly secretName: string;
  readonly providerClusterID: string;
}

const reasons = {
  'no-kubeconfig': 'NoKubeconfig',
  'invalid-kubeconfig': 'InvalidKubeconfig',
  'wrong-cluster': 'WrongCluster',
  unauthorized: 'RemoteUnauthorized',
  forbidden: 'RemoteForbidden',
  silent: 'ProviderUnreachable',
} as const satisfies Record<ProviderProblem['type'], string>;

/**
 * The sentence names the Secret, and is the same for as long as the problem is: it can be compared. What the provider says
 * is a part of it, cut so that the advice at its end has room in a condition.
 */
export function describeProblem(problem: ProviderProblem, route: ProviderRoute): ProviderTrouble {
  return { reason: reasons[problem.type], message: oneLine(sentenceOf(bounded(problem), route)) };
}

const maxQuoteBytes = 512;

function bounded(problem: ProviderProblem): ProviderProblem {
  if ('why' in problem) return { ...problem, why: oneLine(problem.why, maxQuoteBytes) };
  if ('found' in problem) return { ...problem, found: oneLine(problem.found, maxQuoteBytes) };
  return problem;
}

function sentenceOf(problem: ProviderProblem, route: ProviderRoute): string {
  const secret = `the Secret "${route.secretName}"`;
  const provider = `"${route.providerClusterID}"`;
  switch (problem.type) {
    case 'no-kubeconfig':
      return `${secret} with the key "kubeconfig" is not there: create it, with a kubeconfig of ${provider}`;
    case 'invalid-kubeconfig':
      return `the kubeconfig in ${secret} is of no use: ${problem.why}; replace it with one of ${provider}`;
    case 'wrong-cluster':
      return `the kubeconfig in ${secret} leads to the cluster "${problem.found}", not to ${provider}: replace it with one of ${provider}, or make a VirtualNode for "${problem.found}"`;
    case 'unauthorized':
      return `the provider does not accept the credentials in ${secret} (${problem.why}): they may have expired; replace them with new ones of ${provider}`;
    case 'forbidden':
      return `the provider does not grant the credentials in ${secret} what a virtual node needs${inThese(problem.namespaces)} (${problem.why}): have ${provider} bind the role "liqo-virtual-kubelet-remote" to their group there, or replace them`;
    case 'silent':
      return `the provider does not answer: ${sinceThen(problem.since)}${problem.why}; see that ${provider} runs, and that the address in ${secret} leads to it`;
  }
}

function inThese(namespaces: readonly string[]): string {
  if (namespaces.length === 0) return '';
  const names = namespaces.map((name) => `"${name}"`).join(', ');
  return ` in its ${namespaces.length === 1 ? 'namespace' : 'namespaces'} ${names}`;
}

function sinceThen(since: string | undefined): string {
  return since === undefined ? '' : `no answer since ${since}: `;
}
