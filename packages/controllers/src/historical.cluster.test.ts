import {
  ForeignCluster,
  labels,
  NamespaceMap,
  NamespaceOffloading,
  VirtualNode,
  VkOptionsTemplate,
} from '@liqo/api';
import {
  Deployment,
  type Kind,
  type KubeObject,
  Namespace,
  type ObjectKey,
  Secret,
} from '@liqo/kube';
import type { Stoppable } from '@liqo/runtime';
import { eventually } from '@liqo/testkit';
import { always, faultOn, lostRequest, noFaults, ofCaller } from '@liqo/testkit/faults';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startNamespaceMapController } from './namespaces/namespace-map-controller.ts';
import { startNamespaceOffloadingController } from './namespaces/namespace-offloading-controller.ts';
import { startReplicationController } from './replication/replication-controller.ts';
import { hastyClock } from './testing/hasty-clock.ts';
import { controllersUser } from './testing/installation.ts';
import { startCluster, type TestCluster } from './testing/start-cluster.ts';
import { controlPlaneSecret, introduce } from './testing/tenancy.ts';
import {
  defaultOptions,
  kubeconfigSecret,
  secretWith,
  tenantNamespace,
  virtualNodeCalled,
} from './testing/virtual-node-fixtures.ts';
import { startVirtualNodeController } from './virtual-nodes/virtual-node-controller.ts';

const patient = { timeoutMs: 40_000 };
const mapKey = { namespace: tenantNamespace, name: 'milan' };
const nodeKey = { namespace: tenantNamespace, name: 'mynode' };
const peerKey = { namespace: tenantNamespace, name: 'kubeconfig-controlplane-milan' };

let rome: TestCluster;
let milan: TestCluster;
let running: Stoppable[];

beforeAll(async () => {
  [rome, milan] = await Promise.all([startCluster('rome'), startCluster('milan')]);
  await introduce(rome, milan);
  await rome.client.create(VkOptionsTemplate, defaultOptions);
  const home = { ...rome.context, clock: hastyClock };
  const provider = { ...milan.context, clock: hastyClock };
  running = [
    startReplicationController(home),
    startNamespaceOffloadingController(home),
    startVirtualNodeController(home, { drainTimeoutMs: 60_000 }),
    startNamespaceMapController(provider, { podSecurity: 'baseline' }),
  ];
}, 60_000);

beforeEach(async () => {
  const { client } = rome;
  if (!(await client.get(Namespace, { name: tenantNamespace }))) {
    const marks = { [labels.remoteClusterID]: 'milan', [labels.tenantNamespace]: 'true' };
    await client.create(Namespace, { metadata: { name: tenantNamespace, labels: marks } });
    await client.create(Secret, controlPlaneSecret(rome, milan));
  }
  await client.create(Secret, secretWith(kubeconfigSecret, milan.cluster.kubeconfigText));
});

/** Whatever is left of a peering goes with its namespace. */
afterEach(async () => {
  rome.calls.plan = noFaults;
  milan.calls.plan = noFaults;
  milan.calls.calls.length = 0;
  const key = { name: tenantNamespace };
  if (await rome.client.get(Namespace, key)) await remove(Namespace, key);
}, 60_000);

afterAll(async () => {
  await Promise.all(running.map((part) => part[Symbol.asyncDispose]()));
  await rome[Symbol.asyncDispose]();
  await milan[Symbol.asyncDispose]();
}, 60_000);

const isSilent = () => always(lostRequest('refuse'));

async function offload(namespace: string): Promise<void> {
  await rome.client.create(Namespace, { metadata: { name: namespace } });
  await rome.client.create(NamespaceOffloading, {
    metadata: { name: 'offloading', namespace },
    spec: { namespaceMappingStrategy: 'DefaultName', podOffloadingStrategy: 'Remote' },
  });
}

function untilOffloaded(namespace: string) {
  return eventually(async () => {
    const key = { namespace, name: 'offloading' };
    const { status } = (await rome.client.get(NamespaceOffloading, key)) ?? {};
    expect(status?.offloadingPhase).toBe('Ready');
  }, patient);
}

function untilWanted(namespace: string) {
  return eventually(async () => {
    const map = await rome.client.get(NamespaceMap, mapKey);
    expect(map?.spec?.desiredMapping).toHaveProperty(namespace);
  }, patient);
}

function untilMade(name: string) {
  return eventually(async () => {
    const key = { namespace: tenantNamespace, name: `vk-${name}` };
    expect(await rome.client.get(Deployment, key)).toBeDefined();
  }, patient);
}

/** Somebody has tried to reach the provider. */
function untilAsked() {
  return eventually(() => {
    expect(milan.calls.callsOf('rome').length).toBeGreaterThan(0);
  }, patient);
}

