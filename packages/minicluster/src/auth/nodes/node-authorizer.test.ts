import { type KubeObject, parseFieldSelector } from '@liqo/kube';
import { expect, test } from 'vitest';
import { Store } from '../../store/store.ts';
import { NodeAuthorizer, nodeNameOf } from './node-authorizer.ts';

const kubelet = { name: 'system:node:one', groups: ['system:nodes'], extra: {} };
const services = { apiGroups: [''], resources: ['services'], verbs: ['list'] };

function makeCluster() {
  const store = new Store();
  const nodes = new NodeAuthorizer(store, [services]);
  const put = (plural: string, key: string, object: object) =>
    store.collection(plural).put(key, store.collection(plural).get(key), object as KubeObject);
  const ask = (verb: string, path: string, more: object = {}) => {
    const [qualified = '', subresource = ''] = (path.split(' ')[0] ?? '').split('/');
    const [plural = '', ...group] = qualified.split('.');
    const [namespace = '', name = ''] = (path.split(' ')[1] ?? '/').split('/');
    const access = { group: group.join('.'), plural, subresource, namespace, name, ...more };
    return nodes.authorize({ user: kubelet, verb, resource: access, path: '' });
  };
  return { store, put, ask, nodes };
}

const pod = (nodeName: string, secretName: string) => ({
  metadata: { namespace: 'shop', name: 'web' },
  spec: {
    nodeName,
    serviceAccountName: 'robot',
    volumes: [{ name: 'v', secret: { secretName } }],
    containers: [],
  },
});

test('nodeNameOf() takes a name and a group', () => {
  expect(nodeNameOf(kubelet)).toBe('one');
  expect(nodeNameOf({ ...kubelet, groups: [] })).toBeUndefined();
  expect(nodeNameOf({ ...kubelet, name: 'jane' })).toBeUndefined();
});

test('authorize() says nothing of anybody who is no node', () => {
  const { nodes } = makeCluster();
  const user = { ...kubelet, groups: [] };
  const resource = { group: '', plural: 'nodes', subresource: '', namespace: '', name: 'one' };
  const verdict = nodes.authorize({ user, verb: 'get', resource, path: '' });
  expect(verdict).toEqual({ allowed: false, reason: '' });
});

test.each([
  ['get', 'nodes /one', ''],
  ['create', 'nodes', ''],
  ['patch', 'nodes/status /one', ''],
  ['list', 'nodes', "node 'one' cannot read all nodes, only its own Node object"],
  ['get', 'nodes /two', "node 'one' cannot read 'two', only its own Node object"],
  ['list', 'pods', 'can only list/watch pods with spec.nodeName field selector'],
  ['update', 'pods/status shop/web', ''],
  ['create', 'pods/eviction shop/web', ''],
  ['create', 'secrets shop/', 'can only read resources of this type'],
  ['list', 'secrets', 'can only read namespaced object of this type'],
  ['list', 'secrets shop/', 'No Object name found'],
  ['get', 'secrets shop/one', "no relationship found between node 'one' and this object"],
  ['list', 'persistentvolumeclaims shop/', 'can only get individual resources of this type'],
  ['get', 'persistentvolumeclaims/status shop/disk', 'can only get/update/patch this type'],
  [
    'delete',
    'serviceaccounts shop/robot',
    'can only create tokens for individual service accounts',
  ],
  [
    'create',
    'serviceaccounts/other shop/robot',
    'can only create token subresource of serviceaccount',
  ],
  ['update', 'leases.coordination.k8s.io kube-node-lease/one', ''],
  ['create', 'leases.coordination.k8s.io kube-node-lease/', ''],
  [
    'list',
    'leases.coordination.k8s.io kube-node-lease/',
    'can only get, create, update, patch, or delete a node lease',
  ],
  [
    'get',
    'leases.coordination.k8s.io shop/one',
    'can only access leases in the "kube-node-lease" system namespace',
  ],
  [
    'get',
    'leases.coordination.k8s.io kube-node-lease/two',
    'can only access node lease with the same name as the requesting node',
  ],
  ['get', 'csinodes.storage.k8s.io /one', ''],
  [
    'get',
    'csinodes.storage.k8s.io /two',
    'can only access CSINode with the same name as the requesting node',
  ],
  ['list', 'services', ''],
])('authorize() on %s %s answers "%s"', (verb, path, reason) => {
  expect(makeCluster().ask(verb, path)).toEqual({ allowed: reason === '', reason });
});

test.each([
  ['delete', 'nodes /one'],
  ['update', 'pods shop/web'],
  ['list', 'deployments.apps'],
])('authorize() has no opinion on %s %s', (verb, path) => {
  expect(makeCluster().ask(verb, path)).toEqual({ allowed: false, reason: '' });
});

test('authorize() allows a list of the pods of the node', () => {
  const { ask } = makeCluster();
  const select = (text: string) => ({ fieldSelector: parseFieldSelector(text) });
  expect(ask('list', 'pods', select('spec.nodeName=one')).allowed).toBe(true);
  expect(ask('watch', 'pods', select('spec.nodeName=two')).allowed).toBe(false);
  expect(ask('watch', 'pods', select('spec.nodeName!=one')).allowed).toBe(false);
});

test('authorize() allows what the pods of the node refer to, as long as they do', () => {
  const { ask, put, store } = makeCluster();
  put('pods', 'shop/web', pod('one', 'key'));
  for (const path of ['secrets shop/key', 'pods shop/web', 'serviceaccounts shop/robot']) {
    expect(ask('get', path).allowed).toBe(true);
  }
  expect(ask('create', 'serviceaccounts/token shop/robot').allowed).toBe(true);
  expect(ask('get', 'secrets shop/other').allowed).toBe(false);
  put('pods', 'shop/more', { ...pod('one', 'key'), metadata: { namespace: 'shop', name: 'more' } });
  put('pods', 'shop/web', pod('two', 'key'));
  expect(ask('get', 'secrets shop/key').allowed).toBe(true);
  const last = store.collection('pods').get('shop/more');
  if (last) store.collection('pods').remove('shop/more', last);
  expect(ask('get', 'secrets shop/key').allowed).toBe(false);
});

test('authorize() allows a volume through the claim of a pod', () => {
  const { ask, put } = makeCluster();
  const volumes = [{ name: 'v', persistentVolumeClaim: { claimName: 'disk' } }];
  const metadata = { namespace: 'shop', name: 'web' };
  put('pods', 'shop/web', { metadata, spec: { nodeName: 'one', containers: [], volumes } });
  put('persistentvolumes', 'pv', {
    metadata: { name: 'pv' },
    spec: { claimRef: { namespace: 'shop', name: 'disk' } },
  });
  put('persistentvolumes', 'free', { metadata: { name: 'free' }, spec: {} });
  expect(ask('get', 'persistentvolumeclaims shop/disk').allowed).toBe(true);
  expect(ask('get', 'persistentvolumes /pv').allowed).toBe(true);
  expect(ask('get', 'persistentvolumes /free').allowed).toBe(false);
});
