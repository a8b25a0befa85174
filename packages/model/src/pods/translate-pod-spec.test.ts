import { annotations } from '@liqo/api';
import { describe, expect, test } from 'vitest';
import { romeToMilan } from '../testing/rome-to-milan.ts';
import { storedPod } from '../testing/stored-pod.ts';
import { type PodRoute, translatePodSpec } from './translate-pod-spec.ts';

const withApiServer: PodRoute = {
  ...romeToMilan,
  consumerApiServer: { host: 'kubernetes.default', port: '6443' },
};

function annotated(key: string, value: string) {
  return { annotations: { [key]: value } };
}

describe('the offloading patch', () => {
  test('translatePodSpec() takes node selector, node affinity and runtime class from it', () => {
    const nodeAffinity = {
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms: [
          { matchExpressions: [{ key: 'pool', operator: 'In' as const, values: ['guests'] }] },
        ],
      },
    };
    const offloadingPatch = {
      nodeSelector: { pool: 'guests' },
      affinity: { nodeAffinity },
      runtimeClassName: 'gvisor',
    };
    const spec = translatePodSpec(storedPod({ spec: { nodeSelector: { disk: 'ssd' } } }), {
      ...romeToMilan,
      offloadingPatch,
    });
    expect(spec.nodeSelector).toEqual({ pool: 'guests' });
    expect(spec.affinity).toEqual({ nodeAffinity });
    expect(spec.runtimeClassName).toBe('gvisor');
  });

  test('translatePodSpec() adds its tolerations to those of the pod, each once', () => {
    const own = { key: 'a', operator: 'Exists' };
    const added = { key: 'b', operator: 'Exists' };
    const route = { ...romeToMilan, offloadingPatch: { tolerations: [own, added] } };
    const spec = translatePodSpec(storedPod({ spec: { tolerations: [own] } }), route);
    expect(spec.tolerations).toEqual([own, added]);
  });

  test.each([
    ['the annotation before all others', 'kata', 'runc', 'kata'],
    ['the pod’s own before the one of the patch', undefined, 'runc', 'runc'],
    ['the one of the patch in place of "liqo"', undefined, 'liqo', 'gvisor'],
  ])('translatePodSpec() takes, for a runtime class, %s', (_, annotation, own, expected) => {
    const metadata = annotation ? annotated(annotations.remoteRuntimeClassName, annotation) : {};
    const route = { ...romeToMilan, offloadingPatch: { runtimeClassName: 'gvisor' } };
    const spec = translatePodSpec(storedPod({ metadata, spec: { runtimeClassName: own } }), route);
    expect(spec.runtimeClassName).toBe(expected);
  });
});

describe('anti-affinity presets', () => {
  const podLabels = { app: 'web', tier: 'front', 'pod-template-hash': '1' };
  const podAntiAffinity = {
    requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: 'zone' }],
  };
  const term = (matchLabels: Record<string, string>) => ({
    labelSelector: { matchLabels },
    topologyKey: 'kubernetes.io/hostname',
  });
  const own = { app: 'web', tier: 'front' };

  test.each([
    ['propagate', podAntiAffinity],
    ['hard', { requiredDuringSchedulingIgnoredDuringExecution: [term(own)] }],
    [
      'soft',
      {
        preferredDuringSchedulingIgnoredDuringExecution: [
          { weight: 1, podAffinityTerm: term(own) },
        ],
      },
    ],
  ])('translatePodSpec() obeys "%s"', (preset, expected) => {
    const metadata = { labels: podLabels, ...annotated(annotations.antiAffinityPreset, preset) };
    const pod = storedPod({ metadata, spec: { affinity: { podAntiAffinity } } });
    expect(translatePodSpec(pod, romeToMilan).affinity).toEqual({ podAntiAffinity: expected });
  });

  test('translatePodSpec() looks only at the labels that the pod names', () => {
    const wishes = {
      [annotations.antiAffinityPreset]: 'hard',
      [annotations.antiAffinityLabels]: 'tier, pod-template-hash',
    };
    const pod = storedPod({ metadata: { labels: podLabels, annotations: wishes } });
    expect(translatePodSpec(pod, romeToMilan).affinity).toEqual({
      podAntiAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: [
          term({ tier: 'front', 'pod-template-hash': '1' }),
        ],
      },
    });
  });

  test('translatePodSpec() keeps the node affinity of the patch next to a preset', () => {
    const nodeAffinity = { preferredDuringSchedulingIgnoredDuringExecution: [] };
    const route = { ...romeToMilan, offloadingPatch: { affinity: { nodeAffinity } } };
    const pod = storedPod({ metadata: annotated(annotations.antiAffinityPreset, 'soft') });
    expect(translatePodSpec(pod, route).affinity?.nodeAffinity).toEqual(nodeAffinity);
  });
});

