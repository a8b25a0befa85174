import {
  ClusterConfig,
  labels,
  ResourceSlice,
  VirtualNode,
  VkOptionsTemplate,
  virtualNodeToleration,
} from '@liqo/api';
import { ClusterRole, Deployment, mergePatch, Pod, Secret } from '@liqo/kube';
import type { Minicluster } from '@liqo/minicluster';
import { embeddedKubernetes, startWorld, type World } from '@liqo/playground';
import { systemClock, systemRandom } from '@liqo/runtime';
import { eventually } from '@liqo/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Surroundings } from '../surroundings.ts';
import { runHere } from '../testing/run-here.ts';

const patient = { timeoutMs: 90_000 };
const tenant = 'liqo-tenant-milan';
const tolerations = [{ ...virtualNodeToleration }];

interface Cause {
  readonly link: string;
  readonly reason: string;
  readonly remedy: { readonly at: 'consumer' | 'provider'; readonly command: string };
}

interface Breakage {
  readonly name: string;
  readonly breakIt: () => Promise<unknown>;
  /** The words after `liqoctl why`. */
  readonly ask: string;
  readonly cause: Cause;
  /** Without it the remedy is run, and repairs it. */
  readonly repair?: () => Promise<unknown>;
  /** What is left once it is repaired is gone, and cannot be asked about. */
  readonly isGone?: boolean;
}

