import {
  ConfigMap,
  Deployment,
  type JsonObject,
  type JsonPatchOperation,
  type Kind,
  Lease,
  Namespace,
  Pod,
  Secret,
  Service,
} from '@liqo/kube';
import { Gadget } from './gadget.ts';

/** What programs do with a kind: contents to create it with, changes (not all of them valid), operations. */
export interface SampleKind {
  readonly kind: Kind;
  readonly contents: readonly JsonObject[];
  readonly changes: readonly JsonObject[];
  readonly strategic: readonly JsonObject[];
  readonly operations: readonly (readonly JsonPatchOperation[])[];
  readonly statuses: readonly JsonObject[];
  readonly scalable: boolean;
}

export type KindName = keyof typeof sampleKinds;

const web = { name: 'web', image: 'web:1' };
const side = { name: 'side', image: 'side:1', ports: [{ containerPort: 80 }] };
const limited = { ...web, resources: { limits: { cpu: '1500m', memory: '0.5Gi' } } };

function forgeWorkload(app: string, containers: readonly JsonObject[], more: object): JsonObject {
  const template = { metadata: { labels: { app } }, spec: { containers } };
  return { spec: { selector: { matchLabels: { app } }, template, ...more } };
}

const readyCondition = { type: 'Ready', status: 'False', reason: 'Waiting', message: 'for a node' };

