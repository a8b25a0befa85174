import type { RealCluster } from '@liqo/testkit/real-cluster';
import { kubectl } from '../real-nodes/kubectl.ts';

/** They go by themselves after a while, or come and go with the kinds. */
const fleeting =
  /^(events|events\.events\.k8s\.io|certificatesigningrequests\..*|apiservices\..*|componentstatuses)$/;

/** Every object of the cluster that lasts, of any kind: `Kind namespace/name`. */
export async function listEverything(cluster: RealCluster): Promise<readonly string[]> {
  const resources = await kubectl(cluster, 'api-resources --verbs=list -o name');
  const lasting = resources.split('\n').filter((resource) => !fleeting.test(resource));
  const { items } = JSON.parse(await kubectl(cluster, `get ${lasting.join()} -A -o json`));
  return items.map(nameOf).sort();
}

interface Named {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
}

function nameOf({ kind, metadata: { name, namespace } }: Named): string {
  return `${kind} ${namespace === undefined ? name : `${namespace}/${name}`}`;
}