async function remove<T extends KubeObject>(kind: Kind<T>, key: ObjectKey): Promise<void> {
  await rome.client.delete(kind, key);
  await untilGone(rome, kind, key);
}

function untilGone<T extends KubeObject>({ client }: TestCluster, kind: Kind<T>, key: ObjectKey) {
  return eventually(async () => expect(await client.get(kind, key)).toBeUndefined(), patient);
}

/** Bugs that others had in this place, each with what must be true instead. */
const history: readonly [string, () => Promise<void>][] = [
  [
    'a peering that never worked can be taken back, credentials and all [#1710]',
    async () => {
      milan.calls.plan = isSilent();
      await rome.client.create(VirtualNode, virtualNodeCalled('mynode'));
      await untilMade('mynode');
      await untilAsked();
      await remove(VirtualNode, nodeKey);
      await untilGone(rome, NamespaceMap, mapKey);
      await remove(Secret, peerKey);
    },
  ],
  [
    'a tenant namespace that is deleted goes, with all that was made for the provider [#1906]',
    async () => {
      await rome.client.create(VirtualNode, virtualNodeCalled('mynode'));
      await offload('bakery');
      await untilOffloaded('bakery');
      await remove(Namespace, { name: tenantNamespace });
      await untilGone(milan, Namespace, { name: 'bakery-rome' });
      expect((await milan.client.list(NamespaceMap)).items).toEqual([]);
      await remove(NamespaceOffloading, { namespace: 'bakery', name: 'offloading' });
    },
  ],
  [
    'a VirtualNode and a map that say nothing keep no namespace from being offloaded [#1980]',
    async () => {
      const marks = { [labels.replication]: 'true', [labels.replicationDestination]: 'nobody' };
      const metadata = { name: 'nobody', namespace: tenantNamespace };
      await rome.client.create(NamespaceMap, {
        metadata: { ...metadata, labels: marks },
        spec: {},
      });
      await rome.client.create(VirtualNode, { metadata, spec: {} });
      await rome.client.create(VirtualNode, virtualNodeCalled('mynode'));
      await offload('garage');
      await untilWanted('garage');
      const key = { namespace: 'garage', name: 'offloading' };
      await eventually(async () => {
        const { status } = (await rome.client.get(NamespaceOffloading, key)) ?? {};
        expect(Object.keys(status?.remoteNamespacesConditions ?? {})).toContain('milan');
        expect(await milan.client.get(Namespace, { name: 'garage-rome' })).toBeDefined();
      }, patient);
    },
  ],
  [
    'what a peering that never came to be leaves half made goes at one word each [#2821]',
    async () => {
      milan.calls.plan = isSilent();
      await rome.client.create(VirtualNode, virtualNodeCalled('mynode'));
      await offload('market');
      await untilWanted('market');
      await untilAsked();
      await remove(NamespaceOffloading, { namespace: 'market', name: 'offloading' });
      await remove(Namespace, { name: 'market' });
      await remove(VirtualNode, nodeKey);
      await remove(Namespace, { name: tenantNamespace });
    },
  ],
  [
    'a VirtualNode over which the controller stumbles does not hold up the others [#3046]',
    async () => {
      rome.calls.plan = ofCaller(
        controllersUser,
        faultOn(({ name }) => name === 'vk-bad', { answer: { status: 500, body: 'not JSON' } }),
      );
      await rome.client.create(VirtualNode, virtualNodeCalled('bad'));
      await rome.client.create(VirtualNode, virtualNodeCalled('good'));
      await untilMade('good');
      rome.calls.plan = noFaults;
      await untilMade('bad');
    },
  ],
  [
    'a provider that a person has given up holds nothing here [#3122]',
    async () => {
      await rome.client.create(VirtualNode, virtualNodeCalled('mynode'));
      await offload('studio');
      await untilOffloaded('studio');
      milan.calls.plan = isSilent();
      const permanently = { 'liqo.io/foreign-cluster-permanently-unreachable': 'true' };
      await rome.client.create(ForeignCluster, {
        metadata: { name: 'milan', annotations: permanently },
        spec: { clusterID: 'milan' },
      });
      await remove(NamespaceOffloading, { namespace: 'studio', name: 'offloading' });
      await remove(VirtualNode, nodeKey);
      await untilGone(rome, NamespaceMap, mapKey);
      await remove(Namespace, { name: tenantNamespace });
      await remove(ForeignCluster, { name: 'milan' });
    },
  ],
];

describe('history does not repeat itself:', () => {
  test.each(history)('%s', (_, happens) => happens());
});
