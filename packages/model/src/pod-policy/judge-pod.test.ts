import { describe, expect, test } from 'vitest';
import type { PodSpec } from '../pods/pod-spec.ts';
import { recordedShadowPod } from '../testing/recorded-pod.ts';
import { judgePod } from './judge-pod.ts';
import { defaultPodPolicy, type PodPolicy } from './pod-policy.ts';

const web = { name: 'web', image: 'nginx' };
const seconds = { tolerationSeconds: 30 };

function judge(spec: object, policy: Partial<PodPolicy> = {}) {
  const whole = { containers: [web], ...spec } as PodSpec;
  const context = { policy: { ...defaultPodPolicy, ...policy }, namespace: 'shop-rome' };
  return judgePod(whole, context);
}

/** Without what every pod gets. */
function allowed(spec: object, policy: Partial<PodPolicy> = {}): object {
  const verdict = judge(spec, policy);
  if (verdict.type === 'refused') throw new Error(verdict.fact);
  const { containers: _, automountServiceAccountToken: __, ...rest } = verdict.spec;
  return rest;
}

const refused = (fact: string) => ({ type: 'refused', fact: expect.stringContaining(fact) });

test('judgePod() allows what Liqo v1.2.0 sends, as it is', () => {
  const { pod } = recordedShadowPod.spec;
  expect(judge(pod)).toEqual({ type: 'allowed', spec: pod });
});

describe('a consumer that wants a node of its choice', () => {
  test.each([
    ['all taints', { operator: 'Exists' }],
    ['all taints that forbid to run', { operator: 'Exists', effect: 'NoExecute', ...seconds }],
    ['the control plane', { key: 'node-role.kubernetes.io/control-plane', operator: 'Exists' }],
    ['the old name of it', { key: 'node-role.kubernetes.io/master', effect: 'NoSchedule' }],
    ['nodes that are not ready', { key: 'node.kubernetes.io/not-ready', operator: 'Exists' }],
    [
      'cordoned nodes',
      { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule', ...seconds },
    ],
    ['lost nodes for ever', { key: 'node.kubernetes.io/unreachable', effect: 'NoExecute' }],
    ['new nodes', { key: 'node.cloudprovider.kubernetes.io/uninitialized', value: 'true' }],
    ['virtual nodes', { key: 'virtual-node.liqo.io/not-allowed', operator: 'Exists' }],
  ])('judgePod() does not let it tolerate %s', (_, toleration) => {
    expect(allowed({ tolerations: [toleration] })).toEqual({});
    const pool = { key: 'guests', operator: 'Exists' };
    expect(allowed({ tolerations: [toleration, pool] })).toEqual({ tolerations: [pool] });
  });

  test('judgePod() lets pods stay on a lost node for 300 seconds at most', () => {
    const stay = { key: 'node.kubernetes.io/unreachable', effect: 'NoExecute' };
    const tolerations = [
      { ...stay, tolerationSeconds: 30 },
      { ...stay, tolerationSeconds: 86_400 },
    ];
    expect(allowed({ tolerations })).toEqual({
      tolerations: [
        { ...stay, tolerationSeconds: 30 },
        { ...stay, tolerationSeconds: 300 },
      ],
    });
  });

  test('judgePod() lets pods tolerate what the provider allows', () => {
    const tolerations = [{ operator: 'Exists' }];
    expect(allowed({ tolerations }, { deniedTolerations: [] })).toEqual({ tolerations });
  });

  const controlPlane = 'node-role.kubernetes.io/control-plane';
  const required = (expression: object) => ({
    requiredDuringSchedulingIgnoredDuringExecution: {
      nodeSelectorTerms: [{ matchExpressions: [expression] }],
    },
  });

  test.each([
    ['selector', { nodeSelector: { [controlPlane]: '' } }],
    [
      'required affinity',
      { affinity: { nodeAffinity: required({ key: controlPlane, operator: 'Exists' }) } },
    ],
    [
      'preferred affinity',
      {
        affinity: {
          nodeAffinity: {
            preferredDuringSchedulingIgnoredDuringExecution: [
              {
                weight: 1,
                preference: { matchExpressions: [{ key: controlPlane, operator: 'In' }] },
              },
            ],
          },
        },
      },
    ],
  ])('judgePod() refuses a %s for the control plane', (_, spec) => {
    expect(judge(spec)).toEqual(refused(`"${controlPlane}"`));
    expect(judge(spec, { deniedNodeLabels: [] })).toMatchObject({ type: 'allowed' });
  });

  test('judgePod() allows other labels of nodes, and to avoid the control plane', () => {
    const affinity = { nodeAffinity: required({ key: controlPlane, operator: 'DoesNotExist' }) };
    const spec = { nodeSelector: { pool: 'guests' }, affinity };
    expect(allowed(spec)).toEqual(spec);
  });

  test('judgePod() does not let its pods keep pods of other namespaces from nodes', () => {
    const term = { labelSelector: {}, topologyKey: 'kubernetes.io/hostname' };
    const everywhere = { ...term, namespaceSelector: {}, namespaces: ['kube-system'] };
    const affinity = (one: object) => ({
      podAntiAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: [one],
        preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, podAffinityTerm: one }],
      },
      podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [one] },
    });
    expect(allowed({ affinity: affinity(everywhere) })).toEqual({ affinity: affinity(term) });
  });

  test('judgePod() removes what gets around the scheduler, or onto the host', () => {
    const spec = {
      nodeName: 'control-plane',
      schedulerName: 'theirs',
      priorityClassName: 'system-node-critical',
      priority: 2_000_000_000,
      preemptionPolicy: 'PreemptLowerPriority',
      hostNetwork: true,
      hostPID: true,
      hostIPC: true,
      overhead: { cpu: '-1' },
    };
    expect(allowed(spec)).toEqual({});
    const priorityClassName = 'guests';
    expect(allowed(spec, { priorityClassName })).toEqual({ priorityClassName });
  });

  test('judgePod() removes ports of the host', () => {
    const ports = [{ containerPort: 80, hostPort: 443, hostIP: '0.0.0.0' }];
    const containers = [{ ...web, ports }];
    expect(judge({ containers, initContainers: containers })).toMatchObject({
      spec: {
        containers: [{ ports: [{ containerPort: 80 }] }],
        initContainers: [{ ports: [{ containerPort: 80 }] }],
      },
    });
  });

  test('judgePod() refuses runtime classes that the provider does not list', () => {
    const spec = { runtimeClassName: 'kata' };
    expect(allowed(spec)).toEqual(spec);
    expect(judge(spec, { runtimeClasses: ['gvisor'] })).toEqual(refused('runtime class "kata"'));
  });
});