describe('access to an API server', () => {
  const token = { serviceAccountToken: { path: 'token', expirationSeconds: 3607 } };
  const ca = {
    configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] },
  };
  const namespace = { downwardAPI: { items: [{ path: 'namespace' }] } };
  const spec = {
    serviceAccountName: 'cart',
    containers: [
      {
        name: 'web',
        env: [
          { name: 'KUBERNETES_SERVICE_HOST', value: 'chosen.example.com' },
          { name: 'ME', valueFrom: { fieldRef: { fieldPath: 'spec.serviceAccountName' } } },
        ],
      },
    ],
    volumes: [{ name: 'kube-api-access-abcde', projected: { sources: [token, ca, namespace] } }],
  };
  const sourcesOf = (translated: ReturnType<typeof translatePodSpec>) =>
    translated.volumes?.[0]?.projected?.sources;
  const renamedCa = { configMap: { ...ca.configMap, name: 'kube-root-ca.crt.rome' } };

  test('translatePodSpec() gives a pod the consumer’s: token from a Secret, its account, variables', () => {
    const translated = translatePodSpec(storedPod({ spec }), withApiServer);
    const items = [{ key: 'kube-api-access-abcde-3c469e', path: 'token' }];
    expect(sourcesOf(translated)).toEqual([
      { secret: { name: 'web-token', items } },
      renamedCa,
      namespace,
    ]);
    expect(translated.serviceAccountName).toBeUndefined();
    expect(translated.automountServiceAccountToken).toBe(false);
    expect(translated.containers[0]?.env).toContainEqual({ name: 'ME', value: 'cart' });
    expect(translated.containers[0]?.env).toContainEqual({
      name: 'KUBERNETES_PORT',
      value: 'tcp://kubernetes.default:6443',
    });
  });

  test('translatePodSpec() leaves a variable alone that the container sets itself', () => {
    const env = translatePodSpec(storedPod({ spec }), withApiServer).containers[0]?.env;
    expect(env?.filter(({ name }) => name === 'KUBERNETES_SERVICE_HOST')).toEqual([
      { name: 'KUBERNETES_SERVICE_HOST', value: 'chosen.example.com' },
    ]);
  });

  test('translatePodSpec() puts the address of an IPv6 server in brackets where it is a URL', () => {
    const route = { ...romeToMilan, consumerApiServer: { host: 'fd00::1', port: '443' } };
    expect(translatePodSpec(storedPod(), route).containers[0]?.env).toContainEqual({
      name: 'KUBERNETES_PORT',
      value: 'tcp://[fd00::1]:443',
    });
  });

  test.each([
    ['the virtual node offers none', {}, romeToMilan],
    [
      'the pod does not want it',
      annotated(annotations.apiServerSupport, 'disabled'),
      withApiServer,
    ],
  ])('translatePodSpec() leaves out tokens and variables where %s', (_, metadata, route) => {
    const translated = translatePodSpec(storedPod({ metadata, spec }), route);
    expect(sourcesOf(translated)).toEqual([renamedCa, namespace]);
    expect(translated.containers).toEqual(spec.containers);
    expect(translated.automountServiceAccountToken).toBe(false);
  });

  test('translatePodSpec() leaves everything to the provider where the pod wants its API server', () => {
    const metadata = annotated(annotations.apiServerSupport, 'remote');
    const translated = translatePodSpec(storedPod({ metadata, spec }), withApiServer);
    expect(translated).toEqual({ ...spec, automountServiceAccountToken: true });
  });

  test('translatePodSpec() takes the account at the provider that the pod names', () => {
    const metadata = {
      annotations: {
        [annotations.apiServerSupport]: 'remote',
        [annotations.remoteServiceAccountName]: 'guest',
      },
    };
    const pod = storedPod({ metadata, spec: { ...spec, automountServiceAccountToken: false } });
    const translated = translatePodSpec(pod, withApiServer);
    expect(translated.serviceAccountName).toBe('guest');
    expect(translated.automountServiceAccountToken).toBe(false);
  });
});

test('translatePodSpec() takes back the host ports that hostNetwork brought, but not one that was asked for', () => {
  const ports = [
    { containerPort: 80, hostPort: 80 },
    { containerPort: 81, hostPort: 8081 },
  ];
  const containers = [{ name: 'web', ports }];
  const onHost = translatePodSpec(
    storedPod({ spec: { containers, hostNetwork: true } }),
    romeToMilan,
  );
  expect(onHost.containers[0]?.ports).toEqual([
    { containerPort: 80 },
    { containerPort: 81, hostPort: 8081 },
  ]);
  const inPod = translatePodSpec(storedPod({ spec: { containers } }), romeToMilan);
  expect(inPod.containers[0]?.ports).toEqual(ports);
});

test('translatePodSpec() does not change the pod that it is given', () => {
  const pod = storedPod({ spec: { tolerations: [{ key: 'a' }], initContainers: [{ name: 'i' }] } });
  const before = structuredClone(pod);
  translatePodSpec(pod, withApiServer);
  expect(pod).toEqual(before);
});
