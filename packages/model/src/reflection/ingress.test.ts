import { labels } from '@liqo/api';
import type { Ingress, Stored } from '@liqo/kube';
import { describe, expect, test } from 'vitest';
import { planIngress } from './ingress.ts';
import { readReflected, reflectionManager } from './read-reflected.ts';
import type { ReflectionRoute } from './reflection-route.ts';

type Spec = NonNullable<Ingress['spec']>;

const route: ReflectionRoute = {
  consumerClusterID: 'rome',
  providerClusterID: 'milan',
  remoteNamespace: 'shop-rome',
  policy: 'DenyList',
  notReflected: { labels: [], annotations: [] },
};
const two = {
  ingressClasses: [{ ingressClassName: 'a' }, { ingressClassName: 'b', default: true }],
};

const backend = { service: { name: 'cart', port: { name: 'http' } } };
const rules: Spec['rules'] = [
  { host: 'cart.example.com', http: { paths: [{ path: '/', pathType: 'Prefix', backend }] } },
];
const tls = [{ hosts: ['cart.example.com'], secretName: 'cart-tls' }];

function ingress(spec: Spec, annotations: Record<string, string> = {}): Stored<Ingress> {
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: {
      namespace: 'shop',
      name: 'cart',
      uid: 'u1',
      resourceVersion: '1',
      creationTimestamp: '2030-01-01T00:00:00Z',
      annotations,
    },
    spec,
    status: { loadBalancer: { ingress: [{ ip: '192.0.2.7' }] } },
  };
}

function planned(local: Stored<Ingress>, offered: ReflectionRoute['offered'] = {}) {
  const step = planIngress(local, undefined, { ...route, offered });
  if (step.type !== 'apply') throw new Error(`expected apply, got ${step.type}`);
  return step;
}

/** As the provider has it, with a class that its API server has chosen. */
function copy(spec: Spec): Stored<Ingress> {
  const { status: _, ...rest } = ingress(spec);
  const { managedFields, ...marks } = {
    labels: { [labels.origin]: 'rome', [labels.destination]: 'milan' },
    managedFields: [
      { manager: reflectionManager, operation: 'Apply', fieldsV1: { 'f:spec': { 'f:rules': {} } } },
    ],
  };
  const metadata = { ...rest.metadata, namespace: 'shop-rome', ...marks, managedFields };
  const read = readReflected<Ingress>({ ...rest, metadata } as unknown as Stored<Ingress>);
  if (!read) throw new Error('it cannot be read');
  return read;
}

describe('planIngress()', () => {
  test('copies rules, certificates and the default backend, and no status', () => {
    const spec: Spec = { defaultBackend: backend, rules, tls };
    const { object } = planned(ingress(spec, { note: 'x' }));
    expect(object).toEqual({
      apiVersion: 'networking.k8s.io/v1',
      kind: 'Ingress',
      metadata: {
        namespace: 'shop-rome',
        name: 'cart',
        labels: { [labels.origin]: 'rome', [labels.destination]: 'milan' },
        annotations: { note: 'x' },
      },
      spec,
    });
  });

  const old = 'kubernetes.io/ingress.class';
  test.each<[string, string | undefined, ReflectionRoute['offered'], string | undefined, boolean]>([
    ['no class where none is offered', undefined, {}, undefined, true],
    ['no class where another is named and none is offered', 'own', {}, undefined, true],
    ['the default class', undefined, two, 'b', false],
    ['the class that it names', 'a', two, 'a', false],
    ['the default class where it names another', 'own', two, 'b', true],
  ])('gives a copy %s', (_, ingressClassName, offered, expected, isWarned) => {
    const named = { rules, ...(ingressClassName && { ingressClassName }) };
    const step = planned(ingress(named), offered);
    expect(step.object.spec?.ingressClassName).toBe(expected);
    expect(step.warning?.reason === 'ClassNotOffered').toBe(isWarned);
    const annotated = planned(
      ingress({ rules }, ingressClassName ? { [old]: ingressClassName } : {}),
      offered,
    );
    expect(annotated.object).toEqual(step.object);
  });

  test('leaves a copy as it is that has the default class of the provider', () => {
    const local = ingress({ rules });
    const remote = copy({ rules, ingressClassName: 'provider-default' });
    expect(planIngress(local, remote, route)).toEqual({ type: 'nothing' });
  });

  test.each<[string, Spec]>([
    ['a rule that was removed', { rules: [] }],
    ['a host that was removed', { rules: [{ ...(rules[0]?.http && { http: rules[0].http }) }] }],
    ['another backend', { rules, defaultBackend: backend }],
  ])('writes a copy again with %s', (_, spec) => {
    expect(planIngress(ingress(spec), copy({ rules }), route).type).toBe('apply');
  });
});
