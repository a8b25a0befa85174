import { expect, test } from 'vitest';
import { origin } from './kubeconfig.ts';
import { parseKubeconfig } from './parse-kubeconfig.ts';
import { printKubeconfig } from './print-kubeconfig.ts';

const text = `apiVersion: v1
kind: Config
preferences: {}
clusters:
- name: prod
  cluster:
    server: https://prod.example:6443
    certificate-authority-data: YWJj
users:
- name: dev
  user:
    token: t0p
contexts:
- name: main
  context: { cluster: prod, user: dev, namespace: shop }
current-context: main
`;

/** As plain JSON has it: without the places where entries were read. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

test('parseKubeconfig() reads clusters, users, contexts and the current context', () => {
  expect(plain(parseKubeconfig(text, 'f'))).toEqual({
    apiVersion: 'v1',
    kind: 'Config',
    preferences: {},
    clusters: [
      {
        name: 'prod',
        cluster: {
          server: 'https://prod.example:6443',
          'certificate-authority-data': 'YWJj',
        },
      },
    ],
    users: [{ name: 'dev', user: { token: 't0p' } }],
    contexts: [{ name: 'main', context: { cluster: 'prod', user: 'dev', namespace: 'shop' } }],
    'current-context': 'main',
  });
});

test('parseKubeconfig() reads JSON as well', () => {
  const config = parseKubeconfig(text, 'f');
  expect(plain(parseKubeconfig(JSON.stringify(config, null, 2), 'f'))).toEqual(plain(config));
});

test('parseKubeconfig() reads what printKubeconfig() writes', () => {
  const config = parseKubeconfig(text, 'f');
  expect(plain(parseKubeconfig(printKubeconfig(config), 'f'))).toEqual(plain(config));
});

test.each([
  ['nothing', ''],
  ['a comment', '# to be filled in\n'],
  ['the start of a document', '---\n'],
  ['null', 'null'],
  ['empty lists', 'clusters: []\nusers:\ncontexts: null\n'],
])('parseKubeconfig() takes a file of %s for an empty kubeconfig', (_, empty) => {
  expect(parseKubeconfig(empty, 'f')).toEqual({ clusters: [], users: [], contexts: [] });
});

test('parseKubeconfig() keeps fields it does not know', () => {
  const config = parseKubeconfig('fleet: {a: 1}\nusers: [{name: u, user: {color: red}}]', 'f');
  expect(plain(config)).toMatchObject({ fleet: { a: 1 }, users: [{ user: { color: 'red' } }] });
});

test('parseKubeconfig() treats a null like an absent field', () => {
  const [user] = parseKubeconfig('users: [{name: u, user: {token: , exec: null}}]', 'f').users;
  expect(user?.user).toEqual({});
});

test('parseKubeconfig() takes an entry without a body for an empty one', () => {
  const config = parseKubeconfig('clusters: [{name: c}]\nusers: [{name: u, user: }]', 'f');
  expect(config.clusters[0]?.cluster).toEqual({});
  expect(config.users[0]?.user).toEqual({});
});

test('parseKubeconfig() reads booleans of YAML 1.1, as kubectl does', () => {
  const cluster = 'clusters: [{name: c, cluster: {insecure-skip-tls-verify: yes}}]';
  expect(parseKubeconfig(cluster, 'f').clusters[0]?.cluster).toEqual({
    'insecure-skip-tls-verify': true,
  });
});

test('parseKubeconfig() follows anchors, aliases and merge keys', () => {
  const config = parseKubeconfig(
    'base: &b {server: https://x}\nclusters: [{name: c, cluster: {<<: *b, tls-server-name: z}}]',
    'f',
  );
  expect(config.clusters[0]?.cluster).toEqual({ server: 'https://x', 'tls-server-name': 'z' });
});

test('parseKubeconfig() reads base64 that is broken into lines', () => {
  const folded = 'users:\n- name: u\n  user:\n    client-key-data: |\n      YWJj\n      ZGVm\n';
  expect(parseKubeconfig(folded, 'f').users[0]?.user).toEqual({ 'client-key-data': 'YWJjZGVm' });
});

test('parseKubeconfig() reads a file that starts with a byte order mark', () => {
  expect(parseKubeconfig(`\ufeff${text}`, 'f').contexts).toHaveLength(1);
});

test('parseKubeconfig() does not look into entries that nobody uses', () => {
  const odd = `users:
- name: old
  user: { auth-provider: { name: gcp }, exec: { apiVersion: client.authentication.k8s.io/v1alpha1 } }
clusters:
- name: void
  cluster: { certificate-authority: a, certificate-authority-data: YWJj }
`;
  expect(parseKubeconfig(odd, 'f').users).toHaveLength(1);
});

test('parseKubeconfig() remembers where every entry was read', () => {
  const { users, contexts } = parseKubeconfig(text, '/etc/kube.yaml');
  expect(users[0]?.[origin]).toMatchObject({
    source: '/etc/kube.yaml',
    path: 'users[0]',
    line: 10,
  });
  expect(contexts[0]?.[origin]?.key('context').key('cluster').line).toBe(15);
});

test('parseKubeconfig() does not let a key reach the prototype', () => {
  const config = parseKubeconfig('__proto__: {polluted: true}\nusers: []', 'f');
  expect(Object.getPrototypeOf(config)).toBe(Object.prototype);
  expect('polluted' in config).toBe(false);
});