describe('a consumer that wants an identity of the provider', () => {
  const token = { serviceAccountToken: { path: 'token', audience: 'sts.amazonaws.com' } };
  const certificate = { podCertificate: { signerName: 'x/y', keyType: 'ED25519' } };
  const projected = (...sources: object[]) => ({
    volumes: [{ name: 'access', projected: { sources } }],
  });

  test('judgePod() gives no pod a token', () => {
    for (const spec of [{}, { automountServiceAccountToken: true, serviceAccount: 'admin' }]) {
      expect(judge(spec)).toEqual({
        type: 'allowed',
        spec: { containers: [web], automountServiceAccountToken: false },
      });
    }
  });

  test('judgePod() refuses a service account, unless the provider lists it', () => {
    const spec = { serviceAccountName: 'cart', automountServiceAccountToken: true };
    expect(judge(spec)).toEqual(refused('service account "cart"'));
    expect(judge(spec, { serviceAccounts: ['other'] })).toEqual(refused('service account "cart"'));
    expect(judge(spec, { serviceAccounts: ['cart'] })).toMatchObject({ spec });
    expect(judge(spec, { serviceAccounts: ['*'] })).toMatchObject({ spec });
  });

  test.each([
    ['tokens', token, 'serviceAccountToken'],
    ['certificates', certificate, 'podCertificate'],
  ])(
    'judgePod() refuses %s in volumes, unless the provider lists the account',
    (_, source, type) => {
      const spec = projected({ configMap: { name: 'kube-root-ca.crt' } }, source);
      expect(judge(spec)).toEqual(refused(`source ${type} of volume "access"`));
      const named = { ...spec, serviceAccountName: 'cart' };
      const serviceAccounts = ['cart'];
      expect(judge(spec, { serviceAccounts })).toEqual(refused(type));
      expect(judge(named, { serviceAccounts })).toMatchObject({ spec: named });
    },
  );

  test('judgePod() allows the tokens of the consumer, which come from a Secret', () => {
    const spec = projected(
      { secret: { name: 'web-token', items: [{ key: 'x', path: 'token' }] } },
      { configMap: { name: 'kube-root-ca.crt.rome' } },
      { downwardAPI: { items: [] } },
    );
    expect(allowed(spec)).toEqual(spec);
  });

  test('judgePod() refuses a source that it does not know', () => {
    expect(judge(projected({ tomorrow: {} }))).toEqual(refused('tomorrow'));
  });
});

