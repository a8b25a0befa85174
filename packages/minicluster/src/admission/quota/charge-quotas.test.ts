import type { KubeObject, ResourceQuota, Stored } from '@liqo/kube';
import { expect, test } from 'vitest';
import { chargeQuotas } from './charge-quotas.ts';
import { claimUsage } from './claim-usage.ts';
import { objectCount } from './object-count.ts';
import { podUsage } from './pod-usage.ts';
import type { QuotaEvaluator } from './quota-evaluator.ts';
import { serviceUsage } from './service-usage.ts';

const quota = (hard: object, used: object, spec: object = {}) =>
  ({
    metadata: { name: 'q' },
    spec: { hard, ...spec },
    status: { hard, used },
  }) as Stored<ResourceQuota>;
const pod = (requests: object = {}, spec: object = {}): KubeObject =>
  ({ spec: { containers: [{ name: 'main', resources: { requests } }], ...spec } }) as KubeObject;
const service = (spec: object): KubeObject => ({ spec }) as KubeObject;

const charge = (
  quotas: readonly Stored<ResourceQuota>[],
  evaluator: QuotaEvaluator,
  object: KubeObject,
  previous?: KubeObject,
) => {
  const verdict = chargeQuotas(quotas, { evaluator, object, previous, nowMs: 0 });
  return 'refusal' in verdict ? verdict.refusal : verdict.charges.map(({ used }) => used);
};

const nodePort = service({ type: 'NodePort', ports: [{ port: 1 }, { port: 2 }] });
const balanced = service({
  type: 'LoadBalancer',
  ports: [{ port: 1 }],
  allocateLoadBalancerNodePorts: false,
});

test.each([
  ['charges a pod', quota({ pods: '2' }, { pods: '1' }), podUsage, pod(), [{ pods: '2' }]],
  [
    'adds requests up',
    quota({ cpu: '2' }, { cpu: '1500m' }),
    podUsage,
    pod({ cpu: '0.5' }),
    [{ cpu: '2' }],
  ],
  [
    'refuses what is too much',
    quota({ cpu: '2', pods: '1' }, { cpu: '1900m', pods: '0' }),
    podUsage,
    pod({ cpu: '200m' }),
    'exceeded quota: q, requested: cpu=200m, used: cpu=1900m, limited: cpu=2',
  ],
  [
    'ignores quotas of other things',
    quota({ services: '0' }, { services: '0' }),
    podUsage,
    pod(),
    [],
  ],
  [
    'keeps other numbers',
    quota({ pods: '3', services: '3' }, { pods: '0', services: '2' }),
    podUsage,
    pod(),
    [{ pods: '1', services: '2' }],
  ],
  [
    'refuses to guess',
    quota({ pods: '2', 'count/pods': '2' }, {}),
    podUsage,
    pod(),
    'status unknown for quota: q, resources: count/pods,pods',
  ],
  [
    'wants what is limited stated',
    quota({ memory: '1' }, { memory: '0' }),
    podUsage,
    pod(),
    'failed quota: q: must specify memory for: main',
  ],
  [
    'counts extended resources',
    quota({ 'requests.example.org/gpu': '4' }, { 'requests.example.org/gpu': '1' }),
    podUsage,
    pod({ 'example.org/gpu': '2' }),
    [{ 'requests.example.org/gpu': '3' }],
  ],
  [
    'counts node ports',
    quota({ 'services.nodeports': '5' }, { 'services.nodeports': '1' }),
    serviceUsage,
    nodePort,
    [{ 'services.nodeports': '3' }],
  ],
  [
    'does not count node ports that nobody wants',
    quota(
      { 'services.nodeports': '0', services: '1' },
      { 'services.nodeports': '0', services: '0' },
    ),
    serviceUsage,
    balanced,
    [{ 'services.nodeports': '0', services: '1' }],
  ],
  [
    'counts any object',
    quota({ 'count/x.example.org': '1' }, { 'count/x.example.org': '0' }),
    objectCount({ group: 'example.org', plural: 'x' }),
    {},
    [{ 'count/x.example.org': '1' }],
  ],
  [
    'counts secrets by their own name',
    quota({ secrets: '1' }, { secrets: '1' }),
    objectCount({ group: '', plural: 'secrets' }),
    {},
    'exceeded quota: q, requested: secrets=1, used: secrets=1, limited: secrets=1',
  ],
  [
    'rounds storage up',
    quota({ 'requests.storage': '5' }, { 'requests.storage': '0' }),
    claimUsage,
    { spec: { resources: { requests: { storage: '1500m' } } } },
    [{ 'requests.storage': '2' }],
  ],
] as const)('chargeQuotas() %s', (_, one, evaluator, object, expected) => {
  expect(charge([one], evaluator, object as KubeObject)).toEqual(expected);
});