describe('liqoctl why, asked about what is broken', () => {
  let world: World<Minicluster>;
  let rome: Minicluster;
  let milan: Minicluster;

  beforeAll(async () => {
    const kubernetes = await embeddedKubernetes({ clock: systemClock, random: systemRandom });
    world = await startWorld({
      kubernetes,
      consumer: 'rome',
      providers: ['milan'],
      virtualNodes: [{ name: 'mypool', provider: 'milan', capacity: { cpu: '2', memory: '4Gi' } }],
      offloaded: ['shop'],
    });
    [rome, milan] = [world.cluster('rome'), world.cluster('milan')];
  }, 120_000);

  afterAll(() => world[Symbol.asyncDispose]());

  function liqoctl(cluster: Minicluster, line: string, options: Partial<Surroundings> = {}) {
    return runHere(line.split(' '), { ...options, env: { KUBECONFIG: cluster.kubeconfig } });
  }

  async function causeOf(object: string) {
    const { stdout, stderr } = await liqoctl(rome, `why ${object} -o json`);
    expect(stderr).toBe('');
    return JSON.parse(stdout).cause;
  }

  async function succeed(cluster: Minicluster, line: string): Promise<void> {
    expect(await liqoctl(cluster, line)).toMatchObject({ code: 0 });
  }

  /** A webhook that was just started may not answer yet. */
  const createPod = (name: string, spec: object = {}, annotations = {}) =>
    eventually(
      () =>
        rome.client.create(Pod, {
          metadata: { name, namespace: 'shop', annotations },
          spec: { nodeName: 'mypool', tolerations, containers: [container('100m')], ...spec },
        }),
      patient,
    );
  const container = (cpu: string) => ({
    name: 'main',
    image: 'app',
    resources: { requests: { cpu, memory: '64Mi' } },
  });
  const deletePod = (name: string) =>
    rome.client.delete(Pod, { namespace: 'shop', name }, { gracePeriodSeconds: 0 });
  const scale = ({ client }: Minicluster, name: string, replicas: number) =>
    client.patch(Deployment, { namespace: 'liqo', name }, mergePatch({ spec: { replicas } }));
  const createVirtualNode = (name: string, spec: object, marks: Record<string, string> = {}) =>
    rome.client.create(VirtualNode, {
      metadata: { name, namespace: tenant, labels: marks },
      spec: {
        clusterID: 'milan',
        kubeconfigSecretRef: { name: 'kubeconfig-resourceslice-mypool' },
        resourceQuota: { hard: { cpu: '1', memory: '1Gi' } },
        ...spec,
      },
    });
  const deleteVirtualNode = (name: string) =>
    rome.client.delete(VirtualNode, { namespace: tenant, name });
  const createSlice = (name: string) =>
    rome.client.create(ResourceSlice, {
      metadata: { name, namespace: tenant },
      spec: { providerClusterID: 'milan', consumerClusterID: 'rome', class: 'default' },
    });
  const noRights = { name: 'liqo-virtual-kubelet-remote' };
  let rights: ClusterRole['rules'] = [];

  const breakages: readonly Breakage[] = [
    {
      name: 'credentials of another cluster',
      async breakIt() {
        const kubeconfig = Buffer.from(rome.kubeconfigText).toString('base64');
        const metadata = { name: 'wrong', namespace: tenant };
        await rome.client.create(Secret, { metadata, data: { kubeconfig } });
        await createVirtualNode('stray', { kubeconfigSecretRef: { name: 'wrong' } });
      },
      ask: 'node/stray',
      cause: {
        link: 'identity',
        reason: 'WrongCluster',
        remedy: {
          at: 'consumer',
          command: expect.stringMatching(/^kubectl patch secret wrong -n liqo-tenant-milan -p /),
        },
      },
      repair: () => deleteVirtualNode('stray'),
      isGone: true,
    },
    {
      name: 'a virtual kubelet that crashes',
      async breakIt() {
        const key = { namespace: 'liqo', name: 'virtual-kubelet-default' };
        const standard = await rome.client.get(VkOptionsTemplate, key);
        await rome.client.create(VkOptionsTemplate, {
          metadata: { namespace: 'liqo', name: 'crashing' },
          spec: { ...standard?.spec, extraArgs: ['--nonsense'] } as VkOptionsTemplate['spec'],
        });
        const vkOptionsTemplateRef = { namespace: 'liqo', name: 'crashing' };
        await createVirtualNode('crashing', { vkOptionsTemplateRef });
      },
      ask: 'node/crashing',
      cause: {
        link: 'virtual node',
        reason: 'NotAvailable',
        remedy: {
          at: 'consumer',
          command: `kubectl describe pods -n ${tenant} -l liqo.io/virtual-node=crashing`,
        },
      },
      repair: () => deleteVirtualNode('crashing'),
      isGone: true,
    },
    {
      name: 'the name of a real Node',
      // As if it had been created before the Node was: the webhook refuses it.
      breakIt: () => createVirtualNode('rome-1', {}, { [labels.webhookSkip]: 'true' }),
      ask: 'vn/rome-1',
      cause: {
        link: 'virtual node',
        reason: 'NameTaken',
        remedy: { at: 'consumer', command: `kubectl describe virtualnode rome-1 -n ${tenant}` },
      },
      repair: () => deleteVirtualNode('rome-1'),
      isGone: true,
    },
    {
      name: 'a webhook that does not run, for pods that cannot be created',
      async breakIt() {
        await scale(rome, 'liqo-webhook', 0);
        await eventually(async () => {
          const key = { namespace: 'liqo', name: 'liqo-webhook' };
          const webhook = await rome.client.get(Deployment, key);
          expect(webhook?.status?.readyReplicas ?? 0).toBe(0);
        }, patient);
        const labels = { app: 'site' };
        await rome.client.create(Deployment, {
          metadata: { name: 'site', namespace: 'shop' },
          spec: {
            replicas: 1,
            selector: { matchLabels: labels },
            template: { metadata: { labels }, spec: { containers: [container('100m')] } },
          },
        });
        await eventually(async () => {
          const { stdout } = await liqoctl(rome, 'why deploy/site -n shop');
          expect(stdout).toMatch(/^✖ workload +Deployment "site" in "shop": it has 0 of 1 pods: /);
          expect(stdout).toContain('pod.mutate.liqo.io');
        }, patient);
        const { code, stdout } = await liqoctl(rome, 'doctor');
        expect(code).toBe(1);
        expect(stdout).toContain('✖ Webhooks: no pod of the Deployment "liqo-webhook" is ready');
        expect(await causeOf('ns/shop')).toMatchObject({ link: 'webhook' });
      },
      ask: 'deployment/site -n shop',
      cause: {
        link: 'webhook',
        reason: 'WebhookNotRunning',
        remedy: {
          at: 'consumer',
          command: 'kubectl scale deployment liqo-webhook -n liqo --replicas=1',
        },
      },
      repair: () => scale(rome, 'liqo-webhook', 2),
    },
    {
      name: 'an image that the provider cannot pull',
      breakIt: () => createPod('unpulled', {}, { 'minicluster.liqo-ts.dev/image-pull': 'fail' }),
      ask: 'pod/unpulled -n shop',
      cause: {
        link: 'pod',
        reason: expect.stringMatching(/^(ErrImagePull|ImagePullBackOff)$/),
        remedy: { at: 'consumer', command: 'kubectl describe pod unpulled -n shop' },
      },
      repair: () => deletePod('unpulled'),
      isGone: true,
    },
    {
      name: 'a pod that the provider does not allow',
      breakIt: () =>
        createPod('privileged', { volumes: [{ name: 'host', hostPath: { path: '/etc' } }] }),
      ask: 'pod/privileged -n shop',
      cause: {
        link: 'pod',
        reason: 'PodPolicy',
        remedy: { at: 'consumer', command: 'kubectl describe pod privileged -n shop' },
      },
      repair: () => deletePod('privileged'),
      isGone: true,
    },
    {
      name: 'a slice that the provider has cordoned',
      async breakIt() {
        const line = 'cordon resourceslice mypool --remote-cluster-id rome --skip-confirm';
        await succeed(milan, line);
        await createPod('held');
      },
      ask: 'pod/held -n shop',
      cause: {
        link: 'quota',
        reason: 'QuotaCordoned',
        remedy: {
          at: 'provider',
          command: 'liqoctl uncordon resourceslice mypool --remote-cluster-id rome',
        },
      },
    },
    {
      name: 'a Quota that is full',
      breakIt: () => createPod('large', { containers: [container('2')] }),
      ask: 'pod/large -n shop',
      cause: {
        link: 'quota',
        reason: 'QuotaExceeded',
        remedy: {
          at: 'consumer',
          command: expect.stringMatching(
            /^liqoctl create resourceslice mypool --remote-cluster-id milan .*--cpu 4\b/,
          ),
        },
      },
    },
    {
      name: 'controllers of the provider that do not run',
      async breakIt() {
        await scale(milan, 'liqo-controller-manager', 0);
        await eventually(async () => {
          const key = { namespace: 'liqo', name: 'liqo-controller-manager' };
          const manager = await milan.client.get(Deployment, key);
          expect(manager?.status?.readyReplicas ?? 0).toBe(0);
        }, patient);
        await createSlice('unheard');
      },
      ask: 'rs/unheard',
      cause: {
        link: 'slice',
        reason: 'SliceNotAnswered',
        remedy: { at: 'provider', command: 'liqoctl doctor' },
      },
      repair: () => scale(milan, 'liqo-controller-manager', 1),
    },
    {
      name: 'a consumer that the provider has cordoned',
      async breakIt() {
        await succeed(milan, 'cordon tenant rome --skip-confirm');
        await createSlice('cold');
      },
      ask: 'rs/cold',
      cause: {
        link: 'slice',
        reason: 'ResourceSliceResourcesDenied',
        remedy: { at: 'provider', command: 'liqoctl uncordon tenant rome' },
      },
    },
    {
      name: 'rights that the provider has withdrawn',
      async breakIt() {
        rights = (await milan.client.get(ClusterRole, noRights))?.rules;
        await milan.client.patch(ClusterRole, noRights, mergePatch({ rules: [] }));
      },
      ask: 'node/mypool',
      cause: {
        link: 'identity',
        reason: 'RemoteForbidden',
        remedy: { at: 'consumer', command: 'liqoctl authenticate --remote-kubeconfig FILE' },
      },
      repair: () =>
        milan.client.patch(ClusterRole, noRights, mergePatch({ rules: rights } as never)),
    },
    {
      name: 'an offer that waits for a person',
      async breakIt() {
        const ingoingConfig = { acceptPolicy: 'ManualAccept' };
        await rome.client.create(ClusterConfig, {
          metadata: { name: 'configuration' },
          spec: { advertisementConfig: { ingoingConfig } } as ClusterConfig['spec'],
        });
        await succeed(milan, 'offer enable');
        await eventually(async () => {
          const { stdout } = await liqoctl(rome, 'advertisement list');
          expect(stdout).toContain('WaitingManualDecision');
        }, patient);
      },
      ask: 'offer/milan',
      cause: {
        link: 'offer',
        reason: 'WaitingManualDecision',
        remedy: { at: 'consumer', command: 'liqoctl advertisement accept milan' },
      },
    },
    {
      name: 'an offer that was refused',
      breakIt: () => succeed(rome, 'advertisement refuse milan --skip-confirm'),
      ask: 'advertisement/milan',
      cause: {
        link: 'offer',
        reason: 'RefusedManually',
        remedy: { at: 'consumer', command: 'liqoctl advertisement accept milan' },
      },
    },
    {
      name: 'a consumer that the provider has drained',
      breakIt: () => succeed(milan, 'drain tenant rome --skip-confirm'),
      ask: 'rs/mypool',
      cause: {
        link: 'slice',
        reason: 'ResourceSliceAuthenticationDenied',
        remedy: { at: 'provider', command: 'liqoctl activate tenant rome' },
      },
    },
  ];

  test('names a certificate that has expired', async () => {
    const clock = { ...systemClock, now: () => Date.now() + 20 * 365 * 86_400_000 };
    const { stdout } = await liqoctl(rome, 'why node/mypool -o json', { clock });
    expect(JSON.parse(stdout).cause).toMatchObject({
      link: 'identity',
      reason: 'CertificateExpired',
      remedy: { at: 'consumer', command: 'liqoctl authenticate --remote-kubeconfig FILE' },
    });
  });

  test.each(breakages)(
    'names $name',
    async ({ breakIt, ask, cause, repair, isGone }) => {
      await breakIt();
      await eventually(async () => expect(await causeOf(ask)).toMatchObject(cause), patient);
      const { at } = cause.remedy;
      const { command } = (await causeOf(ask)).remedy;
      if (repair) await repair();
      else await succeed(at === 'provider' ? milan : rome, remedyOf(command));
      if (isGone) return;
      await eventually(async () => expect(await causeOf(ask)).toBeUndefined(), patient);
    },
    200_000,
  );

  /** The command line after `liqoctl`, without the flags for the cluster: those of the test stand in for them. */
  function remedyOf(command: string): string {
    expect(command).toMatch(/^liqoctl /);
    return command.slice('liqoctl '.length);
  }
});
