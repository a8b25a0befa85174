import type { ResourceList, Service } from '@liqo/kube';
import type { QuotaEvaluator } from './quota-evaluator.ts';

const measured: readonly string[] = [
  'services',
  'count/services',
  'services.loadbalancers',
  'services.nodeports',
];

/** Services count by number, and by the node ports and load balancers they take. */
export const serviceUsage: QuotaEvaluator = {
  handles: ({ operation, subresource }) =>
    subresource === '' && (operation === 'CREATE' || operation === 'UPDATE'),
  measures: (name) => measured.includes(name),
  usageOf,
  isInScope: () => false,
};

function usageOf({ spec }: Service): ResourceList {
  return {
    services: '1',
    'count/services': '1',
    'services.loadbalancers': spec?.type === 'LoadBalancer' ? '1' : '0',
    'services.nodeports': String(nodePortsOf(spec)),
  };
}

/** Those it will get: they are not there yet when a service is created. */
function nodePortsOf(spec: Service['spec']): number {
  const ports = spec?.ports ?? [];
  if (spec?.type === 'NodePort') return ports.length;
  if (spec?.type !== 'LoadBalancer') return 0;
  if (spec.allocateLoadBalancerNodePorts ?? true) return ports.length;
  return ports.filter(({ nodePort }) => nodePort).length;
}