const scoped = (scope: string) => quota({ pods: '9' }, { pods: '0' }, { scopes: [scope] });
test.each([
  ['BestEffort', pod(), pod({ cpu: '1' })],
  ['NotBestEffort', pod({ cpu: '1' }), pod()],
  ['Terminating', pod({}, { activeDeadlineSeconds: 0 }), pod()],
  ['NotTerminating', pod(), pod({}, { activeDeadlineSeconds: 0 })],
  ['PriorityClass', pod({}, { priorityClassName: 'a' }), pod()],
] as const)('chargeQuotas() keeps to the scope %s', (scope, inside, outside) => {
  expect(charge([scoped(scope)], podUsage, inside)).toEqual([{ pods: '1' }]);
  expect(charge([scoped(scope)], podUsage, outside)).toEqual([]);
});

test('chargeQuotas() keeps to a selector of scopes', () => {
  const matchExpressions = [{ scopeName: 'PriorityClass', operator: 'In', values: ['high'] }];
  const selective = quota({ pods: '9' }, { pods: '0' }, { scopeSelector: { matchExpressions } });
  expect(charge([selective], podUsage, pod({}, { priorityClassName: 'high' }))).toHaveLength(1);
  expect(charge([selective], podUsage, pod({}, { priorityClassName: 'low' }))).toEqual([]);
});

test('chargeQuotas() charges an update for what is more, and gives nothing back', () => {
  const services = quota({ 'services.nodeports': '3' }, { 'services.nodeports': '1' });
  const plain = service({ type: 'ClusterIP', ports: [{ port: 1 }] });
  expect(charge([services], serviceUsage, nodePort, plain)).toEqual([
    { 'services.nodeports': '3' },
  ]);
  expect(charge([services], serviceUsage, plain, nodePort)).toEqual([]);
});

test('chargeQuotas() charges none when one refuses', () => {
  const full = quota({ pods: '1' }, { pods: '1' });
  expect(charge([quota({ pods: '9' }, { pods: '0' }), full], podUsage, pod())).toMatch(/^exceeded/);
});

test('chargeQuotas() counts the overhead and the busiest moment of a pod', () => {
  const cpu = (amount: string) => ({ resources: { requests: { cpu: amount } } });
  const initContainers = [
    { name: 'side', restartPolicy: 'Always', ...cpu('100m') },
    { name: 'first', ...cpu('1') },
  ];
  const busy = pod({ cpu: '200m' }, { initContainers, overhead: { cpu: '50m' } });
  const one = quota({ 'requests.cpu': '9' }, { 'requests.cpu': '0' });
  expect(charge([one], podUsage, busy)).toEqual([{ 'requests.cpu': '1150m' }]);
});

test('chargeQuotas() counts a pod that has ended as an object only', () => {
  const ended = { ...pod(), status: { phase: 'Failed' } } as KubeObject;
  const one = quota({ pods: '1', 'count/pods': '1' }, { pods: '0', 'count/pods': '0' });
  expect(charge([one], podUsage, ended)).toEqual([{ pods: '0', 'count/pods': '1' }]);
});
