import { labels, type ShadowPod } from '@liqo/api';
import type { Pod, Stored } from '@liqo/kube';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { appliedMetadata } from '../applied-metadata.ts';
import { defaultPodPolicy, startsWithAny } from '../pod-policy/pod-policy.ts';
import type { PodSpec } from '../pods/pod-spec.ts';
import { hostileShadowPods } from '../testing/hostile-shadow-pods.ts';
import { storedPod } from '../testing/stored-pod.ts';
import { planPod } from './plan-pod.ts';

/** `HOSTILE_RUNS=20000` takes half a minute. */
const numRuns = Number(process.env.HOSTILE_RUNS ?? 1_500);
const settings = { numRuns, seed: 21 };
/** Many of them take longer than other tests. */
const timeout = 120_000 + numRuns * 10;

const namespace = { metadata: { labels: { [labels.remoteClusterID]: 'rome' } } };
const policy = defaultPodPolicy;
const plan = (shadowPod: Stored<ShadowPod>, pod?: Stored<Pod>) =>
  planPod(shadowPod, pod, { namespace, policy });

const stays = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable'];

/** What nothing that a consumer writes may lead to, as short words. */
function misdeeds(spec: PodSpec): readonly string[] {
  const { affinity, volumes = [], containers, initContainers = [] } = spec;
  const terms = [affinity?.podAffinity, affinity?.podAntiAffinity].flatMap((one) => [
    ...(one?.requiredDuringSchedulingIgnoredDuringExecution ?? []),
    ...(one?.preferredDuringSchedulingIgnoredDuringExecution ?? []).map((p) => p.podAffinityTerm),
  ]);
  const ports = [...containers, ...initContainers].flatMap(({ ports: all = [] }) => all);
  const found: Record<string, boolean> = {
    node: spec.nodeName !== undefined || spec.schedulerName !== undefined,
    priority: spec.priorityClassName !== undefined || spec.priority !== undefined,
    host: Boolean(spec.hostNetwork || spec.hostPID || spec.hostIPC),
    hostPort: ports.some((port) => 'hostPort' in port || 'hostIP' in port),
    account: spec.serviceAccountName !== undefined || spec.serviceAccount !== undefined,
    token: spec.automountServiceAccountToken !== false,
    volume: volumes.some((one) =>
      Object.keys(one).some((type) => type !== 'name' && !policy.volumeTypes.includes(type)),
    ),
    credentials: /"(serviceAccountToken|podCertificate)"/.test(JSON.stringify(volumes)),
    others: terms.some((term) => 'namespaces' in term || 'namespaceSelector' in term),
    controlPlane: Object.keys(spec.nodeSelector ?? {}).some((one) => one.startsWith('node-role.')),
    devices: (spec.resourceClaims ?? []).length > 0,
    toleration: (spec.tolerations ?? []).some(
      ({ key = '', effect, tolerationSeconds = 1e9 }) =>
        key === '' ||
        (startsWithAny(key, policy.deniedTolerations) &&
          !(stays.includes(key) && effect === 'NoExecute' && tolerationSeconds <= 300)),
    ),
    probe: /"host":"(169|127)/.test(JSON.stringify([containers, initContainers])),
  };
  return Object.entries(found).flatMap(([name, is]) => (is ? name : []));
}

function badMetadata({ metadata }: Pod): readonly string[] {
  const entries = [metadata?.labels, metadata?.annotations].flatMap((one) =>
    Object.keys(one ?? {}),
  );
  return entries.filter((key) => startsWithAny(key, policy.deniedAnnotations));
}

test('planPod() makes no pod that the provider does not allow, of whatever ShadowPod', {
  timeout,
}, () => {
  const steps = new Set<string>();
  fc.assert(
    fc.property(hostileShadowPods, (shadowPod) => {
      const step = plan(shadowPod);
      steps.add(step.type);
      if (step.type === 'refuse') {
        expect(step.message.length).toBeLessThan(1_024);
        return;
      }
      if (step.type !== 'create') throw new Error(`Unexpected step "${step.type}"`);
      const { metadata, spec = { containers: [] } } = step.pod;
      expect(misdeeds(spec)).toEqual([]);
      expect(badMetadata(step.pod)).toEqual([]);
      expect(metadata).toMatchObject({ namespace: 'shop-rome', name: 'web' });
      expect(metadata?.labels?.[labels.managedBy]).toBe('shadowpod');
      expect(metadata?.ownerReferences).toHaveLength(1);
      expect(JSON.parse(metadata?.annotations?.[appliedMetadata] ?? '')).toBeTypeOf('object');
    }),
    settings,
  );
  expect(steps).toEqual(new Set(['create', 'refuse']));
});

test('planPod() changes no running pod into one that the provider does not allow', {
  timeout,
}, () => {
  const steps = new Set<string>();
  fc.assert(
    fc.property(hostileShadowPods, hostileShadowPods, (before, after) => {
      const made = plan(before);
      if (made.type !== 'create') return;
      const running = storedPod({ ...made.pod, metadata: { ...made.pod.metadata, uid: 'x' } });
      const step = plan(after, running);
      steps.add(step.type);
      if (!('pod' in step)) return;
      const { spec = { containers: [] } } = step.pod;
      expect(misdeeds(spec)).toEqual([]);
      expect(badMetadata(step.pod)).toEqual([]);
    }),
    settings,
  );
  expect([...steps]).toEqual(expect.arrayContaining(['update', 'resize', 'debug', 'refuse']));
});

test('planPod() comes to an end, whatever a ShadowPod asks for', { timeout }, () => {
  fc.assert(
    fc.property(hostileShadowPods, hostileShadowPods, (before, after) => {
      const made = plan(before);
      if (made.type !== 'create') return;
      let pod = storedPod({ ...made.pod, metadata: { ...made.pod.metadata, uid: 'x' } });
      for (let steps = 0; ; steps++) {
        const step = plan(after, pod);
        if (!('change' in step)) return;
        expect(steps).toBeLessThan(10);
        pod = step.pod;
      }
    }),
    settings,
  );
});
