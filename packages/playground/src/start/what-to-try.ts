import { tenantNamespaceName } from '@liqo/api';
import type { Scene } from './scene.ts';

/** The lines that a person copies into another terminal, with what they show. */
export function whatToTry(
  { consumer, node, app }: Scene,
  kubeconfigOf: (cluster: string) => string,
): readonly string[] {
  const { provider } = node;
  const { namespace } = app;
  const web = `deployment/${app.name}`;
  const here: readonly Try[] = [
    ['kubectl get nodes', `${provider} is the node ${node.name}`],
    [`kubectl get pods -n ${namespace} -o wide -w`, 'they run there, and look as if they ran here'],
    [`kubectl describe node ${node.name}`, 'what it lends, and its conditions'],
    [`kubectl logs -n ${namespace} ${web} -f`, 'as it is written over there'],
    [`kubectl exec -n ${namespace} ${web} -- hostname`, 'said by the container over there'],
    [`kubectl port-forward -n ${namespace} ${web} 8080:http`, 'then: curl localhost:8080'],
    [`kubectl scale -n ${namespace} ${web} --replicas=5`, 'two more over there'],
    [
      `kubectl drain ${node.name} --ignore-daemonsets`,
      `its pods end; kubectl uncordon ${node.name}`,
    ],
    ['npx liqoctl info', 'the installation and its peers'],
    ['npx liqoctl get virtualnodes -o wide', 'the virtual nodes of this cluster'],
    [
      `kubectl delete virtualnode -n ${tenantNamespaceName(provider)} ${node.name}`,
      'takes it all down, in order',
    ],
  ];
  const there: readonly Try[] = [
    [`kubectl get pods,shadowpods -n ${namespace}-${consumer}`, 'the same pods, where they run'],
  ];
  return [
    `As ${consumer}, which borrows, in another terminal:`,
    `  export KUBECONFIG=${kubeconfigOf(consumer)}`,
    ...align(here),
    '',
    `As ${provider}, which lends:`,
    `  export KUBECONFIG=${kubeconfigOf(provider)}`,
    ...align(there),
  ];
}

/** A command, and what it shows. */
type Try = readonly [string, string];

function align(tries: readonly Try[]): readonly string[] {
  const width = Math.max(...tries.map(([command]) => command.length));
  return tries.map(([command, shows]) => `  ${command.padEnd(width)}  # ${shows}`);
}
