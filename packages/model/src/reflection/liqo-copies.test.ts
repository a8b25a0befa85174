import { labels, type ShadowEndpointSlice } from '@liqo/api';
import type {
  ConfigMap,
  EndpointSlice,
  Ingress,
  KubeObject,
  Secret,
  Service,
  Stored,
} from '@liqo/kube';
import { expect, test } from 'vitest';
import { planConfigMap } from './config-map.ts';
import { planShadowEndpointSlice } from './endpoint-slice.ts';
import { planIngress } from './ingress.ts';
import type { ReflectionPlan } from './plan-reflection.ts';
import type { ReflectionRoute } from './reflection-route.ts';
import { planSecret } from './secret.ts';
import { planService } from './service.ts';

const route: ReflectionRoute = {
  consumerClusterID: 'rome',
  providerClusterID: 'milan',
  remoteNamespace: 'shop2-rome',
  policy: 'DenyList',
  notReflected: { labels: [], annotations: [] },
};
const marks = { [labels.origin]: 'rome', [labels.destination]: 'milan' };

/** An object at the consumer, as recorded. */
function original<T extends KubeObject>(object: T): Stored<T> {
  const identity = { uid: 'uid', resourceVersion: '1', creationTimestamp: '2026-11-01T00:00:00Z' };
  const metadata = { namespace: 'shop2', ...identity, ...object.metadata };
  return { ...object, metadata } as unknown as Stored<T>;
}

/** What is applied at the provider, without the kind. */
function copy<L extends KubeObject, R extends KubeObject>(
  plan: ReflectionPlan<L, R>,
  local: L,
): object {
  const step = plan(original(local), undefined, route);
  if (step.type !== 'apply') throw new Error(`expected apply, got ${step.type}`);
  const { apiVersion: _, kind: __, metadata, ...content } = step.object as KubeObject;
  const { namespace, ...rest } = metadata ?? {};
  expect(namespace).toBe('shop2-rome');
  return { ...content, metadata: rest };
}

const applied = { 'kubectl.kubernetes.io/last-applied-configuration': '{}' };
const description = { 'kubernetes.io/description': 'Contains a CA bundle' };
const app = { app: 'cart' };

test('a ConfigMap is copied as Liqo v1.2.0 does', () => {
  const settings: ConfigMap = {
    metadata: { name: 'settings', labels: app, annotations: { note: 'hello', ...applied } },
    data: { mode: 'fast' },
  };
  expect(copy(planConfigMap, settings)).toEqual({
    metadata: { name: 'settings', labels: { ...app, ...marks }, annotations: { note: 'hello' } },
    data: { mode: 'fast' },
  });
  const rootCa: ConfigMap = {
    metadata: { name: 'kube-root-ca.crt', annotations: description },
    data: { 'ca.crt': 'PEM' },
  };
  expect(copy(planConfigMap, rootCa)).toEqual({
    metadata: { name: 'kube-root-ca.crt.rome', labels: marks, annotations: description },
    data: { 'ca.crt': 'PEM' },
  });
});

test('a Secret is copied as Liqo v1.2.0 does', () => {
  const token: Secret = {
    metadata: { name: 'token' },
    data: { password: 'c2VjcmV0' },
    type: 'Opaque',
  };
  expect(copy(planSecret, token)).toEqual({ ...token, metadata: { name: 'token', labels: marks } });
});

test('a Service is copied as Liqo v1.2.0 does', () => {
  const spec: Service['spec'] = {
    internalTrafficPolicy: 'Cluster',
    ipFamilyPolicy: 'SingleStack',
    ports: [{ name: 'http', port: 80, protocol: 'TCP', targetPort: 8080 }],
    selector: app,
    sessionAffinity: 'None',
    type: 'ClusterIP',
  };
  const own = { clusterIP: '10.91.58.196', clusterIPs: ['10.91.58.196'], ipFamilies: ['IPv4'] };
  const local: Service = { metadata: { name: 'cart', labels: app }, spec: { ...spec, ...own } };
  expect(copy(planService, local)).toEqual({
    metadata: { name: 'cart', labels: { ...app, ...marks } },
    spec,
  });
});

test('an Ingress is copied as Liqo v1.2.0 does', () => {
  const backend = { service: { name: 'cart', port: { name: 'http' } } };
  const paths = [{ backend, path: '/', pathType: 'Prefix' }];
  const spec: Ingress['spec'] = { rules: [{ host: 'cart.example.com', http: { paths } }] };
  const local: Ingress = { metadata: { name: 'cart', annotations: applied }, spec };
  expect(copy(planIngress, local)).toEqual({ metadata: { name: 'cart', labels: marks }, spec });
});

test('an EndpointSlice is copied as Liqo v1.2.0 does, but for the time of its change and an empty list', () => {
  const trigger = { 'endpoints.kubernetes.io/last-change-trigger-time': '2026-11-01T00:00:00Z' };
  const manager = 'endpointslice.kubernetes.io/managed-by';
  const service = { ...app, 'kubernetes.io/service-name': 'cart' };
  const ports = [{ name: 'http', port: 8080, protocol: 'TCP' }];
  const local: EndpointSlice = {
    metadata: {
      name: 'cart-qc6qh',
      labels: { ...service, [manager]: 'endpointslice-controller.k8s.io' },
      annotations: trigger,
    },
    addressType: 'IPv4',
    endpoints: [{ addresses: ['10.0.0.152'], conditions: { ready: true }, nodeName: 'milan' }],
    ports,
  };
  const metadata = { name: 'milan', uid: 'uid', resourceVersion: '1', creationTimestamp: '' };
  const type = { [labels.type]: 'virtual-node', [labels.remoteClusterID]: 'milan' };
  const plan = planShadowEndpointSlice({
    serviceOf: () => undefined,
    nodeOf: () => ({ apiVersion: 'v1', kind: 'Node', metadata: { ...metadata, labels: type } }),
  });
  const template: NonNullable<ShadowEndpointSlice['spec']['template']> = {
    addressType: 'IPv4',
    endpoints: [],
    ports,
  };
  expect(copy(plan, local)).toEqual({
    metadata: {
      name: 'cart-qc6qh',
      labels: { ...service, [manager]: 'endpointslice.reflection.liqo.io', ...marks },
    },
    spec: { template },
  });
});
