import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { KubeObject } from '@liqo/kube';
import { defaultValues, forgeManifests, type Values } from '@liqo/manifests';
import { findAssets } from '@liqo/testkit/real-cluster';
import { loadAll } from 'js-yaml';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { forgeHooks } from '../packages/manifests/src/chart/forge-hooks.ts';
import { isInChart } from '../packages/manifests/src/chart/render-chart.ts';
import { chart, type HelmAccess, helm } from './install/run-helm.ts';
import { runLiqoctlHere } from './install/run-liqoctl-here.ts';

/** The chart, rendered by helm itself: it must say what the manifests say. */
let access: HelmAccess;

const releaseName = 'any';

beforeAll(() => {
  const folder = mkdtempSync(join(tmpdir(), 'install-chart-'));
  access = { assets: findAssets(['helm'], process.env), folder };
});

afterAll(() => rmSync(access.folder, { recursive: true, force: true }));

async function renderWithHelm(values: object, namespace: string): Promise<readonly KubeObject[]> {
  const file = join(access.folder, 'values.json');
  writeFileSync(file, JSON.stringify(values));
  const text = await helm(
    access,
    'template',
    releaseName,
    chart,
    '-n',
    namespace,
    '--values',
    file,
  );
  return loadAll(text) as KubeObject[];
}

function byName(objects: readonly KubeObject[]): Record<string, KubeObject> {
  return Object.fromEntries(
    objects.map((object) => [`${object.kind} ${object.metadata?.name}`, object]),
  );
}

/** Without what is undefined, as it is sent. */
function asSent(objects: readonly KubeObject[]): readonly KubeObject[] {
  return JSON.parse(JSON.stringify(objects));
}

/** What Helm runs besides, and `liqoctl` does by itself. */
const hooksOf = (values: Values) => forgeHooks(values).filter(isHook);
const isHook = ({ metadata }: KubeObject) => metadata?.annotations?.['helm.sh/hook'] !== undefined;

const many: Values = {
  clusterID: '007',
  namespace: 'yes',
  releaseName,
  image: {
    name: 'registry.example.com:5000/a/liqo',
    tag: '1.2@sha256:0123',
    pullPolicy: 'Always',
    pullSecrets: [{ name: '1' }, { name: 'other' }],
  },
  common: {
    labels: { 'example.com/team': 'on', 'helm.sh/chart': 'mine', n: '1' },
    nodeSelector: { 'node-role.kubernetes.io/infra': '', n: '1e3' },
    tolerations: [{ key: 'infra', operator: 'Exists', tolerationSeconds: 1_000_000 }],
    affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [] } },
  },
  controllerManager: {
    replicas: 3,
    logLevel: 'debug',
    podSecurityLevel: 'restricted',
    drainTimeoutSeconds: 1_000_000_000,
    healthPort: 65_535,
    metrics: { host: '[::]', port: 10_000, namespace: '1' },
    extraArgs: ['--a={{ b }}', '- # : {}'],
    requests: { cpu: '1', memory: '1e3' },
    limits: { cpu: '0.5', memory: '2Gi' },
  },
  webhook: {
    replicas: 0,
    logLevel: 'warn',
    port: 1,
    healthPort: 65_534,
    failurePolicy: 'Ignore',
    extraArgs: ['--log-level=debug'],
    requests: { cpu: '0.1', memory: '1e7' },
    limits: { cpu: '1', memory: '1Gi' },
  },
  apiServer: { address: 'https://milan.example:6443', ca: '', trustedCA: true },
  authentication: { enabled: false, tlsCompatibilityMode: true },
  offloading: { enabled: false },
  storage: { enabled: false },
  hooks: { kinds: true, uninstallCheck: false },
  networkPolicies: { enabled: false },
  disruptionBudgets: { enabled: false },
  monitoring: {
    enabled: true,
    interval: '1m',
    labels: { release: '1' },
    dashboard: { enabled: true, labels: { grafana_dashboard: '2' } },
  },
  peers: { allowInsecure: true },
  slices: {
    enableResourceEnforcement: false,
    defaultLimitsEnforcement: 'Hard',
    enableDefaultClass: false,
    defaultNodeResources: ['cpu=1', 'nvidia.com/gpu=2'],
    nodeLabels: ['region=south'],
    offerStorageClasses: false,
    defaultStorageClass: '"fast" %s',
    ingressClasses: ['nginx;default', '- # : {}'],
    loadBalancerClasses: ["it's"],
  },
  virtualKubelet: {
    replicas: 0,
    requests: { cpu: '0', memory: '0' },
    limits: { cpu: '250m', memory: '1.5Gi' },
    createNode: false,
    disableNetworkCheck: true,
    podLabels: { 'example.com/team': 'kubelets', a: '"quoted" %s {{ .Values }}' },
    podAnnotations: { 'example.com/text': 'two\nlines' },
    nodeLabels: { region: 'no' },
    nodeAnnotations: { 'example.com/n': '007' },
    reflection: {
      pod: { workers: 1_000_000 },
      secret: { workers: 0, type: 'AllowList' },
    },
    labelsNotReflected: ['on', 'example.com/a'],
    annotationsNotReflected: ["it's"],
    metrics: { enabled: true, port: 1 },
    extraArgs: [
      '--node-extra-labels=a=1,b=2',
      '--x="quoted"',
      "--y='%s' {{ .Values }}",
      '- # : {}',
      'true',
      '',
      'two\nlines',
      'übermäßig',
    ],
  },
  consumers: {
    namespacePatterns: ['*-<consumer>', '"quoted" %s', '[', ''],
    maxNamespaces: 0,
    maxPods: 1_000_000_000,
    maxSlices: 7,
    pods: {
      volumeTypes: ['emptyDir'],
      serviceAccounts: ["it's", 'übermäßig'],
      runtimeClasses: [],
      priorityClassName: '"low" %d',
      deniedTolerations: ['*'],
      deniedNodeLabels: ['a,b', '- # : {}'],
      deniedAnnotations: [],
    },
    serviceTypes: ['ClusterIP'],
    allowExternalIPs: true,
    ingressHosts: ['*.example.org', '"quoted" \\ <a&b> %s', '[ü]', "it's"],
    allowChosenVolumes: true,
    storageClasses: [],
    deniedEndpointRanges: ['10.200.0.0/16', 'fd00::/8'],
    allowedEndpointRanges: [],
    deniedAnnotations: ['[', ']'],
  },
};

