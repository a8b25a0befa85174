import { tenantNamespaceName } from '@liqo/api';
import { listWords } from '../list-words.ts';
import { providerSecretName } from '../steps.ts';
import type { WantedNode } from '../wish.ts';
import type { Scene } from './scene.ts';
import { wrapWords } from './wrap-words.ts';

export interface TryOptions {
  readonly kubeconfigOf: (cluster: string) => string;
  /** How wide the terminal is; without bounds where there is none. */
  readonly columns: number;
}

/** The lines that a person copies into another terminal, with what they show. */
export function whatToTry(scene: Scene, { kubeconfigOf, columns }: TryOptions): readonly string[] {
  const { consumer, providers, app } = scene;
  const blockOf = (cluster: string, doing: string, tries: readonly Try[]) => [
    ...wrapWords(`As ${cluster}, ${doing}:`, columns),
    `  export KUBECONFIG=${kubeconfigOf(cluster)}`,
    ...formatTries(tries, columns),
  ];
  const remotePods: Try = [
    `kubectl get pods,shadowpods -n ${app.namespace}-${consumer}`,
    'the pods that run here',
  ];
  return [
    ...blockOf(consumer, 'which borrows, in another terminal', triesOfConsumer(scene)),
    ...providers.flatMap((provider) => ['', ...blockOf(provider, 'which lends', [remotePods])]),
  ];
}

/** A command, and what it shows. */
type Try = readonly [command: string, shows: string];

function triesOfConsumer({ virtualNodes = [], node, app }: Scene): readonly Try[] {
  const { namespace } = app;
  const web = `deployment/${app.name}`;
  const names = virtualNodes.map(({ name }) => name).join(' ');
  const roles = virtualNodes.map(({ name, provider }) => `${provider} is the node ${name}`);
  const places = listWords(virtualNodes.map(({ provider }) => provider));
  return [
    ['kubectl get nodes', listWords(roles)],
    [`kubectl get pods -n ${namespace} -o wide -w`, `pods that run at ${places}`],
    [`kubectl describe node ${names}`, 'capacity and conditions'],
    [`kubectl logs -n ${namespace} ${web} -f`, 'the output of a container at the provider'],
    [`kubectl exec -n ${namespace} ${web} -- hostname`, 'runs in a container at the provider'],
    [`kubectl port-forward -n ${namespace} ${web} 8080:http`, 'then: curl localhost:8080'],
    [`kubectl scale -n ${namespace} ${web} --replicas=5`, 'two more pods at the provider'],
    [
      `kubectl drain ${node.name} --ignore-daemonsets`,
      `its pods end; kubectl uncordon ${node.name}`,
    ],
    ['npx liqoctl info', 'the installation and its peers'],
    ['npx liqoctl get virtualnodes -o wide', 'the virtual nodes of this cluster'],
    ...triesOfTeardown(node),
  ];
}

function triesOfTeardown({ name, provider }: WantedNode): readonly Try[] {
  return [
    [
      `kubectl delete virtualnode -n ${tenantNamespaceName(provider)} ${name}`,
      'removes the node and its pods, in order',
    ],
    [
      `npx liqoctl create virtualnode ${name} --remote-cluster-id ${provider} \\\n  --kubeconfig-secret-name ${providerSecretName}`,
      'brings the node back',
    ],
  ];
}

/** Comments in a column of their own or, where the terminal is too narrow for that, each above its command. */
function formatTries(tries: readonly Try[], columns: number): readonly string[] {
  const lastLines = tries.map(([command]) => command.split('\n').at(-1) ?? '');
  const width = Math.max(...lastLines.map((line) => line.length));
  const lines = tries.flatMap(([command, shows], nth) => {
    const gap = ' '.repeat(width - (lastLines[nth]?.length ?? 0));
    return indent(`${command}${gap}  # ${shows}`);
  });
  if (lines.every((line) => line.length <= columns)) return lines;
  return tries.flatMap(([command, shows]) => [
    ...wrapWords(shows, columns - 4).map((line) => `  # ${line}`),
    ...indent(command),
  ]);
}

function indent(text: string): readonly string[] {
  return text.split('\n').map((line) => `  ${line}`);
}
