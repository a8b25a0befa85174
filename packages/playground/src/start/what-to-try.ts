import { tenantNamespaceName } from '@liqo/api';
import { handMadeSecret } from '../lend-nodes.ts';
import { listWords } from '../list-words.ts';
import type { Scene } from './scene.ts';
import { triesOfOffering, triesOfOffers } from './tries-of-offers.ts';
import type { Try } from './try.ts';
import { wrapWords } from './wrap-words.ts';

export interface TryOptions {
  readonly kubeconfigOf: (cluster: string) => string;
  /** How wide the terminal is; without bounds where there is none. */
  readonly columns: number;
}

/** The lines that a person copies into another terminal, with what they show. */
export function whatToTry(scene: Scene, { kubeconfigOf, columns }: TryOptions): readonly string[] {
  const { consumer, providers, app, unpeered = false } = scene;
  const blockOf = (cluster: string, doing: string, tries: readonly Try[]) => [
    ...wrapWords(`As ${cluster}, ${doing}:`, columns),
    `  export KUBECONFIG=${kubeconfigOf(cluster)}`,
    ...formatTries(tries, columns),
  ];
  if (unpeered) {
    const tries = triesOfPeers(scene, kubeconfigOf);
    return blockOf(consumer, 'which is to borrow, in another terminal', tries);
  }
  if (scene.offers) {
    return [
      ...blockOf(consumer, 'which decides, in another terminal', triesOfOffers(scene)),
      ...providers.flatMap((provider) => [
        '',
        ...blockOf(provider, 'which offers', triesOfOffering(scene)),
      ]),
    ];
  }
  const remotePods: Try = [
    `kubectl get pods,shadowpods -n ${app.namespace}-${consumer}`,
    'the pods that run here',
  ];
  const copies: Try = [
    `kubectl get services,configmaps,secrets -n ${app.namespace}-${consumer}`,
    'copies of what its pods name',
  ];
  const quotas: Try = ['kubectl get quotas.offloading.liqo.io -A', 'what limits them'];
  return [
    ...blockOf(consumer, 'which borrows, in another terminal', triesOfConsumer(scene)),
    ...providers.flatMap((provider) => [
      '',
      ...blockOf(
        provider,
        'which lends',
        scene.byHand ? [remotePods, copies] : [remotePods, copies, quotas],
      ),
    ]),
  ];
}

function triesOfPeers(
  { providers }: Scene,
  kubeconfigOf: TryOptions['kubeconfigOf'],
): readonly Try[] {
  const peerings = providers.map(
    (provider): Try => [
      `npx liqoctl peer --remote-kubeconfig ${kubeconfigOf(provider)}`,
      `borrows from ${provider}`,
    ],
  );
  return [...peerings, ['npx liqoctl info', 'the installation and its peers']];
}

function triesOfConsumer(scene: Scene): readonly Try[] {
  const { byHand, node, app } = scene;
  const { namespace } = app;
  const names = (scene.virtualNodes ?? []).map(({ name }) => name).join(' ');
  const web = `deployment/${app.name}`;
  const places = listWords(scene.providers);
  return [
    ['kubectl get nodes', describeNodes(scene)],
    [`kubectl get pods -n ${namespace} -o wide -w`, `pods that run at ${places}`],
    [`kubectl describe node ${names}`, 'capacity and conditions'],
    [`kubectl logs -n ${namespace} ${web} -f`, 'the output of a container at the provider'],
    [`kubectl exec -n ${namespace} ${web} -- hostname`, 'runs in a container at the provider'],
    [`kubectl port-forward -n ${namespace} ${web} 8080:http`, 'then: curl localhost:8080'],
    [`kubectl edit -n ${namespace} configmap ${app.name}`, 'its copy at the provider follows'],
    [`kubectl scale -n ${namespace} ${web} --replicas=5`, 'two more pods at the provider'],
    [
      `kubectl drain ${node.name} --ignore-daemonsets`,
      `its pods end; kubectl uncordon ${node.name}`,
    ],
    ['npx liqoctl info', 'the installation and its peers'],
    ...(byHand ? [] : triesOfPeering(scene)),
    ['npx liqoctl get virtualnodes -o wide', 'the virtual nodes of this cluster'],
    ...triesOfTeardown(scene),
  ];
}

function describeNodes({ providers, virtualNodes = [] }: Scene): string {
  const roles = providers.map((provider) => {
    const names = virtualNodes.filter((node) => node.provider === provider);
    const verb = names.length === 1 ? 'is' : 'are';
    return `${listWords(names.map(({ name }) => name))} ${verb} ${provider}`;
  });
  return roles.join(', ');
}

function triesOfPeering({ node }: Scene): readonly Try[] {
  return [
    [`npx liqoctl info peer ${node.provider}`, 'what is asked of it, granted and used'],
    ['npx liqoctl get resourceslices', 'the slices, and how much of each is used'],
  ];
}

function triesOfTeardown({ byHand, node }: Scene): readonly Try[] {
  const { name, provider, sharing = '' } = node;
  const credentials = byHand
    ? `--kubeconfig-secret-name ${handMadeSecret}`
    : `--resource-slice-name ${sharing}`;
  return [
    [
      `kubectl delete virtualnode -n ${tenantNamespaceName(provider)} ${name}`,
      'removes the node and its pods, in order',
    ],
    [
      `npx liqoctl create virtualnode ${name} --remote-cluster-id ${provider} \\\n  ${credentials}`,
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
