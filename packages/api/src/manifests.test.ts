import { apiVersionOf } from '@liqo/kube';
import { load } from 'js-yaml';
import { describe, expect, test } from 'vitest';
import { allKinds } from './all-kinds.ts';
import { forgeCustomResourceDefinition } from './custom-resource-definition.ts';
import { violations } from './violations.ts';

const schemas = new Map(
  allKinds.map((kind) => {
    const [version] = forgeCustomResourceDefinition(kind).spec.versions;
    return [`${apiVersionOf(kind)} ${kind.kind}`, version?.schema?.openAPIV3Schema];
  }),
);

function violationsOf(manifest: string): string[] {
  const document = load(manifest) as { apiVersion: string; kind: string };
  const schema = schemas.get(`${document.apiVersion} ${document.kind}`);
  if (schema === undefined) throw new Error(`Cannot find the schema of "${document.kind}"`);
  return violations(JSON.parse(JSON.stringify(schema)), document);
}

const resourceSlice = `
apiVersion: authentication.liqo.io/v1beta1
kind: ResourceSlice
metadata:
  annotations: { liqo.io/create-virtual-node: "true" }
  creationTimestamp: null
  labels: { liqo.io/remote-cluster-id: cool-firefly, liqo.io/replication: "true" }
  name: mypool
spec:
  class: default
  providerClusterID: cool-firefly
status: {}
`;

const askingSlice = resourceSlice.replace(
  'status: {}',
  '  resources: { cpu: "2", memory: 4Gi, pods: 20 }\nstatus: {}',
);

const virtualNode = `
apiVersion: offloading.liqo.io/v1beta1
kind: VirtualNode
metadata: { creationTimestamp: null, name: mynode }
spec:
  clusterID: cool-firefly
  createNode: true
  disableNetworkCheck: false
  kubeconfigSecretRef: { name: kubeconfig-resourceslice-mypool }
  labels: { liqo.io/provider: kubeadm, liqo.io/remote-cluster-id: cool-firefly }
  resourceQuota: { hard: { cpu: "4", ephemeral-storage: 20Gi, memory: 8Gi, pods: "110" } }
  storageClasses: [{ storageClassName: liqo }]
status: {}
`;

const shadowPod = `
apiVersion: offloading.liqo.io/v1beta1
kind: ShadowPod
metadata: { name: cart, labels: { offloading.liqo.io/origin: rome } }
spec:
  pod:
    automountServiceAccountToken: false
    containers:
      - name: web
        image: nginx
        env: [{ name: MODE, valueFrom: { configMapKeyRef: { name: settings, key: mode } } }]
    aFieldOfTheFuture: { kept: true }
status: { phase: Running }
`;

const offloading = `
apiVersion: offloading.liqo.io/v1beta1
kind: NamespaceOffloading
metadata: { name: offloading }
spec:
  clusterSelector: { nodeSelectorTerms: [] }
  namespaceMappingStrategy: EnforceSameName
  podOffloadingStrategy: Remote
status:
  offloadingPhase: Ready
  remoteNamespacesConditions:
    milan: [{ type: Ready, status: "True", lastTransitionTime: "2026-01-01T00:00:00Z" }]
`;

describe('the schema', () => {
  test.each([
    ['a slice of the handbook', resourceSlice],
    ['a virtual node of the handbook', virtualNode],
    ['a shadow pod of a newer Kubernetes', shadowPod],
    ['an offloading of liqoctl', offloading],
  ])('admits %s, and drops nothing of it', (_, manifest) => {
    expect(violationsOf(manifest)).toEqual([]);
  });

  test.each([
    ['a cluster ID in capitals', virtualNode, 'cool-firefly\n', 'COOL\n', 'spec.clusterID'],
    ['text for a switch', virtualNode, 'createNode: true', 'createNode: "true"', 'spec.createNode'],
    ['a negative quantity', virtualNode, '"4"', '"-4"', 'spec.resourceQuota.hard.cpu'],
    ['a negative amount of a slice', askingSlice, '"2"', '"-2"', 'spec.resources.cpu'],
    ['a malformed amount of a slice', askingSlice, '4Gi', '4Gb', 'spec.resources.memory'],
    ['text as an amount of a slice', askingSlice, '4Gi', 'lots', 'spec.resources.memory'],
    ['a negative number as an amount of a slice', askingSlice, '20', '-20', 'spec.resources.pods'],
    ['a field that does not exist', virtualNode, 'labels', 'lables', 'spec.lables'],
    [
      'a container without a name',
      shadowPod,
      'name: web',
      'tag: web',
      'spec.pod.containers[0].name',
    ],
    ['an unknown phase', shadowPod, 'Running', 'Walking', 'status.phase'],
    ['an unknown strategy', offloading, ': Remote', ': Far', 'spec.podOffloadingStrategy'],
  ])('refuses %s, and says where', (_, manifest, good, bad, path) => {
    expect(violationsOf(manifest.replace(good, bad))).toEqual([path]);
  });
});
