import { offerVirtualNodeName } from '@liqo/api';
import type { Scene } from './scene.ts';
import type { Try } from './try.ts';

/** At the consumer, after the first provider has withdrawn its offer. */
export function triesOfOffers({ providers, app }: Scene): readonly Try[] {
  const [, second = ''] = providers;
  const { namespace } = app;
  return [
    ['kubectl get nodes', 'a node of every offer that is accepted'],
    ['npx liqoctl advertisement list', 'the offers, and what was decided'],
    [`npx liqoctl advertisement describe ${second}`, 'its conditions and its expiry'],
    [`kubectl describe node ${offerVirtualNodeName(second)}`, 'what is offered'],
    [`kubectl get pods -n ${namespace} -o wide -w`, 'pods that run at the providers'],
    ['kubectl edit clusterconfig configuration', 'maxAcceptableAdvertisements'],
    [`npx liqoctl advertisement refuse ${second} --skip-confirm`, 'drains its node, in order'],
    [`npx liqoctl advertisement accept ${second}`, 'brings the node back'],
  ];
}

/** At a provider. */
export function triesOfOffering({ consumer, app }: Scene): readonly Try[] {
  return [
    ['npx liqoctl offer status', 'what is offered to which consumer'],
    ['npx liqoctl offer enable --percentage 25', 'a smaller share: the node follows'],
    ['npx liqoctl offer disable', 'withdraws the offer: the node is drained first'],
    [`kubectl get pods,shadowpods -n ${app.namespace}-${consumer}`, 'the pods that run here'],
    ['kubectl get quotas.offloading.liqo.io -A', 'what limits them'],
  ];
}
