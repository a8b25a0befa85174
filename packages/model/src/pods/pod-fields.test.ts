import { readFileSync } from 'node:fs';
import type { Pod, Stored } from '@liqo/kube';
import { describe, expect, test } from 'vitest';
import { podFieldsPage, renderPodFieldsPage } from '../../bin/pod-fields-page.ts';
import { fieldsOf, sampleField } from '../testing/pod-schemas.ts';
import { romeToMilan } from '../testing/rome-to-milan.ts';
import { storedPod } from '../testing/stored-pod.ts';
import { containerFields } from './container-fields.ts';
import type { FieldFate, FieldTable } from './field-rule.ts';
import { podSpecFields } from './pod-spec-fields.ts';
import { refusePod } from './refuse-pod.ts';
import { translatePodSpec } from './translate-pod-spec.ts';
import { volumeFields } from './volume-fields.ts';

test('the published page is made from the tables', () => {
  expect(readFileSync(podFieldsPage, 'utf8'), 'Stale: run `npm run pod-fields`').toBe(
    renderPodFieldsPage(),
  );
});

test.each([
  ['PodSpec', podSpecFields],
  ['Container', containerFields],
  ['Volume', volumeFields],
])('the table of %s has every field of Kubernetes 1.35, and no other', (type, table) => {
  expect(Object.keys(table).sort()).toEqual(fieldsOf(type));
});

test.each(['PodSpec', 'Container', 'Volume'])('every field of %s has a sample', (type) => {
  for (const field of fieldsOf(type)) expect(sampleField(type, field)).toBeDefined();
});

const route = {
  ...romeToMilan,
  consumerApiServer: { host: 'kubernetes.default', port: '443', aliasIP: '10.71.0.1' },
  offloadingPatch: { nodeSelector: { pool: 'guests' } },
};

const apiServerVariables = [
  { name: 'KUBERNETES_SERVICE_HOST', value: 'kubernetes.default' },
  { name: 'KUBERNETES_SERVICE_PORT', value: '443' },
  { name: 'KUBERNETES_PORT', value: 'tcp://kubernetes.default:443' },
  { name: 'KUBERNETES_PORT_443_TCP', value: 'tcp://kubernetes.default:443' },
  { name: 'KUBERNETES_PORT_443_TCP_PROTO', value: 'tcp' },
  { name: 'KUBERNETES_PORT_443_TCP_ADDR', value: 'kubernetes.default' },
  { name: 'KUBERNETES_PORT_443_TCP_PORT', value: '443' },
];

function fieldsWith(fate: FieldFate, table: FieldTable): string[] {
  return Object.keys(table).filter((field) => table[field]?.fate === fate);
}

function memberOf(owner: object | undefined, field: string): unknown {
  return Object.entries(owner ?? {}).find(([name]) => name === field)?.[1];
}

