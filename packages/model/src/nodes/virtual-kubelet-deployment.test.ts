import type { VkOptionsTemplate } from '@liqo/api';
import { describe, expect, test } from 'vitest';
import { storedVirtualNode } from '../testing/stored-virtual-node.ts';
import { forgeVirtualKubelet, refuseTemplate } from './virtual-kubelet-deployment.ts';

const home = { clusterID: 'rome', liqoNamespace: 'liqo' };
const workers = (count: number, type?: 'DenyList') => ({ workers: count, ...(type && { type }) });

/** As the chart of Liqo v1.2.0 makes it. */
const options: VkOptionsTemplate = {
  metadata: { name: 'virtual-kubelet-default', namespace: 'liqo' },
  spec: {
    containerImage: 'localhost/liqo:dev',
    createNode: true,
    disableNetworkCheck: true,
    metricsEnabled: false,
    extraArgs: ['--enable-apiserver-support=true'],
    reflectorsConfig: {
      pod: workers(10),
      service: workers(3, 'DenyList'),
      endpointslice: workers(10),
      ingress: workers(3, 'DenyList'),
      configmap: workers(3, 'DenyList'),
      secret: workers(3, 'DenyList'),
      serviceaccount: workers(3),
      persistentvolumeclaim: workers(3),
      event: workers(3, 'DenyList'),
    },
  },
};

function withOptions(spec: Partial<VkOptionsTemplate['spec']>): VkOptionsTemplate {
  return { ...options, spec: { ...options.spec, ...spec } };
}

function forge(virtualNode = storedVirtualNode(), template = options) {
  const deployment = forgeVirtualKubelet(virtualNode, template, home);
  const podSpec = deployment.spec?.template.spec;
  const [container] = podSpec?.containers ?? [];
  return { deployment, podSpec, container, args: container?.args ?? [] };
}

const template = (spec: object, metadata = {}) => ({
  metadata,
  spec: { selector: {}, template: { spec: { containers: [], ...spec } } },
});

