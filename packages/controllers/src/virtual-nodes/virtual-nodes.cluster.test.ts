import { labels, NamespaceMap, VirtualNode, VkOptionsTemplate } from '@liqo/api';
import {
  ClusterRoleBinding,
  Deployment,
  Event,
  type Kind,
  type KubeObject,
  mergePatch,
  Namespace,
  Node,
  type ObjectKey,
  Role,
  RoleBinding,
  Secret,
  ServiceAccount,
} from '@liqo/kube';
import type { Stoppable } from '@liqo/runtime';
import { eventually } from '@liqo/testkit';
import { isWrite } from '@liqo/testkit/faults';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { controllersUser } from '../testing/installation.ts';
import { startCluster, type TestCluster } from '../testing/start-cluster.ts';
import {
  tenantNamespace as namespace,
  prepareConsumer,
  secretWith,
  virtualNodeCalled,
} from '../testing/virtual-node-fixtures.ts';
import { startVirtualNodeController } from './virtual-node-controller.ts';

const patient = { timeoutMs: 30_000 };

describe('a VirtualNode', () => {
  let rome: TestCluster;
  let controller: Stoppable;

  beforeAll(async () => {
    rome = await startCluster('rome');
    await prepareConsumer(rome);
    controller = start();
  });

  afterAll(async () => {
    await controller[Symbol.asyncDispose]();
    await rome[Symbol.asyncDispose]();
  });

  function start(): Stoppable {
    return startVirtualNodeController(rome.context, { drainTimeoutMs: 60_000 });
  }

  async function create(name: string, spec: Partial<VirtualNode['spec']> = {}): Promise<void> {
    await rome.client.create(VirtualNode, virtualNodeCalled(name, spec));
  }

  async function change(name: string, spec: object): Promise<void> {
    const patch = mergePatch({ spec } as Parameters<typeof mergePatch>[0]);
    await rome.client.patch(VirtualNode, { namespace, name }, patch);
  }

  function found<T extends KubeObject>(kind: Kind<T>, key: ObjectKey) {
    return eventually(async () => {
      const object = await rome.client.get(kind, key);
      if (!object) throw new Error(`no ${kind.kind} ${key.name}`);
      return object;
    }, patient);
  }

  function says(name: string, type: 'Node' | 'VirtualKubelet', wanted: object) {
    return eventually(async () => {
      const virtualNode = await rome.client.get(VirtualNode, { namespace, name });
      const conditions = virtualNode?.status?.conditions ?? [];
      const matching = conditions.filter((condition) => condition.type === type);
      expect(matching).toEqual([expect.objectContaining(wanted)]);
    }, patient);
  }

  async function argumentsOf(name: string): Promise<readonly string[]> {
    const deployment = await rome.client.get(Deployment, { namespace, name: `vk-${name}` });
    return deployment?.spec?.template.spec?.containers[0]?.args ?? [];
  }

  const warnings = async (name: string): Promise<readonly (string | undefined)[]> => {
    const { items } = await eventually(async () => {
      const list = await rome.client.list(Event, { fieldSelector: `regarding.name=${name}` });
      expect(list.items).not.toEqual([]);
      return list;
    }, patient);
    return items.map(({ reason }) => reason);
  };

  const parts = (name: string): [Kind<KubeObject>, ObjectKey][] =>
    [
      [ServiceAccount, { namespace, name }],
      [Role, { namespace, name }],
      [RoleBinding, { namespace, name }],
      [Role, { namespace: 'kube-node-lease', name: `liqo-node-${name}` }],
      [RoleBinding, { namespace: 'kube-node-lease', name: `liqo-node-${name}` }],
      [ClusterRoleBinding, { name: `liqo-node-${name}` }],
      [Deployment, { namespace, name: `vk-${name}` }],
      [NamespaceMap, { namespace, name: 'milan' }],
    ] as [Kind<KubeObject>, ObjectKey][];

  test('gets its virtual kubelet, and says what it waits for', async () => {
    await create('mynode');
    for (const [kind, key] of parts('mynode')) await found(kind, key);
    await says('mynode', 'VirtualKubelet', { status: 'Creating', reason: 'NotAvailable' });
    await says('mynode', 'Node', { status: 'Creating', reason: 'NoNode' });
    const map = await found(NamespaceMap, { namespace, name: 'milan' });
    expect(map.metadata.labels).toEqual({
      'liqo.io/remote-cluster-id': 'milan',
      'liqo.io/remoteID': 'milan',
      'liqo.io/replication': 'true',
    });
  });

  test('has each part of it made again that somebody deletes', async () => {
    await create('phoenix');
    for (const [kind, key] of parts('phoenix')) {
      const before = await found(kind, key);
      await rome.client.delete(kind, key);
      await eventually(async () => {
        const after = await rome.client.get(kind, key);
        expect(after?.metadata.uid, kind.kind).toEqual(expect.any(String));
        expect(after?.metadata.uid, kind.kind).not.toBe(before.metadata.uid);
      }, patient);
    }
  });

  test('has put right what somebody changes', async () => {
    await create('stubborn');
    const key = { namespace, name: 'vk-stubborn' };
    await found(Deployment, key);
    await rome.client.patch(Deployment, key, mergePatch({ spec: { replicas: 0 } }));
    const binding = { name: 'liqo-node-stubborn' };
    const intruder = [{ kind: 'ServiceAccount', name: 'intruder', namespace: 'default' }];
    await rome.client.patch(ClusterRoleBinding, binding, mergePatch({ subjects: intruder }));
    const marks = { [labels.replication]: null };
    const map = { namespace, name: 'milan' };
    await rome.client.patch(NamespaceMap, map, mergePatch({ metadata: { labels: marks } }));
    await eventually(async () => {
      expect((await rome.client.get(Deployment, key))?.spec?.replicas).toBe(1);
      const { subjects } = (await rome.client.get(ClusterRoleBinding, binding)) ?? {};
      expect(subjects).toEqual([{ kind: 'ServiceAccount', name: 'stubborn', namespace }]);
      const { metadata } = (await rome.client.get(NamespaceMap, map)) ?? {};
      expect(metadata?.labels).toMatchObject({ [labels.replication]: 'true' });
    }, patient);
  });

  test('is followed by its Deployment, also where something is taken away', async () => {
    await create('moving', { storageClasses: [{ storageClassName: 'fast' }] });
    const storage = '--remote-real-storage-class-name=fast';
    await eventually(async () => expect(await argumentsOf('moving')).toContain(storage), patient);
    await change('moving', {
      storageClasses: null,
      disableNetworkCheck: true,
      template: { metadata: { labels: { colour: 'red' } } },
    });
    await eventually(async () => {
      const args = await argumentsOf('moving');
      expect(args).not.toContain(storage);
      expect(args).not.toContain('--enable-storage');
      expect(args).toContain('--node-check-network=false');
      const deployment = await found(Deployment, { namespace, name: 'vk-moving' });
      expect(deployment.metadata.labels).toMatchObject({ colour: 'red', team: 'blue' });
    }, patient);
    await change('moving', { template: null });
    await eventually(async () => {
      const deployment = await found(Deployment, { namespace, name: 'vk-moving' });
      expect(deployment.metadata.labels).not.toHaveProperty('colour');
    }, patient);
  });

  test('follows the options that it names, and waits for them', async () => {
    await create('choosy', { vkOptionsTemplateRef: { name: 'special', namespace: 'liqo' } });
    await says('choosy', 'VirtualKubelet', {
      reason: 'NoOptionsTemplate',
      message: expect.stringContaining('"liqo/special"'),
    });
    await rome.client.create(VkOptionsTemplate, {
      metadata: { name: 'special', namespace: 'liqo' },
      spec: {
        containerImage: 'example.org/special:1',
        createNode: true,
        disableNetworkCheck: true,
        metricsEnabled: false,
        extraLabels: { tier: 'one' },
      },
    });
    const key = { namespace, name: 'vk-choosy' };
    expect((await found(Deployment, key)).metadata.labels).toMatchObject({ tier: 'one' });
    const patch = mergePatch({ spec: { extraLabels: { tier: null } } });
    await rome.client.patch(VkOptionsTemplate, { namespace: 'liqo', name: 'special' }, patch);
    await eventually(async () => {
      const { metadata, spec } = (await rome.client.get(Deployment, key)) ?? {};
      expect(metadata?.labels).not.toHaveProperty('tier');
      expect(spec?.template.metadata?.labels).not.toHaveProperty('tier');
    }, patient);
  });

  test('may have tokens of other accounts only for as long as its options say so', async () => {
    const options = {
      containerImage: 'localhost/liqo:dev',
      createNode: true,
      disableNetworkCheck: true,
      metricsEnabled: false,
      extraArgs: ['--enable-apiserver-support=true'],
    };
    const template = { name: 'with-tokens', namespace };
    await rome.client.create(VkOptionsTemplate, { metadata: template, spec: options });
    await create('caller', { vkOptionsTemplateRef: template });
    const key = { name: 'liqo-node-tokens-caller' };
    const binding = await found(ClusterRoleBinding, key);
    expect(binding.roleRef.name).toBe('liqo-virtual-kubelet-tokens');
    await rome.client.patch(VkOptionsTemplate, template, mergePatch({ spec: { extraArgs: [] } }));
    await eventually(async () => {
      expect(await rome.client.get(ClusterRoleBinding, key)).toBeUndefined();
    }, patient);
  });

  test('waits for its Secret, whatever is wrong with it, and goes on by itself', async () => {
    const name = 'late-secret';
    await create('patient', { kubeconfigSecretRef: { name } });
    await says('patient', 'VirtualKubelet', {
      status: 'Creating',
      reason: 'NoKubeconfig',
      message: `Waiting for the Secret "${name}" of this namespace`,
    });
    const { metadata } = secretWith(name, '');
    await rome.client.create(Secret, { metadata: { ...metadata } });
    await says('patient', 'VirtualKubelet', {
      message: `Waiting for the key "kubeconfig" in the Secret "${name}" of this namespace`,
    });
    const put = async (text: string) => {
      const patch = mergePatch({ data: { kubeconfig: Buffer.from(text).toString('base64') } });
      await rome.client.patch(Secret, { namespace, name }, patch);
    };
    await put('no: kubeconfig');
    await says('patient', 'VirtualKubelet', {
      reason: 'InvalidKubeconfig',
      message: expect.stringContaining(`"${name}"`),
    });
    expect(await rome.client.get(Deployment, { namespace, name: 'vk-patient' })).toBeUndefined();
    expect(await rome.client.get(ServiceAccount, { namespace, name: 'patient' })).toBeUndefined();
    await put(rome.cluster.kubeconfigText);
    await found(Deployment, { namespace, name: 'vk-patient' });
    await says('patient', 'VirtualKubelet', { reason: 'NotAvailable' });
  });

  test.each([
    ['no-provider', { clusterID: undefined }, 'NoClusterID'],
    ['no-secret', { kubeconfigSecretRef: {} }, 'NoKubeconfig'],
    ['n'.repeat(64), {}, 'InvalidName'],
    ['default', {}, 'NameTaken'],
    [
      'bad-template',
      {
        template: {
          spec: {
            selector: {},
            template: {
              metadata: { labels: { colour: 'not a value' } },
              spec: { containers: [{ name: 'virtual-kubelet' }] },
            },
          },
        },
      },
      'KubeletRefused',
    ],
    [
      'foreign-options',
      { vkOptionsTemplateRef: { name: 'o', namespace: 'default' } },
      'OptionsRefused',
    ],
  ])('"%s" says what is wrong with it', async (name, spec, reason) => {
    await create(name, spec as Partial<VirtualNode['spec']>);
    await says(name, 'VirtualKubelet', { status: 'Creating', reason });
    expect(await rome.client.get(Deployment, { namespace, name: `vk-${name}` })).toBeUndefined();
    await rome.client.delete(VirtualNode, { namespace, name });
    await eventually(async () => {
      expect(await rome.client.get(VirtualNode, { namespace, name })).toBeUndefined();
    }, patient);
    const account = await rome.client.get(ServiceAccount, { namespace, name: 'default' });
    expect(account?.metadata.labels).toBeUndefined();
  });

  test('is refused with a template that asks for access to the host, and an Event says so', async () => {
    const containers = [{ name: 'virtual-kubelet', securityContext: { privileged: true } }];
    const template = { spec: { selector: {}, template: { spec: { hostPID: true, containers } } } };
    await create('grabby', { template });
    const fields = [
      'spec.template.spec.hostPID cannot be set',
      'spec.template.spec.containers.securityContext sets privileged',
    ];
    const message = expect.stringContaining(fields.join('; '));
    await says('grabby', 'VirtualKubelet', { reason: 'TemplateRefused', message });
    expect(await warnings('grabby')).toEqual(['TemplateRefused']);
    expect(await rome.client.get(Deployment, { namespace, name: 'vk-grabby' })).toBeUndefined();
    expect(await rome.client.get(ServiceAccount, { namespace, name: 'grabby' })).toBeUndefined();
    await change('grabby', { template: null });
    await found(Deployment, { namespace, name: 'vk-grabby' });
  });

  test('has no effect outside of the tenant namespace of its provider, and takes no name there', async () => {
    const outside = 'shop';
    const marks = { [labels.tenantNamespace]: 'true', [labels.remoteClusterID]: 'bergen' };
    await rome.client.create(Namespace, { metadata: { name: outside, labels: marks } });
    const metadata = { namespace: outside, name: 'squatter' };
    const { spec } = virtualNodeCalled('squatter');
    await rome.client.create(VirtualNode, { metadata, spec });
    await eventually(async () => {
      const { status } = (await rome.client.get(VirtualNode, metadata)) ?? {};
      expect(status?.conditions).toContainEqual(
        expect.objectContaining({ type: 'VirtualKubelet', reason: 'NotInTenantNamespace' }),
      );
    }, patient);
    expect(await warnings('squatter')).toEqual(['NotInTenantNamespace']);
    // A name that such a VirtualNode was first to have is free, and stays with the later one.
    await create('squatter');
    await found(Deployment, { namespace, name: 'vk-squatter' });
    await rome.client.delete(VirtualNode, metadata);
    await eventually(async () => {
      expect(await rome.client.get(VirtualNode, metadata)).toBeUndefined();
    }, patient);
    await found(ClusterRoleBinding, { name: 'liqo-node-squatter' });
    expect(await rome.client.get(ServiceAccount, metadata)).toBeUndefined();
  });

  test('does not take the name of a Node of somebody else, nor that Node when it goes', async () => {
    await rome.client.create(Node, { metadata: { name: 'worker' } });
    await create('worker');
    const taken = { reason: 'NameTaken', message: expect.stringContaining('"worker"') };
    await says('worker', 'Node', { status: 'None', ...taken });
    await says('worker', 'VirtualKubelet', { status: 'Creating', ...taken });
    expect(await rome.client.get(Deployment, { namespace, name: 'vk-worker' })).toBeUndefined();
    await rome.client.delete(VirtualNode, { namespace, name: 'worker' });
    await eventually(async () => {
      expect(await rome.client.get(VirtualNode, { namespace, name: 'worker' })).toBeUndefined();
    }, patient);
    const node = await rome.client.get(Node, { name: 'worker' });
    expect(node).toBeDefined();
    expect(node?.spec?.unschedulable).toBeUndefined();
    expect(node?.metadata.deletionTimestamp).toBeUndefined();
  });

  test('does not take the name of one in another namespace, nor its rights when it goes', async () => {
    const elsewhere = 'liqo-tenant-oslo';
    const marks = { [labels.tenantNamespace]: 'true', [labels.remoteClusterID]: 'oslo' };
    await rome.client.create(Namespace, { metadata: { name: elsewhere, labels: marks } });
    const rival = virtualNodeCalled('twin', { clusterID: 'oslo' });
    await create('twin');
    await rome.client.create(VirtualNode, {
      ...rival,
      metadata: { name: 'twin', namespace: elsewhere },
    });
    const loser = await eventually(async () => {
      const { items } = await rome.client.list(VirtualNode);
      const refused = items.filter(({ status }) =>
        status?.conditions?.some(({ message = '' }) => message.includes('has that name already')),
      );
      expect(refused.map(({ metadata }) => metadata.name)).toEqual(['twin']);
      return refused[0]?.metadata.namespace;
    }, patient);
    await rome.client.delete(VirtualNode, { namespace: loser, name: 'twin' });
    await eventually(async () => {
      const gone = await rome.client.get(VirtualNode, { namespace: loser, name: 'twin' });
      expect(gone).toBeUndefined();
    }, patient);
    if (loser !== elsewhere) return;
    const binding = await found(ClusterRoleBinding, { name: 'liqo-node-twin' });
    expect(binding.subjects).toMatchObject([{ namespace }]);
  });

  test('without a Node keeps its virtual kubelet, and the Node that it had goes', async () => {
    await create('nodeless');
    await found(Deployment, { namespace, name: 'vk-nodeless' });
    const marks = { [labels.type]: 'virtual-node', [labels.remoteClusterID]: 'milan' };
    await rome.client.create(Node, { metadata: { name: 'nodeless', labels: marks } });
    await change('nodeless', { createNode: false });
    await eventually(async () => {
      expect(await rome.client.get(Node, { name: 'nodeless' })).toBeUndefined();
    }, patient);
    await says('nodeless', 'Node', { status: 'None', reason: 'NotWanted' });
    expect(await argumentsOf('nodeless')).toContain('--create-node=false');
  });

  test('is not written about again when the controller starts anew', async () => {
    await says('mynode', 'Node', { reason: 'NoNode' });
    await controller[Symbol.asyncDispose]();
    rome.calls.calls.length = 0;
    controller = start();
    await create('marker', { kubeconfigSecretRef: { name: 'nowhere' } });
    await says('marker', 'VirtualKubelet', { reason: 'NoKubeconfig' });
    const writes = rome.calls.callsOf(controllersUser).filter(isWrite);
    const others = writes.filter(({ name }) => name !== 'marker');
    expect(others.map(({ verb, path }) => `${verb} ${path}`)).toEqual([]);
  });
});
