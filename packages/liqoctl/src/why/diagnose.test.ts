import {
  Advertisement,
  ForeignCluster,
  Identity,
  NamespaceOffloading,
  ResourceSlice,
  VirtualNode,
  virtualNodeToleration,
} from '@liqo/api';
import {
  apiVersionOf,
  type Kind,
  type KubeObject,
  Namespace,
  Node,
  Pod,
  type Stored,
} from '@liqo/kube';
import { expect, test } from 'vitest';
import type { ChainFacts, Route, Workload } from './chain.ts';
import { diagnose } from './diagnose.ts';

const time = '2026-01-01T00:00:00Z';

function stored<T extends KubeObject>(kind: Kind<T>, object: object): Stored<T> {
  return { apiVersion: apiVersionOf(kind), kind: kind.kind, ...object } as Stored<T>;
}

function metadata(name: string, namespace?: string) {
  return {
    name,
    ...(namespace && { namespace }),
    uid: name,
    resourceVersion: '1',
    creationTimestamp: time,
    generation: 1,
  };
}

function condition<T extends string, S extends string>(
  type: T,
  status: S,
  reason?: string,
  message?: string,
) {
  return {
    type,
    status,
    lastTransitionTime: time,
    ...(reason && { reason }),
    ...(message && { message }),
  };
}

const namespace = stored(Namespace, { metadata: metadata('shop') });

const pod = stored(Pod, {
  metadata: metadata('web', 'shop'),
  spec: { containers: [], nodeName: 'mypool', tolerations: [virtualNodeToleration] },
  status: { phase: 'Running', conditions: [condition('Ready', 'True')] },
});

function podWith(spec: object, status: object): Stored<Pod> {
  return { ...pod, spec: { containers: [], ...pod.spec, ...spec }, status } as Stored<Pod>;
}

const unbound = podWith(
  { nodeName: undefined },
  {
    phase: 'Pending',
    conditions: [condition('PodScheduled', 'False', 'Unschedulable', '0/2 nodes are available')],
  },
);

function offloading(
  status: Partial<NonNullable<NamespaceOffloading['status']>> = {},
  spec: Partial<NamespaceOffloading['spec']> = {},
): Stored<NamespaceOffloading> {
  return stored(NamespaceOffloading, {
    metadata: metadata('offloading', 'shop'),
    spec: {
      namespaceMappingStrategy: 'DefaultName',
      podOffloadingStrategy: 'LocalAndRemote',
      ...spec,
    },
    status: {
      offloadingPhase: 'Ready',
      observedGeneration: 1,
      remoteNamespacesConditions: {
        milan: [condition('OffloadingRequired', 'True'), condition('Ready', 'True')],
      },
      ...status,
    },
  });
}

type VirtualNodeConditions = NonNullable<NonNullable<VirtualNode['status']>['conditions']>;

function virtualNode(
  conditions: VirtualNodeConditions = [
    condition('VirtualKubelet', 'Running'),
    condition('Node', 'Running'),
    condition('Provider', 'Running'),
  ],
): Stored<VirtualNode> {
  return stored(VirtualNode, {
    metadata: metadata('mypool', 'liqo-tenant-milan'),
    spec: {
      clusterID: 'milan',
      createNode: true,
      kubeconfigSecretRef: { name: 'kubeconfig-resourceslice-mypool' },
    },
    status: { conditions },
  });
}

function node(ready = condition<string, string>('Ready', 'True'), more: object = {}): Stored<Node> {
  return stored(Node, {
    metadata: metadata('mypool'),
    spec: {},
    status: { conditions: [ready] },
    ...more,
  });
}

const notReady = node(condition('Ready', 'False', 'ProviderUnreachable', 'not ready'));

type SliceConditions = NonNullable<NonNullable<ResourceSlice['status']>['conditions']>;

function slice(
  conditions: SliceConditions = [
    condition('Authentication', 'Accepted'),
    condition('Resources', 'Accepted'),
  ],
  sliceClass = 'default',
): Stored<ResourceSlice> {
  return stored(ResourceSlice, {
    metadata: metadata('mypool', 'liqo-tenant-milan'),
    spec: { class: sliceClass, providerClusterID: 'milan', consumerClusterID: 'rome' },
    status: { conditions, resources: { cpu: '2', memory: '4Gi' } },
  });
}