describe('the Deployment of a virtual kubelet', () => {
  test('forgeVirtualKubelet() gives it the arguments that Liqo v1.2.0 gives, in that order', () => {
    const virtualNode = storedVirtualNode({ storageClasses: [{ storageClassName: 'liqo' }] });
    expect(forge(virtualNode).args).toEqual([
      '--foreign-cluster-id=milan',
      '--nodename=mynode',
      '--node-ip=$(POD_IP)',
      '--tenant-namespace=liqo-tenant-milan',
      '--liqo-namespace=liqo',
      '--home-cluster-id=rome',
      '--enable-storage',
      '--remote-real-storage-class-name=liqo',
      '--pod-reflection-workers=10',
      '--service-reflection-workers=3',
      '--endpointslice-reflection-workers=10',
      '--ingress-reflection-workers=3',
      '--configmap-reflection-workers=3',
      '--secret-reflection-workers=3',
      '--serviceaccount-reflection-workers=3',
      '--persistentvolumeclaim-reflection-workers=3',
      '--event-reflection-workers=3',
      '--service-reflection-type=DenyList',
      '--ingress-reflection-type=DenyList',
      '--configmap-reflection-type=DenyList',
      '--secret-reflection-type=DenyList',
      '--event-reflection-type=DenyList',
      '--enable-apiserver-support=true',
      '--metrics-enabled=false',
      '--foreign-kubeconfig-secret-name=kubeconfig-resourceslice-mynode',
      '--create-node=true',
      '--node-check-network=false',
    ]);
  });

  test('forgeVirtualKubelet() allows insecure peers where the installation does', () => {
    const flags = (allowInsecurePeers: boolean) =>
      forgeVirtualKubelet(storedVirtualNode(), options, { ...home, allowInsecurePeers }).spec
        ?.template.spec?.containers[0]?.args ?? [];
    expect(flags(true)).toContain('--allow-insecure-peers=true');
    expect(flags(false).join(' ')).not.toContain('insecure');
  });

  test('forgeVirtualKubelet() names, labels and selects as Liqo v1.2.0 does', () => {
    const { deployment, podSpec, container } = forge();
    const selector = {
      'liqo.io/remote-cluster-id': 'milan',
      'liqo.io/virtual-node': 'mynode',
      'offloading.liqo.io/component': 'virtual-kubelet',
    };
    expect(deployment.metadata).toEqual({
      name: 'vk-mynode',
      namespace: 'liqo-tenant-milan',
      labels: { 'liqo.io/managed': 'true', ...selector },
      annotations: {},
    });
    expect(deployment.spec).toMatchObject({ replicas: 1, selector: { matchLabels: selector } });
    expect(deployment.spec?.template.metadata?.labels).toEqual(selector);
    expect(podSpec?.serviceAccountName).toBe('mynode');
    expect(container).toMatchObject({
      name: 'virtual-kubelet',
      env: [
        { name: 'POD_IP', valueFrom: { fieldRef: { fieldPath: 'status.podIP' } } },
        { name: 'POD_NAME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
        { name: 'POD_NAMESPACE', valueFrom: { fieldRef: { fieldPath: 'metadata.namespace' } } },
        { name: 'VIRTUALNODE_NAME', value: 'mynode' },
      ],
    });
  });

  test('forgeVirtualKubelet() gives it what Pod Security "restricted" asks for', () => {
    const { podSpec, container } = forge();
    expect(podSpec?.securityContext).toEqual({
      runAsNonRoot: true,
      seccompProfile: { type: 'RuntimeDefault' },
    });
    expect(container?.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
  });

  test.each([
    [
      'the default class',
      [{ storageClassName: 'a' }, { storageClassName: 'b', default: true }],
      'b',
    ],
    ['else the first', [{ storageClassName: 'a' }, { storageClassName: 'b' }], 'a'],
  ])('forgeVirtualKubelet() offers %s', (_, storageClasses, chosen) => {
    const { args } = forge(storedVirtualNode({ storageClasses }));
    expect(args).toContain(`--remote-real-storage-class-name=${chosen}`);
  });

  test('forgeVirtualKubelet() has no word of what the provider does not offer', () => {
    expect(forge().args.filter((arg) => /enable-(storage|ingress|load)/.test(arg))).toEqual([]);
    const { args } = forge(
      storedVirtualNode({
        ingressClasses: [{ ingressClassName: 'nginx' }],
        loadBalancerClasses: [{ loadBalancerClassName: 'metal' }],
      }),
    );
    expect(args).toEqual(expect.arrayContaining(['--enable-ingress', '--enable-load-balancer']));
  });

  test.each([
    [{}, '--create-node=true', '--node-check-network=false'],
    [{ createNode: false }, '--create-node=false', '--node-check-network=false'],
    [{ disableNetworkCheck: false }, '--create-node=true', '--node-check-network=true'],
  ])(
    'forgeVirtualKubelet() of %j says what the VirtualNode does, else the options',
    (spec, ...said) => {
      expect(forge(storedVirtualNode(spec)).args).toEqual(expect.arrayContaining(said));
    },
  );

  test('forgeVirtualKubelet() lets extra arguments change others, but not what the VirtualNode decides', () => {
    const extraArgs = ['--pod-reflection-workers=99', '--nodename=evil', '--create-node=false'];
    const { args } = forge(storedVirtualNode(), withOptions({ extraArgs }));
    expect(args.filter((arg) => arg.startsWith('--pod-reflection'))).toEqual([extraArgs[0]]);
    expect(args).toContain('--nodename=mynode');
    expect(args.filter((arg) => arg.startsWith('--create-node'))).toEqual(['--create-node=true']);
  });

  test('forgeVirtualKubelet() gives a reflector that is disabled no workers, and no type', () => {
    const reflectorsConfig = { configmap: { workers: 5, type: 'Disabled' as const } };
    const { args } = forge(storedVirtualNode(), withOptions({ reflectorsConfig }));
    expect(args.filter((arg) => arg.startsWith('--configmap-'))).toEqual([
      '--configmap-reflection-workers=0',
    ]);
  });

  test('forgeVirtualKubelet() names the custom resources that are reflected', () => {
    const widgets = { group: 'example.org', version: 'v1', resource: 'widgets' };
    const gadgets = { ...widgets, resource: 'gadgets', type: 'AllowList' as const };
    const options = withOptions({ reflectedResources: [widgets, gadgets] });
    expect(forge(storedVirtualNode(), options).args).toContain(
      '--reflected-resources=widgets.v1.example.org,gadgets.v1.example.org:AllowList',
    );
  });

  test('forgeVirtualKubelet() keeps values beside their flags, and overrides no decided flag, in any syntax of Go', () => {
    const extraArgs = [
      '--metrics-enabled',
      '--pod-reflection-workers',
      '3',
      '--node-ping-interval',
      '3',
      '--nodename',
      'evil',
      '-nodename=evil',
      '-create-node=false',
      '-v=4',
    ];
    const { args } = forge(storedVirtualNode(), withOptions({ extraArgs }));
    expect(args).toContain('--pod-reflection-workers=3');
    expect(args).toContain('--node-ping-interval=3');
    expect(args).toContain('--metrics-enabled');
    expect(args).toContain('-v=4');
    expect(args).not.toContain('3');
    expect(args.join(' ')).not.toContain('evil');
    const decided = args.filter((arg) => /^--?(nodename|create-node)\b/.test(arg));
    expect(decided).toEqual(['--nodename=mynode', '--create-node=true']);
  });

  test('forgeVirtualKubelet() serves metrics where the options say', () => {
    const ports = (spec: object) =>
      forge(storedVirtualNode(), withOptions(spec)).container?.ports?.map(({ name }) => name);
    expect(ports({ metricsEnabled: true, metricsAddress: ':8080' })).toEqual([
      'kubelet',
      'metrics',
    ]);
    expect(ports({ metricsEnabled: false, metricsAddress: ':8080' })).toEqual(['kubelet']);
    expect(ports({ metricsEnabled: true, metricsAddress: 'nonsense' })).toEqual(['kubelet']);
  });

  test('forgeVirtualKubelet() takes labels and annotations of the options, and never into the selector', () => {
    const extras = { extraLabels: { team: 'blue' }, extraAnnotations: { note: 'x' } };
    const { deployment } = forge(storedVirtualNode(), withOptions(extras));
    expect(deployment.metadata).toMatchObject({
      labels: { team: 'blue' },
      annotations: { note: 'x' },
    });
    expect(deployment.spec?.template.metadata).toMatchObject({
      labels: { team: 'blue' },
      annotations: { note: 'x' },
    });
    expect(deployment.spec?.selector.matchLabels).not.toHaveProperty('team');
  });

  test('forgeVirtualKubelet() hands on secrets for images, tolerations, resources and replicas', () => {
    const spec = {
      replicas: 2,
      imagePullSecrets: [{ name: 'registry' }],
      tolerations: [{ key: 'dedicated', operator: 'Exists' as const }],
      resources: { requests: { cpu: '50m' } },
      pullPolicy: 'Always' as const,
    };
    const { deployment, podSpec, container } = forge(storedVirtualNode(), withOptions(spec));
    expect(deployment.spec?.replicas).toBe(2);
    expect(podSpec).toMatchObject({
      imagePullSecrets: spec.imagePullSecrets,
      tolerations: spec.tolerations,
    });
    expect(container).toMatchObject({ resources: spec.resources, imagePullPolicy: 'Always' });
  });
});

describe('its own template in a VirtualNode', () => {
  const own = {
    name: 'virtual-kubelet',
    image: 'localhost/liqo:v2',
    command: ['/bin/evil'],
    args: ['--pod-reflection-workers=7', '--nodename=evil', '--new=1'],
    env: [{ name: 'POD_IP', value: '1.2.3.4' }],
    resources: { limits: { memory: '2Gi' } },
    securityContext: { runAsUser: 1000 },
  };
  const virtualNode = storedVirtualNode({
    template: template(
      {
        containers: [own],
        nodeSelector: { disk: 'ssd' },
        serviceAccountName: 'mynode',
        securityContext: { fsGroup: 1000 },
      },
      { labels: { colour: 'red', 'liqo.io/virtual-node': 'other' } },
    ),
  });

  test('forgeVirtualKubelet() lets it win, where it is free to', () => {
    const { deployment, podSpec, container, args } = forge(virtualNode);
    expect(refuseTemplate(virtualNode, options, home)).toBeUndefined();
    expect(container?.image).toBe('localhost/liqo:v2');
    expect(args).toEqual(expect.arrayContaining(['--pod-reflection-workers=7', '--new=1']));
    expect(container?.resources).toEqual(own.resources);
    expect(container?.securityContext).toMatchObject({ runAsUser: 1000, capabilities: {} });
    expect(podSpec?.securityContext).toMatchObject({ fsGroup: 1000, runAsNonRoot: true });
    expect(podSpec?.nodeSelector).toEqual({ disk: 'ssd' });
    expect(deployment.metadata?.labels).toMatchObject({ colour: 'red' });
  });

  test('forgeVirtualKubelet() keeps what makes it the virtual kubelet of this node', () => {
    const { deployment, podSpec, container, args } = forge(virtualNode);
    expect(container?.name).toBe('virtual-kubelet');
    expect(container?.command).toEqual(['/usr/bin/liqo', 'virtual-kubelet']);
    expect(container?.env).not.toContainEqual({ name: 'POD_IP', value: '1.2.3.4' });
    expect(args).toContain('--nodename=mynode');
    expect(deployment.metadata?.labels?.['liqo.io/virtual-node']).toBe('mynode');
    expect(podSpec?.serviceAccountName).toBe('mynode');
  });

  test('forgeVirtualKubelet() takes over nothing that refuseTemplate() refuses', () => {
    const hostile = storedVirtualNode({
      template: template({
        hostPID: true,
        volumes: [{ name: 'host', hostPath: { path: '/' } }],
        serviceAccountName: 'liqo-controller-manager',
        securityContext: { runAsNonRoot: false },
        containers: [
          { ...own, securityContext: { privileged: true, readOnlyRootFilesystem: false } },
          { name: 'sidecar', image: 's' },
        ],
      }),
    });
    const { podSpec, container } = forge(hostile);
    expect(refuseTemplate(hostile, options, home)).toContain('hostPID cannot be set');
    expect(podSpec).not.toHaveProperty('hostPID');
    expect(podSpec).not.toHaveProperty('volumes');
    expect(podSpec?.containers).toHaveLength(1);
    expect(podSpec?.serviceAccountName).toBe('mynode');
    expect(podSpec?.securityContext?.runAsNonRoot).toBe(true);
    expect(container?.securityContext).toMatchObject({ readOnlyRootFilesystem: true });
  });

  test('forgeVirtualKubelet() keeps its image in a template that the webhook of Liqo has filled in', () => {
    const command = ['/usr/bin/virtual-kubelet'];
    const containers = [{ name: 'virtual-kubelet', command, image: 'ghcr.io/liqotech/vk:v1.2.0' }];
    const filledIn = storedVirtualNode({ template: template({ containers }) });
    expect(refuseTemplate(filledIn, options, home)).toBeUndefined();
    expect(forge(filledIn).container?.image).toBe('localhost/liqo:dev');
  });
});
