import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { KubeconfigError } from './kubeconfig-error.ts';
import { type LoadKubeconfigOptions, loadKubeconfig } from './load-kubeconfig.ts';
import { makeTempFolder, type TempFolder } from './testing/temp-folder.ts';

let folder: TempFolder;

beforeEach(async () => {
  folder = await makeTempFolder();
});

afterEach(() => folder[Symbol.asyncDispose]());

/** Loads in a world that has nothing but the temporary folder. */
function load(env: Record<string, string> = {}, options: LoadKubeconfigOptions = {}) {
  return loadKubeconfig({
    env,
    homeDir: folder.path,
    serviceAccountDir: join(folder.path, 'serviceaccount'),
    ...options,
  });
}

const inPod = { KUBERNETES_SERVICE_HOST: '10.0.0.1', KUBERNETES_SERVICE_PORT: '443' };

const userNamed = (name: string) => `users: [{name: ${name}, user: {token: from-${name}}}]`;

const namesOf = (entries: readonly { readonly name: string }[]) => entries.map(({ name }) => name);

test('loadKubeconfig() reads the file it is told to, and nothing else', async () => {
  const path = await folder.write('asked', userNamed('asked'));
  const KUBECONFIG = await folder.write('listed', userNamed('listed'));
  expect(namesOf((await load({ KUBECONFIG }, { path })).users)).toEqual(['asked']);
});

test('loadKubeconfig() refuses when the file it is told to read is missing', async () => {
  const path = join(folder.path, 'missing');
  await expect(load({}, { path })).rejects.toThrow(
    `Cannot use kubeconfig "${path}": there is no such file`,
  );
});

test('loadKubeconfig() merges the files of KUBECONFIG and skips missing and unnamed ones', async () => {
  const one = await folder.write('one', `${userNamed('a')}\ncurrent-context: from-one`);
  const two = await folder.write('two', `${userNamed('b')}\ncurrent-context: from-two`);
  const missing = join(folder.path, 'missing');
  const config = await load({ KUBECONFIG: `${missing}::${one}:${two}:${one}` });
  expect(namesOf(config.users)).toEqual(['a', 'b']);
  expect(config['current-context']).toBe('from-one');
});

test('loadKubeconfig() looks into the home folder only without a KUBECONFIG', async () => {
  await folder.write('.kube/config', userNamed('home'));
  const KUBECONFIG = await folder.write('listed', userNamed('listed'));
  expect(namesOf((await load({ KUBECONFIG })).users)).toEqual(['listed']);
  expect(namesOf((await load({ KUBECONFIG: '' })).users)).toEqual(['home']);
  expect(namesOf((await load()).users)).toEqual(['home']);
});

test('loadKubeconfig() names the broken file of several', async () => {
  const good = await folder.write('good', userNamed('a'));
  const bad = await folder.write('bad', 'users:\n- name: 7');
  await expect(load({ KUBECONFIG: `${good}:${bad}` })).rejects.toMatchObject({
    source: bad,
    key: 'users[0].name',
    line: 2,
  });
});

test('loadKubeconfig() refuses a folder in the place of a file', async () => {
  await expect(load({ KUBECONFIG: folder.path })).rejects.toThrow('it is a folder');
});

test('loadKubeconfig() resolves file names against the file they are in', async () => {
  const one = await folder.write(
    'one/config',
    `clusters: [{name: c, cluster: {certificate-authority: pki/ca.crt}}]
users:
- name: files
  user: { client-certificate: a.crt, client-key: /etc/a.key, tokenFile: ../token }
- name: program
  user: { exec: { command: bin/login } }
`,
  );
  const two = await folder.write(
    'two/config',
    'users: [{name: path, user: {tokenFile: t, exec: {command: aws}}}]',
  );
  const config = await load({ KUBECONFIG: `${one}:${two}` });
  expect(config.clusters[0]?.cluster).toEqual({
    'certificate-authority': join(folder.path, 'one/pki/ca.crt'),
  });
  expect(config.users.map(({ user }) => user)).toEqual([
    {
      'client-certificate': join(folder.path, 'one/a.crt'),
      'client-key': '/etc/a.key',
      tokenFile: join(folder.path, 'token'),
    },
    { exec: { command: join(folder.path, 'one/bin/login') } },
    { tokenFile: join(folder.path, 'two/t'), exec: { command: 'aws' } },
  ]);
});

test('loadKubeconfig() falls back on the service account of its pod', async () => {
  const token = await folder.write('serviceaccount/token', 't');
  await folder.write('serviceaccount/namespace', 'shop\n');
  const config = await load(inPod);
  expect(config).toMatchObject({
    clusters: [
      {
        cluster: {
          server: 'https://10.0.0.1:443',
          'certificate-authority': join(folder.path, 'serviceaccount/ca.crt'),
        },
      },
    ],
    users: [{ user: { tokenFile: token } }],
    contexts: [{ context: { namespace: 'shop' } }],
  });
});

test('loadKubeconfig() prefers a kubeconfig to the service account, unless it is empty', async () => {
  await folder.write('serviceaccount/token', 't');
  await folder.write('.kube/config', 'clusters: []');
  expect((await load(inPod))['current-context']).toBe('in-cluster');
  await folder.write('.kube/config', userNamed('home'));
  expect(namesOf((await load(inPod)).users)).toEqual(['home']);
});

test.each([
  ['POD_NAMESPACE', { POD_NAMESPACE: 'explicit' }, 'shop', 'explicit'],
  ['the namespace file', {}, 'shop', 'shop'],
  ['"default" when the file is empty', {}, ' \n', 'default'],
])('loadKubeconfig() takes the namespace of a pod from %s', async (_, env, file, expected) => {
  await folder.write('serviceaccount/token', 't');
  await folder.write('serviceaccount/namespace', file);
  const { contexts } = await load({ ...inPod, ...env });
  expect(contexts[0]?.context.namespace).toBe(expected);
});

test('loadKubeconfig() puts an IPv6 address of the API server in brackets', async () => {
  await folder.write('serviceaccount/token', 't');
  const { clusters } = await load({ ...inPod, KUBERNETES_SERVICE_HOST: 'fd00::1' });
  expect(clusters[0]?.cluster.server).toBe('https://[fd00::1]:443');
});

test('loadKubeconfig() returns an empty file as it is outside of a pod', async () => {
  await folder.write('.kube/config', '');
  expect((await load()).contexts).toEqual([]);
});

test('loadKubeconfig() says where it looked when there is nothing', async () => {
  const error = await load({ KUBECONFIG: '/nowhere/a:/nowhere/b' }).catch((e: unknown) => e);
  expect(error).toBeInstanceOf(KubeconfigError);
  expect(String(error)).toContain('looked for "/nowhere/a", "/nowhere/b"');
  await expect(load(inPod)).rejects.toThrow('this process is not in a pod');
});