function identity(ready = condition<string, string>('Ready', 'True')): Stored<Identity> {
  return stored(Identity, {
    metadata: metadata('resourceslice-mypool', 'liqo-tenant-milan'),
    spec: {},
    status: { conditions: [ready] },
  });
}

function foreignCluster(apiServer = condition<string, string>('APIServerStatus', 'Established')) {
  return stored(ForeignCluster, {
    metadata: metadata('milan'),
    spec: { clusterID: 'milan' },
    status: {
      role: 'Provider',
      apiServerUrl: 'https://milan:6443',
      modules: {
        networking: { enabled: false },
        authentication: { enabled: true },
        offloading: { enabled: true },
      },
      conditions: [apiServer],
    },
  });
}

function route(changes: Partial<Route> = {}): Route {
  return {
    virtualNode: virtualNode(),
    node: node(),
    slice: slice(),
    identity: identity(),
    hasKubeconfig: true,
    foreignCluster: foreignCluster(),
    ...changes,
  };
}

function facts(changes: Partial<ChainFacts> = {}, ofRoute: Partial<Route> = {}): ChainFacts {
  return { pod, namespace, offloading: offloading(), routes: [route(ofRoute)], ...changes };
}

const unreachable = foreignCluster(
  condition('APIServerStatus', 'Error', 'APIServerNotReady', 'it does not answer'),
);
const unreachableNode = virtualNode([
  condition('VirtualKubelet', 'Running'),
  condition('Provider', 'Unreachable', 'ProviderUnreachable', 'The provider does not answer'),
]);
const expired = virtualNode([
  condition('VirtualKubelet', 'Running'),
  condition('Provider', 'Running', 'RemoteUnauthorized', 'The provider does not accept them'),
]);
const requests = { cpu: '1' };
const waiting = (reason: string, message: string) =>
  podWith(
    { containers: [{ name: 'main', image: 'app', resources: { requests } }] },
    { phase: 'Pending', reason, message },
  );
const failedNamespace = (reason: string) =>
  offloading({
    offloadingPhase: 'AllFailed',
    remoteNamespacesConditions: {
      milan: [condition('OffloadingRequired', 'True'), condition('Ready', 'False', reason, 'no')],
    },
  });
const unattended = { isInstalled: true, why: 'no pod is ready', hint: '', command: 'kubectl x' };

const webhookFault = {
  reason: 'WebhookNotRunning',
  why: 'no pod is ready',
  command: 'kubectl y',
} as const;
const refused: Workload = {
  object: 'Deployment "web" in "shop"',
  wantedPods: 2,
  pods: 0,
  refusal: 'failed calling webhook',
  command: 'kubectl describe deployment web -n shop',
};

type OfferStatus = NonNullable<Advertisement['status']>;

function offer(
  phase: OfferStatus['phase'] | undefined,
  reason: NonNullable<OfferStatus['decision']>['reason'],
  withdrawalTimestamp?: string,
  conditions: readonly object[] = [],
): Stored<Advertisement> {
  return stored(Advertisement, {
    metadata: metadata('advertisement-milan', 'liqo-tenant-milan'),
    spec: {
      providerClusterID: 'milan',
      consumerClusterID: 'rome',
      ...(withdrawalTimestamp && { withdrawalTimestamp }),
    },
    ...(phase && {
      status: { phase, decision: { value: phase, source: 'Policy', reason }, conditions },
    }),
  });
}

test('diagnose() finds nothing where all links hold', () => {
  const { cause, chain } = diagnose(facts());
  expect(cause).toBeUndefined();
  expect(chain.map(({ link }) => link)).toEqual([
    'pod',
    'namespace',
    'node',
    'virtual node',
    'slice',
    'quota',
    'identity',
    'peer',
    'API server',
  ]);
});

test('diagnose() is content with a pod that has finished', () => {
  const finished = podWith({}, { phase: 'Succeeded' });
  expect(diagnose(facts({ pod: finished })).cause).toBeUndefined();
});