describe('a consumer that wants volumes of the provider', () => {
  test.each([
    'awsElasticBlockStore',
    'csi',
    'flexVolume',
    'hostPath',
    'iscsi',
    'nfs',
    'rbd',
    'tomorrow',
  ])('judgePod() refuses volumes of type %s, unless the provider lists it', (type) => {
    const spec = { volumes: [{ name: 'data', [type]: {} }] };
    expect(judge(spec)).toEqual(refused(`volume "data" is of type ${type}`));
    expect(judge(spec, { volumeTypes: [type] })).toMatchObject({ spec });
  });

  test('judgePod() refuses a volume with a second type beside an allowed one', () => {
    const spec = { volumes: [{ name: 'data', emptyDir: {}, hostPath: { path: '/' } }] };
    expect(judge(spec)).toEqual(refused('hostPath'));
  });

  const claim = (spec: object) => ({
    volumes: [{ name: 'data', ephemeral: { volumeClaimTemplate: { spec } } }],
  });

  test.each([
    ['chooses a volume', { volumeName: 'backups' }],
    ['chooses a volume', { selector: { matchLabels: { content: 'backups' } } }],
    ['has no storage class', { storageClassName: '' }],
    ['takes data from another namespace', { dataSourceRef: { namespace: 'bank', name: 'x' } }],
  ])('judgePod() refuses an ephemeral volume whose claim %s', (fact, spec) => {
    expect(judge(claim(spec))).toEqual(refused(fact));
  });

  test('judgePod() allows other ephemeral volumes', () => {
    const spec = claim({ storageClassName: 'fast', dataSourceRef: { namespace: 'shop-rome' } });
    expect(allowed(spec)).toEqual(spec);
  });

  test('judgePod() refuses claims of devices', () => {
    expect(judge({ resourceClaims: [{ name: 'gpu' }] })).toEqual(refused('devices'));
  });
});

test.each([
  { livenessProbe: { httpGet: { port: 80, host: '169.254.169.254' } } },
  { readinessProbe: { tcpSocket: { port: 80, host: '10.96.0.1' } } },
  { startupProbe: { httpGet: { port: 80, host: 'kubernetes.default' } } },
  { lifecycle: { postStart: { httpGet: { port: 80, host: '127.0.0.1' } } } },
  { lifecycle: { preStop: { tcpSocket: { port: 80, host: '127.0.0.1' } } } },
])('judgePod() does not let kubelets connect to hosts of a consumer: %j', (hook) => {
  const probed = [{ ...web, ...hook }];
  expect(judge({ containers: probed })).toEqual(refused('container "web" names a host'));
  expect(judge({ initContainers: probed })).toEqual(refused('names a host'));
});

test.each([
  { tolerations: 'all' },
  { tolerations: [null] },
  { volumes: [null] },
  { volumes: {} },
  { ephemeralContainers: 'x' },
  { initContainers: [{}] },
  { containers: 'web' },
  { affinity: { nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [7] } } },
  { volumes: [{ name: 'x', projected: { sources: [null] } }] },
])('judgePod() refuses a spec that no API server accepts: %j', (spec) => {
  expect(judge(spec)).toEqual(refused('malformed'));
});

test('judgePod() names the first problems of many, in few words', () => {
  const volumes = Array.from({ length: 1000 }, (_, i) => ({
    name: `${i}${'x'.repeat(900)}`,
    nfs: {},
  }));
  const verdict = judge({ volumes });
  if (verdict.type !== 'refused') throw new Error('allowed');
  expect(verdict.fact).toContain('and 995 more');
  expect(verdict.fact.length).toBeLessThan(900);
});