export const sampleKinds = {
  ConfigMap: {
    kind: ConfigMap,
    contents: [
      { data: { a: '1' } },
      { data: { a: '1', b: '2' }, binaryData: { c: 'AAEC' } },
      {},
      { data: { 'not a key': 'x' } },
      { data: { a: 'fixed' }, immutable: true },
      { data: { a: '1' }, surprise: { deep: true } },
    ],
    changes: [
      { data: { a: '2' } },
      { data: { a: null, d: '4' } },
      { data: null },
      { immutable: true },
      { immutable: null },
      { data: { c: 'clash' }, binaryData: { c: 'AAEC' } },
      { binaryData: { e: 'AA==' } },
      { data: { a: 7 } },
      { surprise: 1 },
    ],
    strategic: [{ data: { a: '3' } }, { data: { $patch: 'replace', z: '26' } }, { data: null }],
    operations: [
      [
        { op: 'test', path: '/data/a', value: '1' },
        { op: 'replace', path: '/data/a', value: '9' },
      ],
      [{ op: 'add', path: '/data/n', value: 'new' }],
      [{ op: 'remove', path: '/data/absent' }],
      [{ op: 'move', from: '/data/a', path: '/data/moved' }],
    ],
    statuses: [],
    scalable: false,
  },
  Secret: {
    kind: Secret,
    contents: [
      { data: { a: 'YQ==' } },
      { stringData: { a: 'plain' } },
      { type: 'kubernetes.io/tls', data: { 'tls.crt': '' } },
      { type: 'kubernetes.io/basic-auth', stringData: { username: 'u' } },
      { type: 'example/own', data: { b: 'Yg==' }, immutable: true },
    ],
    changes: [
      { stringData: { b: 'more' } },
      { type: 'example/other' },
      { data: { a: null } },
      { data: { a: 'not base64!' } },
      { immutable: true },
    ],
    strategic: [{ stringData: { s: 'text' } }, { data: { a: null } }],
    operations: [
      [{ op: 'add', path: '/data', value: { z: 'eg==' } }],
      [{ op: 'test', path: '/type', value: 'example/other' }],
    ],
    statuses: [],
    scalable: false,
  },
  Service: {
    kind: Service,
    contents: [
      { spec: { ports: [{ port: 80 }] } },
      {
        spec: { clusterIP: 'None', selector: { app: 'web' }, ports: [{ port: 80, name: 'http' }] },
      },
      { spec: { ports: [{ port: 80 }, { port: 81 }] } },
      { spec: { type: 'ExternalName', externalName: 'example.com' } },
      { spec: { type: 'NodePort', ports: [{ port: 80, targetPort: 'http' }] } },
      { spec: { type: 'LoadBalancer', externalTrafficPolicy: 'Local', ports: [{ port: 80 }] } },
      { spec: { externalIPs: ['192.0.2.01'], ports: [{ port: 80 }], externalName: 'example.com' } },
      { spec: {} },
    ],
    changes: [
      { spec: { selector: { app: 'other' } } },
      { spec: { ports: [{ port: 8080, protocol: 'UDP' }] } },
      { spec: { ports: [{ port: 70000 }] } },
      { spec: { sessionAffinity: 'ClientIP' } },
      { spec: { sessionAffinity: 'Sometimes' } },
      { spec: { publishNotReadyAddresses: true } },
      { spec: { internalTrafficPolicy: 'Local' } },
      { spec: { type: 'ClusterIP' } },
      { spec: { type: 'NodePort' } },
      { spec: { type: 'LoadBalancer', loadBalancerClass: 'example.com/balancer' } },
      { spec: { type: 'ExternalName', externalName: 'example.org' } },
      { spec: { clusterIP: null, clusterIPs: null } },
      { spec: { ipFamilyPolicy: 'PreferDualStack' } },
      { spec: { externalTrafficPolicy: 'Local' } },
    ],
    strategic: [
      { spec: { ports: [{ port: 80, name: 'http' }] } },
      { spec: { ports: [{ port: 443, name: 'https' }] } },
      { spec: { ports: [{ port: 80, $patch: 'delete' }] } },
    ],
    operations: [
      [{ op: 'replace', path: '/spec/ports/0/port', value: 90 }],
      [{ op: 'add', path: '/spec/ports/-', value: { port: 91, name: 'extra' } }],
      [{ op: 'remove', path: '/spec/ports/5' }],
    ],
    statuses: [
      { loadBalancer: { ingress: [{ ip: '192.0.2.1' }] } },
      { conditions: [{ ...readyCondition, lastTransitionTime: '2030-01-01T00:00:00Z' }] },
    ],
    scalable: false,
  },
  Deployment: {
    kind: Deployment,
    contents: [
      forgeWorkload('web', [web], {}),
      forgeWorkload('web', [web, side], { replicas: 3, revisionHistoryLimit: 2 }),
      forgeWorkload('db', [limited], { strategy: { type: 'Recreate' } }),
      {
        spec: {
          selector: { matchLabels: { app: 'x' } },
          template: { spec: { containers: [web] } },
        },
      },
      { spec: {} },
    ],
    changes: [
      { spec: { replicas: 5 } },
      { spec: { replicas: -1 } },
      { spec: { paused: true } },
      { spec: { selector: { matchLabels: { app: 'moved' } } } },
      { spec: { template: { metadata: { annotations: { restarted: 'yes' } } } } },
      { spec: { strategy: { type: 'Recreate', rollingUpdate: null } } },
      { spec: { minReadySeconds: 5, progressDeadlineSeconds: 3 } },
      { spec: { surprise: true } },
    ],
    strategic: [
      { spec: { template: { spec: { containers: [{ name: 'web', image: 'web:2' }] } } } },
      { spec: { template: { spec: { containers: [{ name: 'new', image: 'new:1' }] } } } },
      { spec: { template: { spec: { containers: [{ name: 'side', $patch: 'delete' }] } } } },
      { spec: { strategy: { $retainKeys: ['type'], type: 'Recreate' } } },
    ],
    operations: [
      [{ op: 'replace', path: '/spec/template/spec/containers/0/image', value: 'web:7' }],
      [
        { op: 'test', path: '/spec/replicas', value: 1 },
        { op: 'replace', path: '/spec/replicas', value: 2 },
      ],
      [{ op: 'remove', path: '/spec/template/spec/containers/0' }],
    ],
    statuses: [
      { replicas: 1, readyReplicas: 1, availableReplicas: 1 },
      { replicas: 1, readyReplicas: 2 },
      { observedGeneration: 1, conditions: [{ type: 'Available', status: 'True' }] },
    ],
    scalable: true,
  },
  Pod: {
    kind: Pod,
    contents: [
      { spec: { containers: [web] } },
      { spec: { containers: [limited, side], restartPolicy: 'Never' } },
      { spec: { containers: [web], terminationGracePeriodSeconds: 5, nodeSelector: { a: 'b' } } },
      { spec: { containers: [web, web] } },
      { spec: { containers: [] } },
      { spec: { containers: [{ name: 'UPPER' }], restartPolicy: 'Perhaps' } },
    ],
    changes: [
      { spec: { containers: [{ name: 'web', image: 'web:3' }] } },
      { spec: { activeDeadlineSeconds: 60 } },
      { spec: { nodeName: 'somewhere' } },
      { spec: { restartPolicy: 'OnFailure' } },
      { spec: { priority: 5 } },
    ],
    strategic: [
      { spec: { containers: [{ name: 'web', image: 'web:4' }] } },
      { spec: { tolerations: [{ key: 'k', operator: 'Exists' }] } },
      { spec: { containers: [{ name: 'extra', image: 'extra:1' }] } },
    ],
    operations: [
      [{ op: 'replace', path: '/spec/containers/0/image', value: 'web:8' }],
      [{ op: 'add', path: '/spec/tolerations/-', value: { operator: 'Exists' } }],
      [{ op: 'replace', path: '/spec/schedulerName', value: 'mine' }],
    ],
    statuses: [
      { phase: 'Running', podIP: '192.0.2.7', podIPs: [{ ip: '192.0.2.7' }] },
      { phase: 'Failed', reason: 'Evicted', message: 'no room' },
      { conditions: [readyCondition] },
      { phase: 'Succeeded', containerStatuses: [] },
    ],
    scalable: false,
  },
  Namespace: {
    kind: Namespace,
    // Not the finalizers: applied again, they count as a change when the clock has reached another second.
    contents: [{}, { spec: {} }],
    changes: [{ spec: { finalizers: [] } }, { spec: { finalizers: null } }, { surprise: 'x' }],
    strategic: [{ spec: { finalizers: ['compare.example/more'] } }],
    operations: [[{ op: 'test', path: '/status/phase', value: 'Active' }]],
    statuses: [{ conditions: [{ type: 'Odd', status: 'True' }] }, { phase: 'Terminating' }],
    scalable: false,
  },
  Lease: {
    kind: Lease,
    contents: [
      {},
      { spec: { holderIdentity: 'ada', leaseDurationSeconds: 15 } },
      { spec: { holderIdentity: 'ada', renewTime: '2030-01-01T00:00:00.000000Z' } },
      { spec: { leaseDurationSeconds: 0 } },
    ],
    changes: [
      { spec: { holderIdentity: 'bob', leaseTransitions: 1 } },
      { spec: { leaseTransitions: -1 } },
      { spec: { renewTime: '2030-01-02T03:04:05.5Z' } },
      { spec: { renewTime: 'soon' } },
      { spec: null },
    ],
    strategic: [{ spec: { holderIdentity: 'eve' } }],
    operations: [[{ op: 'replace', path: '/spec/holderIdentity', value: 'eve' }]],
    statuses: [],
    scalable: false,
  },
  Gadget: {
    kind: Gadget,
    contents: [
      { spec: { size: 1, model: 'm1' } },
      { spec: { model: 'm2', parts: [{ name: 'a' }, { name: 'b', count: 3 }] } },
      { spec: { size: 99, model: 'm1' } },
      { spec: {} },
      { spec: { model: 'm1' }, status: { phase: 'ignored' } },
      { spec: { model: 'm1', surprise: 1 } },
    ],
    changes: [
      { spec: { size: 4 } },
      { spec: { size: 'four' } },
      { spec: { model: 'other' } },
      { spec: { colour: 'blue' } },
      { spec: { colour: null } },
      { spec: { parts: [{ name: 'c' }] } },
      { spec: { parts: [{ name: 'd' }, { name: 'd' }] } },
      { spec: { labels: { one: 'x', two: 'y' } } },
      { spec: null },
    ],
    strategic: [{ spec: { size: 2 } }],
    operations: [
      [{ op: 'add', path: '/spec/parts', value: [] }],
      [{ op: 'replace', path: '/spec/size', value: 7 }],
      [{ op: 'test', path: '/spec/colour', value: 'red' }],
    ],
    statuses: [{ phase: 'Ready', count: 2 }, { phase: 'Lost' }, { count: 'many' }],
    scalable: true,
  },
} as const satisfies Record<string, SampleKind>;

export const kindNames = Object.keys(sampleKinds) as readonly KindName[];
