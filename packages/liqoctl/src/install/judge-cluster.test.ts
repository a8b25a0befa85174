import type { Node } from '@liqo/kube';
import { expect, test } from 'vitest';
import { detectProvider, podRangesOf } from './detect-provider.ts';
import {
  type ClusterFacts,
  checkClusterID,
  chooseClusterID,
  judgeCluster,
} from './judge-cluster.ts';
import { judgeNodes, warnOfNodes } from './judge-nodes.ts';

const facts: ClusterFacts = {
  gitVersion: 'v1.35.0',
  nodes: [],
  clusterID: undefined,
  isOfHelm: false,
  missingRights: [],
};

test('judgeCluster() allows a cluster without Liqo, and an upgrade under the same ID', () => {
  expect(judgeCluster(facts, 'rome')).toBeUndefined();
  expect(judgeCluster({ ...facts, clusterID: 'rome' }, 'rome')).toBeUndefined();
  expect(judgeCluster({ ...facts, clusterID: 'rome' }, undefined)).toBeUndefined();
});

test.each([
  [{ gitVersion: 'v1.29.9' }, 'the cluster runs Kubernetes v1.29.9'],
  [{ missingRights: ['create clusterroles'] }, 'you may not create clusterroles'],
  [{ isOfHelm: true }, 'a release of Helm has installed it'],
  [{ clusterID: 'milan' }, 'this cluster is "milan" already'],
])('judgeCluster() refuses %j', (changes, why) => {
  expect(judgeCluster({ ...facts, ...changes }, 'rome')?.why).toContain(why);
});

function node(changes: Partial<Node>): Node {
  return { metadata: { name: 'a' }, ...changes };
}

const running = (operatingSystem: string, architecture: string) =>
  node({ status: { nodeInfo: { operatingSystem, architecture } as NodeInfo } });

type NodeInfo = NonNullable<NonNullable<Node['status']>['nodeInfo']>;

test('judgeNodes() refuses a cluster in which no node can run the image', () => {
  const alien = [running('linux', 's390x'), running('windows', 'amd64')];
  expect(judgeNodes(alien)?.why).toContain('the nodes are linux/s390x, windows/amd64');
  expect(judgeNodes([...alien, running('linux', 'arm64')])).toBeUndefined();
  expect(judgeNodes([...alien, node({})])).toBeUndefined();
  expect(judgeNodes([])).toBeUndefined();
});

test('warnOfNodes() names the value that chooses one of several architectures', () => {
  const mixed = [running('linux', 'arm64'), running('linux', 'amd64')];
  expect(warnOfNodes(mixed, { nodeSelector: {} })).toContain(
    "--set 'common.nodeSelector.kubernetes\\.io/arch=amd64'",
  );
  expect(warnOfNodes(mixed, { nodeSelector: { 'kubernetes.io/arch': 'amd64' } })).toBeUndefined();
  expect(warnOfNodes(mixed.slice(1), { nodeSelector: {} })).toBeUndefined();
});

test.each([
  ['openshift', node({}), 'v1.31.0', ['config.openshift.io']],
  ['k3s', node({}), 'v1.31.0+k3s1', []],
  ['gke', node({}), 'v1.31.1-gke.1678000', []],
  ['eks', node({}), 'v1.31.1-eks-7f9249a', []],
  ['kind', node({ spec: { providerID: 'kind://docker/a/b' } }), 'v1.31.0', []],
  ['aks', node({ spec: { providerID: 'azure:///x' } }), 'v1.31.0', []],
  ['gke', node({ spec: { providerID: 'gce://x' } }), 'v1.31.0', []],
  [
    'kubeadm',
    node({ metadata: { annotations: { 'kubeadm.alpha.kubernetes.io/cri-socket': 'x' } } }),
    'v1.31.0',
    [],
  ],
  [undefined, node({}), 'v1.31.0', []],
])('detectProvider() finds %s', (provider, first, version, groups) => {
  expect(detectProvider([first], version, groups)).toBe(provider);
});

test('podRangesOf() gives the default of a provider where Nodes name no range', () => {
  expect(podRangesOf([node({})], 'k3s')).toEqual(['10.42.0.0/16']);
  expect(podRangesOf([node({ spec: { podCIDR: '10.1.0.0/24' } })], 'k3s')).toEqual([]);
  expect(podRangesOf([node({})], 'kind')).toEqual([]);
});

test('chooseClusterID() gives an ID that can be used', () => {
  const chosen = chooseClusterID(() => 0.999);
  expect(chosen).toBe('cluster-zzzzzzzz');
  expect(checkClusterID(chosen)).toEqual([]);
  expect(checkClusterID('x'.repeat(52))).toEqual(['is longer than 51 characters']);
  expect(checkClusterID('Rome')).not.toEqual([]);
});