test.each<[string, ChainFacts, string, string, string]>([
  [
    'a namespace that is not offloaded',
    facts({ pod: podWith({ nodeName: undefined, tolerations: [] }, {}), offloading: undefined }),
    'namespace',
    'NamespaceNotOffloaded',
    'liqoctl offload namespace shop',
  ],
  [
    'a namespace whose pods stay local',
    facts({ pod: unbound, offloading: offloading({}, { podOffloadingStrategy: 'Local' }) }),
    'namespace',
    'OffloadingLocal',
    'liqoctl offload namespace shop --pod-offloading-strategy LocalAndRemote',
  ],
  [
    'a selector that selects no virtual node',
    facts({ pod: unbound, offloading: offloading({ offloadingPhase: 'NoClusterSelected' }) }),
    'namespace',
    'NoClusterSelected',
    'kubectl get nodes -l liqo.io/type=virtual-node --show-labels',
  ],
  [
    'a name that is taken at the provider',
    facts({ pod: waiting('OffloadingBackOff', 'x'), offloading: failedNamespace('NameTaken') }),
    'namespace',
    'NameTaken',
    'kubectl describe namespaceoffloading offloading -n shop',
  ],
  [
    'a provider that is gone while it creates the namespace',
    facts(
      { pod: waiting('OffloadingBackOff', 'x'), offloading: failedNamespace('Creating') },
      { node: notReady, virtualNode: unreachableNode, foreignCluster: unreachable },
    ),
    'API server',
    'APIServerNotReady',
    'kubectl get --raw /readyz -s https://milan:6443',
  ],
  [
    'a provider that is gone, of a virtual node made by hand',
    facts(
      {},
      {
        node: notReady,
        virtualNode: unreachableNode,
        slice: undefined,
        identity: undefined,
        foreignCluster: undefined,
      },
    ),
    'API server',
    'ProviderUnreachable',
    'kubectl get --raw /readyz',
  ],
  [
    'a pod that is older than the offloading of its namespace',
    facts({ pod: podWith({ nodeName: 'worker-1', tolerations: [] }, {}), routes: [] }),
    'pod',
    'NoToleration',
    'kubectl delete pod web -n shop',
  ],
  [
    'a pod that the scheduler has left in this cluster',
    facts({ pod: podWith({ nodeName: 'worker-1' }, {}), routes: [] }),
    'pod',
    'ScheduledLocally',
    'liqoctl offload namespace shop --pod-offloading-strategy Remote',
  ],
  [
    'a pod that fits no node',
    facts({ pod: unbound }),
    'pod',
    'Unschedulable',
    'kubectl describe pod web -n shop',
  ],
  [
    'a cluster without virtual nodes',
    facts({
      pod: unbound,
      offloading: offloading({ offloadingPhase: 'NoClusterSelected' }),
      routes: [],
    }),
    'virtual node',
    'NoVirtualNode',
    'liqoctl peer --remote-kubeconfig FILE',
  ],
  [
    'a Node that an administrator has cordoned',
    facts({ pod: unbound }, { node: node(undefined, { spec: { unschedulable: true } }) }),
    'node',
    'NodeCordoned',
    'kubectl uncordon mypool',
  ],
  [
    'a taint of the Node',
    facts(
      { pod: unbound },
      { node: node(undefined, { spec: { taints: [{ key: 'gpu', effect: 'NoSchedule' }] } }) },
    ),
    'node',
    'TaintNotTolerated',
    'kubectl taint nodes mypool gpu:NoSchedule-',
  ],
  [
    'a virtual kubelet that does not start',
    facts(
      {},
      {
        node: notReady,
        virtualNode: virtualNode([
          condition('VirtualKubelet', 'Creating', 'NotAvailable', 'Waiting for a pod'),
          condition('Provider', 'Unreachable', 'ProviderUnreachable', 'stale'),
        ]),
      },
    ),
    'virtual node',
    'NotAvailable',
    'kubectl describe pods -n liqo-tenant-milan -l liqo.io/virtual-node=mypool',
  ],
  [
    'a name of a virtual node that is taken by a Node',
    facts(
      { pod: unbound },
      {
        node: undefined,
        virtualNode: virtualNode([
          condition('VirtualKubelet', 'Creating', 'NameTaken', 'There is a Node "mypool"'),
        ]),
      },
    ),
    'virtual node',
    'NameTaken',
    'kubectl describe virtualnode mypool -n liqo-tenant-milan',
  ],
  [
    'a slice of a class without a controller',
    {
      routes: [],
      slice: slice([condition('Authentication', 'Accepted')], 'gold'),
      foreignCluster: foreignCluster(),
    },
    'slice',
    'SliceUndecided',
    'kubectl get resourceslices.authentication.liqo.io mypool -A -o yaml',
  ],
  [
    'a slice that the provider denies, whose Node the controllers have cordoned',
    facts(
      { pod: unbound },
      {
        node: node(undefined, {
          metadata: {
            ...metadata('mypool'),
            annotations: { 'liqo.io/cordon-reason': 'slice mypool: denied' },
          },
          spec: { unschedulable: true },
        }),
        slice: slice([
          condition('Authentication', 'Accepted'),
          condition('Resources', 'Denied', 'Cordoned', 'cordoned by the provider'),
        ]),
      },
    ),
    'slice',
    'Cordoned',
    'liqoctl uncordon resourceslice mypool --remote-cluster-id rome',
  ],
  [
    'a cordoned Quota',
    facts({ pod: waiting('QuotaCordoned', 'slice mypool: cordoned by the provider') }),
    'quota',
    'QuotaCordoned',
    'liqoctl uncordon resourceslice mypool --remote-cluster-id rome',
  ],
  [
    'a full Quota',
    facts({ pod: waiting('QuotaExceeded', 'slice mypool: cpu 2 of 2 in use (1 requested)') }),
    'quota',
    'QuotaExceeded',
    'liqoctl create resourceslice mypool --remote-cluster-id milan --cpu 3 --memory 4Gi --pods 1',
  ],
  [
    'a pod that the provider denies',
    facts({ pod: waiting('ShadowPodDenied', 'the provider denies its ShadowPod') }),
    'pod',
    'ShadowPodDenied',
    'kubectl describe pod web -n shop',
  ],
  [
    'a certificate that the provider does not accept any more',
    facts({}, { node: notReady, virtualNode: expired }),
    'identity',
    'RemoteUnauthorized',
    'liqoctl authenticate --remote-kubeconfig FILE',
  ],
  [
    'an Identity of another key',
    facts({}, { identity: identity(condition('Ready', 'False', 'OtherKey', 'another key')) }),
    'identity',
    'OtherKey',
    'liqoctl authenticate --remote-kubeconfig FILE',
  ],
  [
    'a Secret without a kubeconfig',
    facts({}, { node: notReady, identity: undefined, slice: undefined, hasKubeconfig: false }),
    'identity',
    'NoKubeconfig',
    'kubectl create secret generic kubeconfig-resourceslice-mypool -n liqo-tenant-milan --from-file=kubeconfig=FILE',
  ],
  [
    'controllers that do not run, where the slice waits for them',
    { routes: [], slice: slice([]), unattended },
    'controllers',
    'ControllersNotRunning',
    'kubectl x',
  ],
  [
    'a full Quota, also where the controllers of this cluster do not run',
    facts({ pod: waiting('QuotaExceeded', 'full'), unattended }),
    'quota',
    'QuotaExceeded',
    'liqoctl create resourceslice mypool --remote-cluster-id milan --cpu 3 --memory 4Gi --pods 1',
  ],
  [
    'a cordoned Quota of credentials that were made by hand',
    facts({ pod: waiting('QuotaCordoned', 'cordoned') }, { slice: undefined, identity: undefined }),
    'quota',
    'QuotaCordoned',
    'kubectl get quotas.offloading.liqo.io -A',
  ],
  [
    'a consumer that the provider has cordoned',
    {
      routes: [],
      slice: slice([
        condition('Authentication', 'Accepted'),
        condition('Resources', 'Denied', 'x', 'the provider has cordoned this consumer: no'),
      ]),
    },
    'slice',
    'x',
    'liqoctl uncordon tenant rome',
  ],
  [
    'an expired certificate',
    facts({}, { node: notReady, virtualNode: expired, certificateExpired: time }),
    'identity',
    'CertificateExpired',
    'liqoctl authenticate --remote-kubeconfig FILE',
  ],
  [
    'a webhook that does not answer, for a pod without the toleration',
    facts({ pod: podWith({ nodeName: undefined, tolerations: [] }, {}), webhookFault }),
    'webhook',
    'WebhookNotRunning',
    'kubectl y',
  ],
  [
    'a webhook that does not answer, for a workload whose pods are refused',
    facts({ pod: undefined, workload: refused, webhookFault }),
    'webhook',
    'WebhookNotRunning',
    'kubectl y',
  ],
  [
    'what refuses the pods of a workload, while the webhook answers',
    facts({ pod: undefined, workload: refused }),
    'workload',
    'FailedCreate',
    'kubectl describe deployment web -n shop',
  ],
  [
    'a peer to ask for resources, where there is no virtual node',
    { pod: unbound, namespace, offloading: offloading(), routes: [], peerID: 'milan' },
    'virtual node',
    'NoVirtualNode',
    'liqoctl create resourceslice milan --remote-cluster-id milan',
  ],
  [
    'an offer that waits for a person, where there is no virtual node',
    { pod: unbound, routes: [], offer: offer('Pending', 'WaitingManualDecision') },
    'offer',
    'WaitingManualDecision',
    'liqoctl advertisement accept milan',
  ],
  [
    'an offer that was refused by hand',
    { routes: [], offer: offer('Refused', 'RefusedManually') },
    'offer',
    'RefusedManually',
    'liqoctl advertisement accept milan',
  ],
  [
    'an offer with a wrong time to live, which the provider has to correct',
    { routes: [], offer: offer('Refused', 'InvalidTimeToLive') },
    'offer',
    'InvalidTimeToLive',
    'liqoctl offer status',
  ],
  [
    'an offer that the provider has withdrawn',
    facts({}, { node: notReady, slice: undefined, offer: offer('Accepted', 'Withdrawn', time) }),
    'offer',
    'Withdrawn',
    'liqoctl offer enable',
  ],
  [
    'credentials of an offer that are missing',
    facts(
      {},
      {
        slice: undefined,
        offer: offer('Accepted', 'AcceptedByPolicy', undefined, [
          condition('CredentialsReady', 'False', 'NoSecret', 'no Secret'),
          condition('VirtualNodeReady', 'False', 'NoVirtualNode', 'none yet'),
        ]),
      },
    ),
    'offer',
    'NoSecret',
    'liqoctl offer status',
  ],
  [
    'the controllers, where an offer waits for them',
    { routes: [], offer: offer(undefined, undefined), unattended },
    'controllers',
    'ControllersNotRunning',
    'kubectl x',
  ],
])('diagnose() names %s', (_, observed, link, reason, command) => {
  const { cause } = diagnose(observed);
  expect(cause).toMatchObject({ link, problem: { reason, remedy: { command } } });
});

test('diagnose() takes the virtual node that holds for a pod without a node', () => {
  const cordoned = route({ node: node(undefined, { spec: { unschedulable: true } }) });
  const { cause } = diagnose(facts({ pod: unbound, routes: [cordoned, route()] }));
  expect(cause).toMatchObject({ link: 'pod', problem: { reason: 'Unschedulable' } });
});

test('diagnose() does not blame a cordon for a pod that is on the Node already', () => {
  const cordoned = node(undefined, { spec: { unschedulable: true } });
  expect(diagnose(facts({}, { node: cordoned })).cause).toBeUndefined();
});

test('diagnose() does not ask for the webhook of a namespace whose pods stay in the cluster', () => {
  const local = offloading({}, { podOffloadingStrategy: 'Local' });
  const { cause } = diagnose({ namespace, offloading: local, routes: [], webhookFault });
  expect(cause?.link).toBe('namespace');
});

test('diagnose() does not blame the webhook for a pod that tolerates virtual nodes', () => {
  expect(diagnose(facts({ webhookFault })).cause).toBeUndefined();
});
