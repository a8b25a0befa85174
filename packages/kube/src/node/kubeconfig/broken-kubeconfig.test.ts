import { expect, test } from 'vitest';
import { KubeconfigError } from './kubeconfig-error.ts';
import { base64, connectTo } from './testing/connect.ts';

const secret = 'hunter2';
const pem = base64('-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n');
const v1 = 'client.authentication.k8s.io/v1';

/** A usable kubeconfig but for the cluster on line 4 and the user on line 7. */
function kubeconfig({ cluster = 'server: https://x', user = `token: ${secret}` }): string {
  return `current-context: main
clusters:
- name: c
  cluster: { ${cluster} }
users:
- name: u
  user: { ${user} }
contexts:
- name: main
  context: { cluster: c, user: u }
`;
}

const withCluster = (cluster: string) => kubeconfig({ cluster });
const withUser = (user: string) => kubeconfig({ user });
const withExec = (exec: string) => kubeconfig({ user: `exec: { ${exec} }` });

test('connectTo() connects when nothing is broken', async () => {
  const connection = await connectTo(kubeconfig({}));
  expect(connection.server.href).toBe('https://x/');
});

test.each<[fault: string, text: string, ...expected: string[]]>([
  // Not YAML
  ['an unclosed bracket', 'users: [', 'line 1', 'not valid YAML'],
  ['an unclosed quote', `a: 1\ntoken: "${secret}`, 'line 2', 'not valid YAML'],
  ['a tab as indentation', `users:\n\t- name: ${secret}`, 'line 2', 'tab characters'],
  ['bad indentation', `a:\n  b: 1\n c: ${secret}`, 'line 3', 'not valid YAML'],
  ['a value after a value', `token: ${secret}: 1`, 'line 1', 'not valid YAML'],
  ['a key written twice', 'clusters: []\nclusters: []', 'line 2', 'duplicated mapping key'],
  ['a password that starts like a tag', `a: 1\np: !${secret}`, 'line 2', 'unknown scalar tag'],
  ['a password that starts like an alias', `a: 1\np: *${secret}`, 'line 2', 'unidentified alias'],
  ['an impossible tag', `p: !x,${secret} y`, 'line 1', 'not valid YAML'],
  ['a second document', 'clusters: []\n---\nclusters: []', 'several YAML documents', 'KUBECONFIG'],
  ['broken JSON', `{"users": [{"name": "u" "${secret}"}]}`, 'line 1', 'not valid YAML'],
  // Not a kubeconfig
  ['a word', secret, 'must be a mapping but is a string'],
  ['a list', '- a', 'must be a mapping but is a list'],
  ['another kind', 'kind: Pod\napiVersion: v1', 'kind (line 1)', 'is of kind "Config"'],
  ['another version', 'kind: Config\napiVersion: v2', 'apiVersion (line 2)', 'only "v1"'],
  // Wrong types
  ['clusters as a mapping', 'clusters: {a: b}', 'clusters (line 1)', 'a list but is a mapping'],
  ['users as a string', `users: ${secret}`, 'users (line 1)', 'a list but is a string'],
  ['an entry that is a string', `users:\n- ${secret}`, 'users[0] (line 2)', 'must be a mapping'],
  ['a current context of a number', 'current-context: 7', 'current-context (line 1)', 'quotes'],
  ['a server of a list', withCluster('server: [x]'), 'clusters[0].cluster.server (line 4)'],
  ['a token of a number', withUser('token: 12345'), 'users[0].user.token (line 7)', 'in quotes'],
  ['a password of a boolean', withUser('password: y'), 'users[0].user.password', 'in quotes'],
  ['a flag of a string', withCluster('insecure-skip-tls-verify: "true"'), 'true or false'],
  ['groups of a string', withUser('as: a, as-groups: b'), 'as-groups (line 7)', 'a list'],
  ['a group of a number', withUser('as: a, as-groups: [b, 1]'), 'as-groups[1] (line 7)'],
  ['extra of a string', withUser('as: a, as-user-extra: {k: v}'), 'as-user-extra.k (line 7)'],
  ['arguments of a number', withExec('command: x, args: [1]'), 'users[0].user.exec.args[0]'],
  // Names
  ['a missing name', 'clusters:\n- cluster: {}', 'clusters[0].name (line 2)', 'is missing'],
  ['an empty name', 'users:\n- name: ""', 'users[0].name (line 2)', 'is missing'],
  [
    'a name used twice',
    'contexts:\n- name: a\n- name: b\n- name: a\n',
    'contexts[2].name (line 4)',
    '"a" is taken by contexts[0], line 2',
  ],
  // Base64
  ['data that is not base64', withUser(`client-key-data: ${secret}!`), 'client-key-data (line 7)'],
  ['base64 without its padding', withUser('client-key-data: YWI'), 'not valid base64'],
  [
    'PEM where base64 belongs',
    withCluster('certificate-authority-data: "-----BEGIN CERTIFICATE-----"'),
    'is PEM text',
    'base64 -w0',
  ],
  // Contexts
  ['no current context', 'contexts: [{name: a}, {name: b}]', 'current-context', '"a", "b"'],
  ['no contexts at all', '', 'current-context', 'contexts: none'],
  [
    'a current context that is not there',
    'current-context: c\ncontexts: [{name: a}, {name: b}]',
    'current-context',
    'there is no context "c"; the contexts are: "a", "b"',
  ],
  [
    'a context without a cluster',
    'current-context: a\ncontexts:\n- name: a\n  context:\n    user: u\n',
    'contexts[0].context.cluster (line 4)',
    'is missing',
  ],
  [
    'a context of a cluster that is not there',
    'current-context: a\ncontexts:\n- name: a\n  context:\n    cluster: x\n',
    'contexts[0].context.cluster (line 5)',
    'there is no cluster "x"; the clusters are: none',
  ],
  [
    'a context of a user that is not there',
    'current-context: a\nclusters: [{name: c}]\nusers: [{name: u}]\ncontexts: [{name: a, context: {cluster: c, user: x}}]',
    'contexts[0].context.user (line 4)',
    'there is no user "x"; the users are: "u"',
  ],
  [
    'a namespace that is none',
    'current-context: a\nclusters: [{name: c}]\ncontexts: [{name: a, context: {cluster: c, namespace: ../x}}]',
    'contexts[0].context.namespace (line 3)',
    '"../x" is no namespace',
  ],
  // Clusters
  ['a missing server', withCluster('tls-server-name: x'), 'clusters[0].cluster.server (line 4)'],
  ['an empty server', withCluster('server: ""'), 'server (line 4)', 'is missing'],
  ['a server without a scheme', withCluster('server: "x:6443"'), 'starts with "https://"'],
  ['a server of another scheme', withCluster('server: ftp://x'), 'starts with "https://"'],
  ['a server with a password', withCluster(`server: "https://a:${secret}@x"`), 'user entry'],
  ['a SOCKS proxy', withCluster(`server: https://x, proxy-url: "socks5://${secret}@p"`), 'SOCKS'],
  [
    'a proxy that is no URL',
    withCluster(`server: https://x, proxy-url: "${secret}:80"`),
    'clusters[0].cluster.proxy-url (line 4)',
  ],
  [
    'two authorities',
    withCluster(`server: https://x, certificate-authority: f, certificate-authority-data: ${pem}`),
    'certificate-authority (line 4)',
    'so is "certificate-authority-data"',
  ],
  [
    'an authority that is not looked at',
    withCluster(`server: https://x, insecure-skip-tls-verify: true, certificate-authority: f`),
    'insecure-skip-tls-verify (line 4)',
    '"certificate-authority" is set',
  ],
  [
    'an authority that is no PEM',
    withCluster(`server: https://x, certificate-authority-data: ${base64('hello')}`),
    'certificate-authority-data (line 4)',
    'holds no PEM certificate',
  ],
  [
    'an authority that is no certificate',
    withCluster(`server: https://x, certificate-authority-data: ${pem}`),
    'holds a certificate that cannot be read (number 1)',
  ],
  [
    'a file of an authority that is not there',
    withCluster('server: https://x, certificate-authority: /nowhere/ca.crt'),
    'certificate-authority (line 4)',
    'cannot read "/nowhere/ca.crt": there is no such file',
  ],
  [
    'a folder for an authority',
    withCluster('server: https://x, certificate-authority: /'),
    'cannot read "/": it is a folder',
  ],
  // Users
  ['a certificate without a key', withUser(`client-certificate-data: ${pem}`), 'add "client-key"'],
  ['a key without a certificate', withUser(`client-key-data: ${pem}`), 'has no certificate'],
  [
    'two certificates',
    withUser(`client-certificate: f, client-certificate-data: ${pem}, client-key: f`),
    'users[0].user.client-certificate (line 7)',
    'remove one',
  ],
  [
    'a certificate and key that are none',
    withUser(`client-certificate-data: ${pem}, client-key-data: ${base64(secret)}`),
    'client-certificate-data (line 7)',
    'cannot be used with its key',
  ],
  ['a token with a line break', withUser(`token: "${secret}\\n"`), 'token (line 7)', 'no header'],
  ['a token and a password', withUser(`token: a, username: b, password: ${secret}`), 'keep one'],
  ['a token file and a password', withUser(`tokenFile: /t, username: b`), 'tokenFile', 'keep one'],
  ['a user name with a colon', withUser(`username: "a:b", password: c`), 'username', 'colon'],
  ['a password without a user', withUser(`password: ${secret}`), 'password (line 7)', '"username"'],
  ['a token file that is not there', withUser('tokenFile: /nowhere/t'), '"/nowhere/t"', 'no such'],
  ['groups without a user', withUser('as-groups: [a]'), 'as-groups (line 7)', 'without "as"'],
  ['an impossible user name', withUser('as: "a\\nb"'), 'users[0].user.as (line 7)', 'no header'],
  ['the old GCP provider', withUser('auth-provider: {name: gcp}'), '"gke-gcloud-auth-plugin"'],
  [
    'an auth provider',
    withUser(`auth-provider: {name: acme, config: {secret: ${secret}}}`),
    'users[0].user.auth-provider (line 7)',
    '"acme"',
    'credential plugin',
  ],
  // Exec plugins
  ['no command', withExec(`apiVersion: ${v1}`), 'users[0].user.exec.command (line 7)', 'missing'],
  ['no version of exec', withExec('command: x'), 'exec.apiVersion (line 7)', 'is missing'],
  ['an old version of exec', withExec(`command: x, apiVersion: ${v1}alpha1`), `use "${v1}"`],
  ['no mode of exec', withExec(`command: x, apiVersion: ${v1}`), 'interactiveMode', 'missing'],
  [
    'an unknown mode of exec',
    withExec(`command: x, apiVersion: ${v1}, interactiveMode: Maybe`),
    'interactiveMode (line 7)',
    '"Maybe" is not known; use "Never"',
  ],
  [
    'a variable without a name',
    withExec(`command: x, apiVersion: ${v1}, env: [{value: ${secret}}]`),
    'exec.env[0].name (line 7)',
  ],
])('connectTo() explains %s', async (_, text, ...expected) => {
  const error = await connectTo(text).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(KubeconfigError);
  const { message } = error as KubeconfigError;
  for (const part of expected) expect(message).toContain(part);
  expect(message).toMatch(/^Cannot use kubeconfig/);
  expect(message).not.toContain(secret);
  expect(message).not.toContain('\n');
});

test('connectTo() names the file in its errors', async () => {
  await expect(connectTo(withCluster('server: [x]'))).rejects.toMatchObject({
    message:
      'Cannot use kubeconfig "/etc/kube.yaml": clusters[0].cluster.server (line 4): ' +
      'must be a string but is a list',
    source: '/etc/kube.yaml',
    key: 'clusters[0].cluster.server',
    line: 4,
  });
});
