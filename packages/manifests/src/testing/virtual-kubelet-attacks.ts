import { labels } from '@liqo/api';
import {
  CertificateSigningRequest,
  type Client,
  defineKind,
  Event,
  type KubeObject,
  Lease,
  mergePatch,
  Namespace,
  Node,
  PersistentVolume,
  Pod,
  RoleBinding,
  ServiceAccount,
} from '@liqo/kube';
import { eventually } from '@liqo/testkit';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  accountUser,
  expectDenied,
  type GetStage,
  grantEverywhere,
  prepareVirtualNode,
} from './policy-stage.ts';
import { signingRequest } from './signing-request.ts';

/** The same objects as `Event`, in another API group. */
const CoreEvent = defineKind<KubeObject & { reportingComponent?: string; involvedObject: object }>({
  apiVersion: 'v1',
  kind: 'Event',
  plural: 'events',
  scope: 'Namespaced',
});

/** Every verb on what a virtual kubelet works with: policies must hold whatever the role allows. */
const wide = [
  {
    apiGroups: [''],
    resources: ['nodes', 'nodes/status', 'pods', 'pods/status', 'pods/binding', 'pods/eviction'],
    verbs: ['*'],
  },
  { apiGroups: ['', 'events.k8s.io'], resources: ['events'], verbs: ['*'] },
  { apiGroups: ['coordination.k8s.io'], resources: ['leases'], verbs: ['*'] },
  { apiGroups: [''], resources: ['serviceaccounts/token'], verbs: ['*'] },
  { apiGroups: [''], resources: ['persistentvolumes', 'persistentvolumes/status'], verbs: ['*'] },
];

/** As a virtual kubelet makes it. */
function volumeFor(name: string): PersistentVolume {
  const provider = { key: labels.remoteClusterID, operator: 'In', values: ['milan'] };
  return {
    metadata: { name, annotations: { 'pv.kubernetes.io/provisioned-by': 'liqo.io/storage' } },
    spec: {
      capacity: { storage: '1Gi' },
      accessModes: ['ReadWriteOnce'],
      hostPath: { path: '/tmp/liqo-placeholder' },
      nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions: [provider] }] } },
      claimRef: { apiVersion: 'v1', kind: 'PersistentVolumeClaim', namespace: 'shop', name },
      persistentVolumeReclaimPolicy: 'Delete',
    },
  };
}

const tenant = 'peer-milan';
const inStatus = { subresource: 'status' } as const;
const nodesPolicy = 'liqo-virtual-kubelet-nodes';
const podsPolicy = 'liqo-virtual-kubelet-pods';
const leasesPolicy = 'liqo-virtual-kubelet-leases';
const tokensPolicy = 'liqo-virtual-kubelet-tokens';
const ownPodsTokensPolicy = 'liqo-virtual-kubelet-tokens-of-own-pods';
const volumesPolicy = 'liqo-virtual-kubelet-volumes';
const eventsPolicy = 'liqo-virtual-kubelet-events';

