import { BlockList, isIP } from 'node:net';
import { deepEqual, isJsonObject, type Json, type Pod, type Stored } from '@liqo/kube';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { forgeShadowPod } from '../pods/forge-shadow-pod.ts';
import { nextPodStatus, type StatusContext } from '../pods/next-pod-status.ts';
import { planShadowPod } from '../pods/plan-shadow-pod.ts';
import type { PodStatus } from '../pods/pod-status.ts';
import { type Change, hostileKeys, hostileValues, spoil } from '../testing/hostile-json.ts';
import { kubeletStatus } from '../testing/kubelet-status.ts';
import { rangeSet } from '../testing/range-set.ts';
import { romeToMilan } from '../testing/rome-to-milan.ts';
import { storedPod } from '../testing/stored-pod.ts';
import { storedShadowPod } from '../testing/stored-shadow-pod.ts';
import { readRemotePod } from './read-remote-pod.ts';
import { readRemoteShadowPod } from './read-remote-shadow-pod.ts';

const numRuns = Number(process.env.FUZZED_PROVIDER_OBJECTS ?? 1_000);
/** Many of them take longer than other tests. */
const timeout = 120_000 + numRuns * 10;

const context: StatusContext = {
  route: romeToMilan,
  nodeAddress: '192.168.0.7',
  addressPolicy: {
    isReflected: true,
    own: rangeSet('10.244.0.0/16', '10.96.0.0/12', '192.168.0.0/24'),
    exempt: rangeSet(),
  },
  now: '2026-01-01T00:10:00Z',
};

const ofConsumer = { qosClass: 'Burstable', nominatedNodeName: 'mynode' } as const;
const local = storedPod({
  metadata: { generation: 1 },
  spec: {
    restartPolicy: 'OnFailure',
    containers: [{ name: 'web', image: 'nginx' }],
    initContainers: [{ name: 'init', image: 'nginx' }],
    ephemeralContainers: [{ name: 'debug', image: 'busybox' }],
  },
  status: { phase: 'Pending', ...ofConsumer },
});
const before = [
  local,
  { ...local, status: { ...kubeletStatus, ...ofConsumer } },
  { ...local, metadata: { ...local.metadata, deletionTimestamp: '2026-01-01T00:09:00Z' } },
];

const shadowPod = storedShadowPod(forgeShadowPod(local, romeToMilan), 'Running');
const remotePod = storedPod({
  metadata: {
    ...shadowPod.metadata,
    uid: 'remote',
    ownerReferences: [
      {
        apiVersion: 'v1',
        kind: 'ShadowPod',
        name: 'web',
        uid: shadowPod.metadata.uid,
        controller: true,
      },
    ],
  },
  spec: { restartPolicy: 'OnFailure', ephemeralContainers: [{ name: 'debug' }] },
  status: kubeletStatus,
});

const values: fc.Arbitrary<Json> = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...hostileValues) },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 20 }) },
  { weight: 1, arbitrary: fc.integer() },
  { weight: 1, arbitrary: fc.ipV4() },
  { weight: 1, arbitrary: fc.ipV6() },
);

const keys = fc.option(fc.constantFrom(...hostileKeys), { nil: undefined });

const changes: fc.Arbitrary<readonly Change[]> = fc.array(
  fc.record({ at: fc.nat(), key: keys, value: values }),
  { maxLength: 6 },
);

const lies = fc.record({
  local: fc.constantFrom(...before),
  metadata: fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, changes),
  status: changes,
  shadowPod: fc.oneof(fc.constant([]), changes),
});

type Lie = typeof lies extends fc.Arbitrary<infer T> ? T : never;

/** What a provider says, as reflection gets to see it. */
function twinsOf(lie: Lie) {
  const { status, ...rest } = remotePod;
  const pod = { ...spoil(rest, lie.metadata), status: spoil(status ?? {}, lie.status) };
  const spoilt = spoil(shadowPod, lie.shadowPod);
  return { pod: readRemotePod(pod), shadowPod: readRemoteShadowPod(spoilt) };
}

function reflect(local: Stored<Pod>, twins: ReturnType<typeof twinsOf>): PodStatus | undefined {
  return nextPodStatus(local, { isReachable: true, ...twins }, context);
}

