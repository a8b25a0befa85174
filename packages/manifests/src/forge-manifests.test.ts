import type { Deployment, KubeObject } from '@liqo/kube';
import { expect, test } from 'vitest';
import manifest from '../package.json' with { type: 'json' };
import { symbolicValues } from './chart/symbolic-values.ts';
import { forgeEverything, forgeKinds, forgeManifests } from './forge-manifests.ts';
import { defaultValues } from './values.ts';

const objects = forgeManifests({ ...defaultValues, clusterID: 'rome', namespace: 'here' });

const kinds = objects.map(({ kind }) => kind);
const find = (wanted: string) => objects.find(({ kind }) => kind === wanted);

test('forgeManifests() gives objects that say what they are and where they belong', () => {
  for (const { apiVersion, kind, metadata } of objects) {
    expect(apiVersion).toMatch(/^([a-z0-9.]+\/)?v\d/);
    expect(metadata?.name).toMatch(/^[a-z0-9]/);
    const isOfCluster = /^(Namespace|(Runtime|Storage)Class|(Cluster|Mutating|Validating).*)$/.test(
      kind ?? '',
    );
    const isPublic = metadata?.name === 'liqo-cluster-id';
    const namespace = isPublic ? 'kube-public' : 'here';
    expect(metadata?.namespace).toBe(isOfCluster ? undefined : namespace);
  }
});

test('forgeManifests() tells whoever has credentials here which cluster this is, and nothing else', () => {
  const isPublic = ({ metadata }: KubeObject) => metadata?.namespace === 'kube-public';
  expect(objects.filter(isPublic)).toMatchObject([
    { kind: 'ConfigMap', data: { CLUSTER_ID: 'rome' } },
    {
      kind: 'Role',
      rules: [{ resources: ['configmaps'], resourceNames: ['liqo-cluster-id'], verbs: ['get'] }],
    },
    {
      kind: 'RoleBinding',
      roleRef: { kind: 'Role', name: 'liqo-cluster-id' },
      subjects: [{ kind: 'Group', name: 'system:authenticated' }],
    },
  ]);
});

test('forgeManifests() names nothing twice', () => {
  const names = objects.map(({ kind, metadata }) => `${kind} ${metadata?.name}`);
  expect(new Set(names).size).toBe(names.length);
});

test('forgeManifests() puts what others need in front of them', () => {
  expect(kinds[0]).toBe('Namespace');
  expect(kinds.at(-1)).toBe('Deployment');
  expect(kinds.indexOf('ClusterRoleBinding')).toBeGreaterThan(kinds.lastIndexOf('ClusterRole'));
});

test('forgeManifests() runs the controllers as the strictest Pod Security level wants it', () => {
  expect(find('Namespace')).toMatchObject({
    metadata: { labels: { 'pod-security.kubernetes.io/enforce': 'restricted' } },
  });
  expect(find('Deployment')).toMatchObject({
    spec: {
      template: {
        spec: {
          securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
          containers: [
            {
              securityContext: {
                allowPrivilegeEscalation: false,
                readOnlyRootFilesystem: true,
                capabilities: { drop: ['ALL'] },
              },
            },
          ],
        },
      },
    },
  });
});

test('forgeManifests() limits what the controllers and virtual kubelets may use', () => {
  expect(find('Deployment')).toMatchObject({
    spec: {
      template: {
        spec: { containers: [{ resources: { limits: { cpu: '2', memory: '2Gi' } } }] },
      },
    },
  });
  expect(find('VkOptionsTemplate')).toMatchObject({
    spec: { resources: { limits: { cpu: '2', memory: '1Gi' } } },
  });
});

test('forgeManifests() lets only pods of the namespace for metrics connect to the controllers', () => {
  const deployment = find('Deployment') as Deployment;
  const selected = deployment.spec?.selector.matchLabels;
  expect(find('NetworkPolicy')).toMatchObject({
    spec: {
      podSelector: { matchLabels: selected },
      policyTypes: ['Ingress'],
      ingress: [
        {
          ports: [{ port: 8082 }],
          from: [
            { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'monitoring' } } },
          ],
        },
      ],
    },
  });
});

test('forgeManifests() serves metrics on loopback unless told otherwise', () => {
  const args = (values: typeof defaultValues) => {
    const all = forgeManifests({ ...values, clusterID: 'rome' });
    const deployment = all.find(({ kind }) => kind === 'Deployment') as Deployment;
    return deployment.spec?.template.spec?.containers[0]?.args;
  };
  expect(args(defaultValues)).toContain('--metrics-address=127.0.0.1:8082');
  const { controllerManager } = defaultValues;
  const metrics = { ...controllerManager.metrics, host: '0.0.0.0' };
  expect(
    args({ ...defaultValues, controllerManager: { ...controllerManager, metrics } }),
  ).toContain('--metrics-address=0.0.0.0:8082');
});

test("forgeManifests() labels the controller-manager as Liqo's chart does", () => {
  const selected = {
    'app.kubernetes.io/name': 'controller-manager',
    'app.kubernetes.io/instance': 'mine-controller-manager',
    'app.kubernetes.io/component': 'controller-manager',
    'app.kubernetes.io/part-of': 'liqo',
  };
  const all = {
    ...selected,
    'helm.sh/chart': `liqo-${manifest.version}`,
    'app.kubernetes.io/version': manifest.version,
    'app.kubernetes.io/managed-by': 'Helm',
  };
  const values = { ...defaultValues, clusterID: 'rome', releaseName: 'mine' };
  const deployment = forgeManifests(values).find(({ kind }) => kind === 'Deployment') as Deployment;
  expect(deployment.metadata?.labels).toEqual(all);
  expect(deployment.spec?.selector).toEqual({ matchLabels: selected });
  expect(deployment.spec?.template.metadata?.labels).toEqual(all);
});

test('forgeManifests() binds the role of the controllers to their account and to nobody else', () => {
  const binding = find('ClusterRoleBinding') as KubeObject & { subjects: unknown };
  expect(binding.subjects).toEqual([
    { kind: 'ServiceAccount', name: 'liqo-controller-manager', namespace: 'here' },
  ]);
});

test('forgeKinds() has the kind of every object of ours', () => {
  const ours = objects.filter(({ apiVersion = '' }) => apiVersion.includes('liqo.io/'));
  const known = forgeKinds().map((object) => JSON.stringify(object));
  expect(ours.length).toBeGreaterThan(0);
  for (const { kind } of ours) {
    expect(known.some((text) => text.includes(`"kind":"${kind}"`))).toBe(true);
  }
});

test.each([false, true])(
  'forgeManifests() allows insecure peers only where told: %s',
  (allowInsecure) => {
    const values = { ...defaultValues, clusterID: 'rome', peers: { allowInsecure } };
    const deployment = forgeManifests(values).find(
      ({ kind }) => kind === 'Deployment',
    ) as Deployment;
    const args = deployment.spec?.template.spec?.containers[0]?.args;
    expect(args).toContain(`--allow-insecure-peers=${allowInsecure}`);
    expect(defaultValues.peers.allowInsecure).toBe(false);
  },
);

test('forgeEverything() has every object that values can switch on', () => {
  const names = (all: readonly KubeObject[]) =>
    new Set(all.map(({ kind, metadata }) => `${kind} ${metadata?.namespace} ${metadata?.name}`));
  const symbolic = names(forgeManifests(symbolicValues()));
  expect(names(forgeEverything('here')).size).toBe(symbolic.size);
});
