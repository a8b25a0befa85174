import { type Client, Deployment, isForbidden } from '@liqo/kube';
import { controllerManagerName } from '../info/server-version.ts';
import { startCommand } from './start-command.ts';

/** No process acts on the objects of Liqo. */
export interface Unattended {
  /** Without a Deployment, waiting is pointless; a Deployment without a ready pod may recover. */
  readonly isInstalled: boolean;
  readonly why: string;
  readonly hint: string;
  /** The command that repairs it, or that shows what is wrong. */
  readonly command: string;
}

/**
 * Why no controller-manager acts on objects of Liqo in the cluster; undefined if one does. Without the right to list
 * Deployments, one is assumed.
 */
export async function whyUnattended(
  client: Client,
  signal: AbortSignal,
): Promise<Unattended | undefined> {
  const fieldSelector = `metadata.name=${controllerManagerName}`;
  try {
    return judgeControllerManager((await client.list(Deployment, { fieldSelector, signal })).items);
  } catch (error) {
    if (isForbidden(error)) return undefined;
    throw error;
  }
}

export function judgeControllerManager(deployments: readonly Deployment[]): Unattended | undefined {
  const [deployment] = deployments;
  if (!deployment) {
    return {
      isInstalled: false,
      why: `nothing acts on it, because there is no Deployment "${controllerManagerName}" in this cluster`,
      hint: 'Install Liqo again with the same cluster ID, and it completes by itself; docs/guides/own-clusters.md shows how',
      command: 'liqoctl install',
    };
  }
  if (deployments.some(({ status }) => (status?.readyReplicas ?? 0) > 0)) return undefined;
  return {
    isInstalled: true,
    why: `nothing acts on it, because no pod of the Deployment "${controllerManagerName}" is ready`,
    hint: `It continues once a pod is ready; see why none is: kubectl get pods -n ${deployment.metadata?.namespace}`,
    command: startCommand(deployment),
  };
}