const valueSets: readonly (readonly [string, Values])[] = [
  ['the defaults', { ...defaultValues, releaseName, clusterID: 'rome' }],
  [
    'another namespace',
    { ...defaultValues, releaseName, clusterID: 'rome', namespace: 'elsewhere' },
  ],
  ['everything else than the defaults', many],
  [
    'zeros',
    {
      ...many,
      controllerManager: { ...many.controllerManager, replicas: 0, drainTimeoutSeconds: 0 },
      virtualKubelet: { ...many.virtualKubelet, extraArgs: ['--one'] },
    },
  ],
  ['an image with spaces and quotes', { ...many, image: { ...many.image, name: ' a "b" \\ %d' } }],
  [
    'monitoring without a dashboard',
    {
      ...defaultValues,
      releaseName,
      clusterID: 'rome',
      monitoring: { ...defaultValues.monitoring, enabled: true },
    },
  ],
  [
    'a dashboard without monitoring',
    {
      ...defaultValues,
      releaseName,
      clusterID: 'rome',
      common: { ...defaultValues.common, labels: { grafana_dashboard: 'no', a: 'b' } },
      monitoring: { ...many.monitoring, enabled: false },
    },
  ],
  ['the longest ID', { ...defaultValues, releaseName, clusterID: 'x'.repeat(51) }],
];

test.each(valueSets)('the chart gives the objects of the manifests: %s', async (_, values) => {
  const { namespace, releaseName: _name, ...given } = values;
  const rendered = await renderWithHelm(given, namespace);
  const wanted = asSent([...forgeManifests(values).filter(isInChart), ...hooksOf(values)]);
  expect(byName(rendered)).toEqual(byName(wanted));
  expect(rendered).toHaveLength(wanted.length);
});

test.each(valueSets)(
  'liqoctl install -o yaml prints the objects of the chart: %s',
  async (_, all) => {
    const { namespace, releaseName: _name, ...given } = all;
    const file = join(access.folder, 'given.json');
    writeFileSync(file, JSON.stringify(given));
    const where = ['-n', namespace, '--values', file, '--include-crds'];
    const rendered = loadAll(await helm(access, 'template', 'liqo', chart, ...where));
    const line = ['install', '-o', 'yaml', '-n', namespace, '--values', file];
    const outcome = await runLiqoctlHere(line);
    expect(outcome).toMatchObject({ code: 0, stderr: '' });
    const printed = (loadAll(outcome.stdout) as KubeObject[]).filter(isInChart);
    const lasting = (rendered as KubeObject[]).filter((object) => !isHook(object));
    expect(byName(printed)).toEqual(byName(lasting));
  },
);

test('values.yaml has the defaults of the manifests', async () => {
  const values = { ...defaultValues, releaseName, clusterID: 'rome' };
  const rendered = await renderWithHelm({ clusterID: 'rome' }, defaultValues.namespace);
  const wanted = [...forgeManifests(values).filter(isInChart), ...hooksOf(values)];
  expect(byName(rendered)).toEqual(byName(asSent(wanted)));
});

test('helm lint finds nothing to complain of', async () => {
  const report = await helm(access, 'lint', '--strict', chart, '--set', 'clusterID=rome');
  expect(report).toContain('1 chart(s) linted, 0 chart(s) failed');
});

test.each([
  ['no cluster ID', {}, 'clusterID is required: how this cluster is known to its peers'],
  ['an empty cluster ID', { clusterID: '' }, 'clusterID is required'],
  ['a cluster ID that is no DNS label', { clusterID: 'Rome_1' }, "'Rome_1' does not match pattern"],
  ['a cluster ID that is too long', { clusterID: 'x'.repeat(52) }, 'maxLength'],
  ['a misspelt value', { clusterID: 'rome', images: {} }, "'images' not allowed"],
  [
    'a number in words',
    { clusterID: 'rome', controllerManager: { replicas: 'two' } },
    'want integer',
  ],
  ['a level that is none', { clusterID: 'rome', controllerManager: { logLevel: 'loud' } }, 'debug'],
  [
    'flags that are no list',
    { clusterID: 'rome', virtualKubelet: { extraArgs: '--a' } },
    'want array',
  ],
  ['a label that is a number', { clusterID: 'rome', common: { labels: { a: 1 } } }, 'want string'],
  [
    'a pull secret without a name',
    { clusterID: 'rome', image: { pullSecrets: [{}] } },
    "missing property 'name'",
  ],
  [
    'a resource that is not reflected',
    { clusterID: 'rome', virtualKubelet: { reflection: { node: { workers: 1 } } } },
    "invalid propertyName 'node'",
  ],
])('the chart refuses %s, and says so', async (_, values, complaint) => {
  await expect(renderWithHelm(values, 'liqo')).rejects.toThrow(complaint);
});

test('the chart can be part of another one, which gives it global values', async () => {
  const values = { clusterID: 'rome', global: { region: 'eu' } };
  await expect(renderWithHelm(values, 'liqo')).resolves.not.toEqual([]);
});