describe('translatePodSpec(), of the fields of a pod,', () => {
  const podWith = (field: string): Stored<Pod> =>
    storedPod({ spec: { [field]: sampleField('PodSpec', field) } });

  test.each(fieldsWith('copied', podSpecFields))('copies %s', (field) => {
    const translated = translatePodSpec(podWith(field), route);
    expect(memberOf(translated, field)).toEqual(sampleField('PodSpec', field));
  });

  test.each(fieldsWith('removed', podSpecFields))('removes %s', (field) => {
    expect(Object.keys(translatePodSpec(podWith(field), route))).not.toContain(field);
  });

  /** Before, and after. */
  const translations: Readonly<Record<string, readonly [unknown, unknown]>> = {
    affinity: [sampleField('PodSpec', 'affinity'), undefined],
    automountServiceAccountToken: [true, false],
    containers: [[{ name: 'web' }], [{ name: 'web', env: apiServerVariables }]],
    hostAliases: [
      [{ ip: '10.0.0.1', hostnames: ['db'] }],
      [
        { ip: '10.0.0.1', hostnames: ['db'] },
        { ip: '10.71.0.1', hostnames: ['kubernetes.default', 'kubernetes.default.svc'] },
      ],
    ],
    initContainers: [[{ name: 'init' }], [{ name: 'init', env: apiServerVariables }]],
    nodeSelector: [{ disk: 'ssd' }, { pool: 'guests' }],
    runtimeClassName: ['liqo', undefined],
    serviceAccountName: ['cart', undefined],
    tolerations: [[{ key: 'virtual-node.liqo.io/not-allowed', operator: 'Exists' }], undefined],
    topologySpreadConstraints: [
      [{ matchLabelKeys: ['h'], labelSelector: { matchExpressions: [{ key: 'h' }] } }],
      [{ labelSelector: { matchExpressions: [{ key: 'h' }] } }],
    ],
    volumes: [
      [{ name: 'ca', projected: { sources: [{ configMap: { name: 'kube-root-ca.crt' } }] } }],
      [{ name: 'ca', projected: { sources: [{ configMap: { name: 'kube-root-ca.crt.rome' } }] } }],
    ],
  };

  test('has an example of every field that it translates', () => {
    expect(Object.keys(translations)).toEqual(fieldsWith('translated', podSpecFields));
  });

  test.each(Object.entries(translations))('translates %s', (field, [before, after]) => {
    const translated = translatePodSpec(storedPod({ spec: { [field]: before } }), route);
    expect(memberOf(translated, field)).toEqual(after);
  });

  test.each(fieldsWith('refused', podSpecFields))('leaves a pod with %s to be refused', (field) => {
    expect(refusePod(podWith(field))?.message).toContain(`spec.${field}`);
  });

  test('copies a field that no table knows yet', () => {
    const pod = storedPod({ spec: { tomorrow: { brings: ['this'] } } });
    expect(translatePodSpec(pod, route)).toMatchObject({ tomorrow: { brings: ['this'] } });
  });
});

describe.each(['containers', 'initContainers'] as const)(
  'translatePodSpec(), of the fields of the %s,',
  (list) => {
    const containerWith = (field: string) => {
      const container = { name: 'one', [field]: sampleField('Container', field) };
      const pod = storedPod({ spec: { hostNetwork: true, [list]: [container] } });
      return translatePodSpec(pod, route)[list]?.[0];
    };

    test.each(fieldsWith('copied', containerFields))('copies %s', (field) => {
      expect(memberOf(containerWith(field), field)).toEqual(sampleField('Container', field));
    });

    test.each(fieldsWith('translated', containerFields))('translates %s', (field) => {
      expect(memberOf(containerWith(field), field)).not.toEqual(sampleField('Container', field));
    });

    test('knows nothing to remove or refuse', () => {
      expect(fieldsWith('removed', containerFields)).toEqual([]);
      expect(fieldsWith('refused', containerFields)).toEqual([]);
    });

    test('copies a field that no table knows yet', () => {
      expect(containerWith('tomorrow')).toHaveProperty('tomorrow');
    });
  },
);

describe('translatePodSpec(), of the fields of a volume,', () => {
  const volumeWith = (field: string) => {
    const volume = { name: 'one', [field]: sampleField('Volume', field) };
    return translatePodSpec(storedPod({ spec: { volumes: [volume] } }), route).volumes?.[0];
  };

  test.each(fieldsWith('copied', volumeFields))('copies %s', (field) => {
    expect(memberOf(volumeWith(field), field)).toEqual(sampleField('Volume', field));
  });

  test.each(fieldsWith('translated', volumeFields))('translates %s', (field) => {
    expect(memberOf(volumeWith(field), field)).not.toEqual(sampleField('Volume', field));
  });

  test('knows nothing to remove or refuse', () => {
    expect(fieldsWith('removed', volumeFields)).toEqual([]);
    expect(fieldsWith('refused', volumeFields)).toEqual([]);
  });
});