const forbidden = new BlockList();
for (const [address, prefix] of [
  ['127.0.0.0', 8],
  ['0.0.0.0', 8],
  ['169.254.0.0', 16],
  ['224.0.0.0', 3],
  ['10.244.0.0', 16],
  ['10.96.0.0', 12],
  ['192.168.0.0', 24],
] as const) {
  forbidden.addSubnet(address, prefix, 'ipv4');
}
for (const [address, prefix] of [
  ['::', 96],
  ['fe80::', 10],
  ['ff00::', 8],
] as const) {
  forbidden.addSubnet(address, prefix, 'ipv6');
}

function isForbiddenAddress(ip: string): boolean {
  const family = isIP(ip);
  return family === 0 || forbidden.check(ip, family === 4 ? 'ipv4' : 'ipv6');
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  return isJsonObject(value)
    ? Object.entries(value).flatMap(([key, one]) => [key, ...textsIn(one)])
    : [];
}

const unprintable = /(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;
const fieldsOfConsumer = [
  'qosClass',
  'nominatedNodeName',
  'resourceClaimStatuses',
  'extendedResourceClaimStatus',
];

const containersOfPod = ['web', 'init', 'debug'];

/** What is wrong with a status for a pod of the consumer; fast, for many of them. */
function* faultsOf(status: PodStatus, old: PodStatus): Generator<string> {
  const addresses = (status.podIPs ?? []).map(({ ip = '' }) => ip);
  if (status.podIP !== addresses[0]) yield 'podIP is not the first of podIPs';
  for (const ip of addresses) if (isForbiddenAddress(ip)) yield `address ${ip}`;
  for (const text of textsIn(status)) {
    if (text.length > 4_096 || unprintable.test(text)) yield `text ${text.slice(0, 50)}`;
  }
  if (JSON.stringify(status).length > 150_000) yield 'too large';
  const now = new Map(Object.entries(status));
  const then = new Map(Object.entries(old));
  for (const field of fieldsOfConsumer) if (now.get(field) !== then.get(field)) yield field;
  const names = [
    ...(status.containerStatuses ?? []),
    ...(status.initContainerStatuses ?? []),
    ...(status.ephemeralContainerStatuses ?? []),
  ].map(({ name }) => name);
  if (new Set(names).size < names.length) yield 'a container twice';
  for (const name of names) if (!containersOfPod.includes(name)) yield `container ${name}`;
}

test('nextPodStatus() of whatever a provider says is bounded, harmless and settled', {
  timeout,
}, () => {
  fc.assert(
    fc.property(lies, (lie) => {
      const twins = twinsOf(lie);
      const status = reflect(lie.local, twins);
      if (!status) return;
      const faults = [...faultsOf(status, lie.local.status ?? {})];
      const stored = JSON.parse(JSON.stringify(status)) as PodStatus;
      // An API server keeps what it is sent: otherwise the status would be written again and again.
      const isKept = deepEqual(stored, status);
      const again = reflect({ ...lie.local, status: stored }, twins);
      if (faults.length > 0 || !isKept || again) expect({ faults, isKept, again }).toEqual({});
    }),
    { numRuns, seed: 21 },
  );
});

test('planShadowPod() of whatever a provider says is about the ShadowPod of the pod', {
  timeout,
}, () => {
  fc.assert(
    fc.property(lies, (lie) => {
      const step = planShadowPod(lie.local, twinsOf(lie), romeToMilan);
      if (step.type !== 'update') return;
      expect(step.shadowPod.metadata.labels).toMatchObject(shadowPod.metadata.labels ?? {});
      expect(step.shadowPod.spec.pod?.containers.map(({ image }) => image)).toBeDefined();
    }),
    { numRuns: Math.ceil(numRuns / 4), seed: 21 },
  );
});

test('readRemotePod() keeps everything that a kubelet reports', () => {
  expect(readRemotePod(remotePod)?.status).toEqual(kubeletStatus);
  expect(readRemotePod(remotePod)?.metadata).toEqual(remotePod.metadata);
});

test('readRemoteShadowPod() keeps everything of a ShadowPod', () => {
  expect(readRemoteShadowPod(shadowPod)).toEqual(shadowPod);
});