/** A compromised virtual kubelet against its own cluster. Its tenant namespace has a name of its own. */
export function virtualKubeletAttacks(stage: GetStage): void {
  let kubelet: Client;
  let admin: Client;

  const virtual = { [labels.type]: 'virtual-node' };
  const mark = (client: Client, name: string) =>
    client.patch(Node, { name }, mergePatch({ metadata: { annotations: { mark: 'set' } } }));
  const say = (client: Client, key: { namespace: string; name: string }, podIP: string) =>
    client.patch(Pod, key, mergePatch({ status: { podIP, podIPs: [{ ip: podIP }] } }), inStatus);

  async function createPod(
    namespace: string,
    name: string,
    nodeName: string | undefined,
    serviceAccountName = 'default',
  ) {
    return admin.create(Pod, {
      metadata: { namespace, name },
      spec: {
        ...(nodeName && { nodeName }),
        serviceAccountName,
        automountServiceAccountToken: false,
        tolerations: [{ operator: 'Exists' }],
        containers: [{ name: 'main', image: 'example.org/image' }],
      },
    });
  }

  async function createNamespace(name: string, marks: Record<string, string> = {}) {
    if (!(await admin.get(Namespace, { name }))) {
      await admin.create(Namespace, { metadata: { name, labels: marks } });
    }
    await eventually(async () =>
      expect(await admin.get(ServiceAccount, { namespace: name, name: 'default' })).toBeDefined(),
    );
  }

  beforeAll(async () => {
    ({ admin } = stage());
    const user = await prepareVirtualNode(admin, tenant, 'mynode');
    await prepareVirtualNode(admin, tenant, 'worker');
    await grantEverywhere(admin, user, wide);
    kubelet = await stage().as(user);
    for (const namespace of ['shop', tenant, 'kube-system', 'liqo'])
      await createNamespace(namespace);
    await admin.create(Node, { metadata: { name: 'worker' } });
    await admin.create(Node, { metadata: { name: 'other', labels: virtual } });
    await kubelet.create(Node, { metadata: { name: 'mynode', labels: virtual } });
    await createPod('shop', 'mine', 'mynode');
    await createPod('shop', 'theirs', 'worker');
    await createPod('kube-system', 'privileged', 'worker');
    await createPod(tenant, 'vk-mynode', 'worker', 'mynode');
    await createPod('kube-system', 'own', 'mynode');
    await createPod(tenant, 'own', 'mynode');
  });

  describe('a virtual kubelet', () => {
    test('keeps its own Node', async () => {
      await mark(kubelet, 'mynode');
      const status = { nodeInfo: { kubeletVersion: 'v1' } };
      await kubelet.patch(Node, { name: 'mynode' }, mergePatch({ status }), inStatus);
    });

    test('cannot write another Node', async () => {
      await expectDenied(mark(kubelet, 'worker'), nodesPolicy);
      await expectDenied(mark(kubelet, 'other'), nodesPolicy);
      const taken = { metadata: { name: 'next', labels: virtual } };
      await expectDenied(kubelet.create(Node, taken), nodesPolicy);
      await expectDenied(kubelet.create(Node, taken, { dryRun: true }), nodesPolicy);
      await expectDenied(kubelet.delete(Node, { name: 'other' }), nodesPolicy);
      const status = mergePatch({
        status: { addresses: [{ type: 'InternalIP', address: '1.2.3.4' }] },
      });
      await expectDenied(kubelet.patch(Node, { name: 'other' }, status, inStatus), nodesPolicy);
    });

    test('cannot take over a machine of its own name, nor pass its Node off as one', async () => {
      const worker = accountUser(tenant, 'worker');
      await grantEverywhere(admin, worker, wide);
      const namesake = await stage().as(worker);
      await expectDenied(mark(namesake, 'worker'), nodesPolicy, 'is a virtual node');
      await expectDenied(namesake.delete(Node, { name: 'worker' }), nodesPolicy);
      const plain = mergePatch({ metadata: { labels: { [labels.type]: null } } });
      await expectDenied(kubelet.patch(Node, { name: 'mynode' }, plain), nodesPolicy);
    });

    test('reports and ends pods that are bound to its Node', async () => {
      await createPod('shop', 'ended', 'mynode');
      await say(kubelet, { namespace: 'shop', name: 'ended' }, '10.1.0.9');
      const key = { namespace: 'shop', name: 'ended' };
      await kubelet.delete(Pod, key, { gracePeriodSeconds: 0 });
      expect(await admin.get(Pod, key)).toBeUndefined();
    });

    test('cannot change, move or end pods of other Nodes', async () => {
      const key = { namespace: 'kube-system', name: 'privileged' };
      await expectDenied(say(kubelet, key, '10.1.0.1'), podsPolicy);
      const image = mergePatch({
        spec: { containers: [{ name: 'main', image: 'example.org/evil' }] },
      });
      await expectDenied(kubelet.patch(Pod, key, image), podsPolicy);
      await expectDenied(kubelet.delete(Pod, key), podsPolicy);
      await expectDenied(kubelet.delete(Pod, key, { dryRun: true }), podsPolicy);
      await expectDenied(kubelet.evict(key), podsPolicy);
      await createPod('shop', 'unbound', undefined);
      const unbound = { namespace: 'shop', name: 'unbound' };
      await expectDenied(kubelet.bind(unbound, 'mynode'), podsPolicy);
      await expectDenied(say(kubelet, unbound, '10.1.0.1'), podsPolicy);
    });

    test('cannot say at which address its own process runs', async () => {
      const key = { namespace: tenant, name: 'vk-mynode' };
      await expectDenied(say(kubelet, key, '10.96.0.1'), podsPolicy);
    });

    test('makes and removes volumes that stand for claims at its provider', async () => {
      await kubelet.create(PersistentVolume, volumeFor('pvc-own'));
      await kubelet.delete(PersistentVolume, { name: 'pvc-own' });
    });

    test('cannot make volumes that pods of the cluster could use', async () => {
      const own = volumeFor('pvc-own');
      const { nodeAffinity: _, ...everywhere } = own.spec ?? {};
      const onWorkers = { key: 'kubernetes.io/os', operator: 'In', values: ['linux'] };
      const required = { nodeSelectorTerms: [{ matchExpressions: [onWorkers] }] };
      const specs = [
        everywhere,
        { ...own.spec, nodeAffinity: { required } },
        { ...own.spec, hostPath: { path: '/etc' } },
      ];
      for (const spec of specs) {
        await expectDenied(kubelet.create(PersistentVolume, { ...own, spec }), volumesPolicy);
      }
    });

    test('cannot change or delete volumes of others', async () => {
      const { metadata, ...rest } = volumeFor('disk');
      await admin.create(PersistentVolume, { ...rest, metadata: { name: 'disk' } });
      const retain = mergePatch({ spec: { persistentVolumeReclaimPolicy: 'Retain' } });
      await expectDenied(kubelet.patch(PersistentVolume, { name: 'disk' }, retain), volumesPolicy);
      const annotations = mergePatch({ metadata: { annotations: metadata?.annotations ?? {} } });
      await expectDenied(
        kubelet.patch(PersistentVolume, { name: 'disk' }, annotations),
        volumesPolicy,
      );
      await expectDenied(kubelet.delete(PersistentVolume, { name: 'disk' }), volumesPolicy);
    });

    test('cannot create pods, nor change the spec of its own', async () => {
      const containers = [{ name: 'main', image: 'example.org/evil' }];
      const metadata = { namespace: 'shop', name: 'made' };
      const pod = { metadata, spec: { nodeName: 'mynode', containers } };
      await expectDenied(kubelet.create(Pod, pod), podsPolicy);
      const mine = { namespace: 'shop', name: 'mine' };
      const patch = mergePatch({ spec: { containers } });
      await expectDenied(kubelet.patch(Pod, mine, patch), podsPolicy, 'only change the status');
    });

    test('marks its pods, and cannot put them into Services by other labels', async () => {
      const mine = { namespace: 'shop', name: 'mine' };
      const label = (key: string, value: string | null) =>
        kubelet.patch(Pod, mine, mergePatch({ metadata: { labels: { [key]: value } } }), inStatus);
      await admin.patch(Pod, mine, mergePatch({ metadata: { labels: { app: 'web' } } }));
      await label(labels.shadowPod, 'true');
      await expectDenied(label('app', 'bank'), podsPolicy, 'change the labels');
      await expectDenied(label('app', null), podsPolicy, 'change the labels');
      await expectDenied(label('team', 'x'), podsPolicy, 'change the labels');
    });

    test('keeps its own Leases, and no others', async () => {
      for (const namespace of ['kube-node-lease', tenant]) {
        const lease = { metadata: { namespace, name: 'mynode' } };
        const created = await kubelet.create(Lease, lease);
        await kubelet.update(Lease, { ...created, spec: { holderIdentity: 'me' } });
        const foreign = { metadata: { namespace, name: 'worker' } };
        await expectDenied(kubelet.create(Lease, foreign), leasesPolicy);
      }
      const theirs = { metadata: { namespace: 'kube-node-lease', name: 'other' } };
      const lease = await admin.create(Lease, theirs);
      const stolen = { ...lease, spec: { holderIdentity: 'me' } };
      await expectDenied(kubelet.update(Lease, stolen), leasesPolicy);
    });

    test('requests serving certificates, and no client certificates', async () => {
      const request = (signerName: string, usage: string) =>
        kubelet.create(CertificateSigningRequest, {
          metadata: { generateName: 'csr-' },
          spec: { request: signingRequest, signerName, usages: ['digital signature', usage] },
        });
      await request('kubernetes.io/kubelet-serving', 'server auth');
      await expectDenied(
        request('kubernetes.io/kube-apiserver-client', 'client auth'),
        'liqo-virtual-kubelet-certificates',
      );
    });

    test('writes its own Events, and no others', async () => {
      const event = (name: string, reportingController: string) => ({
        metadata: { namespace: 'shop', name },
        eventTime: '2026-01-01T00:00:00.000000Z',
        reportingController,
        reportingInstance: 'x',
        action: 'Testing',
        reason: 'Testing',
        type: 'Normal',
        regarding: { apiVersion: 'v1', kind: 'Pod', namespace: 'shop', name: 'mine' },
      });
      const mine = await kubelet.create(Event, event('mine', 'liqo.io/virtual-kubelet'));
      await expectDenied(kubelet.create(Event, event('forged', 'kubelet')), eventsPolicy);
      await admin.create(Event, event('theirs', 'kubelet'));
      const key = { namespace: 'shop', name: 'theirs' };
      const series = { count: 2, lastObservedTime: '2026-01-01T00:00:01.000000Z' };
      const patch = mergePatch({ series });
      await kubelet.patch(Event, mine.metadata, patch);
      await expectDenied(kubelet.patch(Event, key, patch), eventsPolicy);
      const core = {
        metadata: { namespace: 'shop', name: 'core' },
        reportingComponent: 'kubelet',
        involvedObject: { kind: 'Pod', namespace: 'shop', name: 'mine' },
      };
      await expectDenied(kubelet.create(CoreEvent, core), eventsPolicy);
    });

    test('requests short tokens that are bound to a pod, outside of namespaces of the cluster', async () => {
      const token = async (namespace: string, name: string, expirationSeconds = 3_600) => {
        const pod = await admin.get(Pod, { namespace, name });
        const { uid } = pod?.metadata ?? {};
        const boundObjectRef = { apiVersion: 'v1', kind: 'Pod', name, uid: uid ?? '' };
        const account = { namespace, name: pod?.spec?.serviceAccountName ?? '' };
        const request = { audiences: [], expirationSeconds, boundObjectRef };
        return kubelet.createToken(account, request);
      };
      await token('shop', 'mine');
      await expectDenied(token('shop', 'mine', 3_607), tokensPolicy, 'within an hour');
      await expectDenied(token('shop', 'theirs'), ownPodsTokensPolicy, 'bound to its own Node');
      await expectDenied(token('kube-system', 'own'), tokensPolicy, 'be offloaded');
      await expectDenied(token(tenant, 'own'), tokensPolicy, 'be offloaded');
      const controllers = { namespace: 'liqo', name: 'liqo-controller-manager' };
      const unbound = { audiences: [], expirationSeconds: 3_600 };
      await expectDenied(kubelet.createToken(controllers, unbound), tokensPolicy, 'bound to a pod');
    });
  });

  test('policies for virtual kubelets do not concern administrators of the cluster or of a tenant namespace', async () => {
    const administrator = accountUser('shop', 'administrator');
    await grantEverywhere(admin, administrator, [
      { apiGroups: ['*'], resources: ['*'], verbs: ['*'] },
    ]);
    await mark(await stage().as(administrator), 'other');
    const keeper = accountUser(tenant, 'keeper');
    await admin.create(RoleBinding, {
      metadata: { namespace: tenant, name: 'keeper' },
      roleRef: {
        apiGroup: 'rbac.authorization.k8s.io',
        kind: 'ClusterRole',
        name: 'cluster-admin',
      },
      subjects: [{ kind: 'ServiceAccount', namespace: tenant, name: 'keeper' }],
    });
    const client = await stage().as(keeper);
    await eventually(() => client.create(Lease, { metadata: { namespace: tenant, name: 'any' } }));
  });
}
