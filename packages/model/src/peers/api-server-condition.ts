import { findCondition } from '@liqo/kube';
import type {
  ApiServerState,
  ForeignClusterFacts,
  NewPeerCondition,
} from './foreign-cluster-facts.ts';

/** The messages are constant for each state: text of the peer would be written again with every probe. */
const problems: Readonly<Record<Exclude<ApiServerState, 'ready' | 'unknown'>, string>> = {
  disconnected: 'the kubeconfig of the identity cannot be used',
  failing: 'it answers that it is not alive',
  silent: 'it does not answer',
  unauthorized: 'it does not accept the identity',
};

/**
 * Undefined without credentials to probe with, as at a provider. Before the first result of the probe, the condition that was
 * recorded before stays.
 */
export function apiServerCondition(facts: ForeignClusterFacts): NewPeerCondition | undefined {
  const { apiServer, foreignCluster } = facts;
  const type = 'APIServerStatus';
  if (!hasControlPlaneCredentials(facts)) return undefined;
  if (apiServer === 'unknown') return findCondition(foreignCluster?.status?.conditions, type);
  if (apiServer === 'ready') {
    const message = 'The foreign cluster API Server is ready';
    return { type, status: 'Established', reason: 'APIServerReady', message };
  }
  const message = `The foreign cluster API Server is not ready: ${problems[apiServer]}`;
  return { type, status: 'Error', reason: 'APIServerNotReady', message };
}

export function hasControlPlaneCredentials({
  identities,
  controlPlaneSecrets,
}: Pick<ForeignClusterFacts, 'controlPlaneSecrets' | 'identities'>): boolean {
  return (
    controlPlaneSecrets.length > 0 || identities.some(({ spec }) => spec.type === 'ControlPlane')
  );
}
