import { ForeignCluster, NamespaceOffloading, ResourceSlice, VirtualNode } from '@liqo/api';
import {
  Deployment,
  isConditionTrue,
  mergePatch,
  Namespace,
  Node,
  Pod,
  Role,
  RoleBinding,
  Secret,
} from '@liqo/kube';
import { forgeKubeconfig, printKubeconfig } from '@liqo/kube/node';
import { eventually } from '@liqo/testkit';
import { load } from 'js-yaml';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import manifest from '../package.json' with { type: 'json' };
import { readPeerFacts } from './info/read-peer-facts.ts';
import { Interruption } from './surroundings.ts';
import { runHere } from './testing/run-here.ts';
import { startWorld, type World } from './testing/world.ts';

const tenant = 'liqo-tenant-milan';
const toMilan = ['--remote-cluster-id', 'milan', '--kubeconfig-secret-name'];

describe('liqoctl with two clusters', () => {
  let world: World;

  beforeAll(async () => {
    world = await startWorld();
  }, 120_000);

  afterAll(() => world[Symbol.asyncDispose]());

  /** A Secret with a way to nowhere: its virtual node never gets ready. */
  async function createDeadEnd(): Promise<void> {
    const nowhere = forgeKubeconfig({
      name: 'nowhere',
      server: 'https://127.0.0.1:1',
      user: { token: 'x' },
    });
    const kubeconfig = Buffer.from(printKubeconfig(nowhere)).toString('base64');
    await world.rome.client.create(Secret, {
      metadata: { name: 'dead-end', namespace: tenant },
      data: { kubeconfig },
    });
  }

  async function virtualNode(name: string): Promise<VirtualNode | undefined> {
    return world.rome.client.get(VirtualNode, { namespace: tenant, name });
  }

  async function phaseOf(namespace: string) {
    const key = { namespace, name: 'offloading' };
    return (await world.rome.client.get(NamespaceOffloading, key))?.status?.offloadingPhase;
  }

  test('version tells both versions', async () => {
    expect(await world.liqoctl('version')).toEqual({
      code: 0,
      stdout: `Client version: ${manifest.version}\nServer version: ${manifest.version}\n`,
      stderr: '',
    });
  });

  test('get virtualnode says on standard error that there are none', async () => {
    const { code, stdout, stderr } = await world.liqoctl('get', 'virtualnodes');
    expect({ code, stdout, stderr }).toEqual({
      code: 0,
      stdout: '',
      stderr: 'There are no virtual nodes\n',
    });
    const json = await world.liqoctl('get', 'virtualnodes', '-o', 'json');
    expect(JSON.parse(json.stdout)).toEqual({ apiVersion: 'v1', kind: 'List', items: [] });
  });

  test('create virtualnode -o prints the manifest, and creates nothing', async () => {
    const args = ['create', 'virtualnode', 'mynode', ...toMilan, 'way-to-milan', '-o'];
    const yaml = await world.liqoctl(...args, 'yaml');
    const json = await world.liqoctl(...args, 'json');
    expect([yaml.code, yaml.stderr, json.code, json.stderr]).toEqual([0, '', 0, '']);
    expect(JSON.parse(json.stdout)).toEqual(load(yaml.stdout));
    expect(JSON.parse(json.stdout).metadata.namespace).toBe(tenant);
    expect(await virtualNode('mynode')).toBeUndefined();
  });

  test('create virtualnode -o needs no cluster when the namespace is said', async () => {
    const args = ['create', 'vn', 'mynode', ...toMilan, 'x', '-n', 'somewhere', '-o', 'yaml'];
    const { code, stdout } = await runHere(args);
    expect(code).toBe(0);
    expect(load(stdout)).toMatchObject({ metadata: { namespace: 'somewhere' } });
  });

  test('create virtualnode --dry-run has everything checked, and creates nothing', async () => {
    const args = ['create', 'virtualnode', 'mynode', ...toMilan, 'way-to-milan', '--dry-run'];
    const { code, stdout, stderr } = await world.liqoctl(...args);
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    expect(stderr).toMatch(/^✔ VirtualNode "mynode" would be created \(.* s\)\n$/);
    expect(await virtualNode('mynode')).toBeUndefined();
  });

  test('create virtualnode waits until the Node is Ready', async () => {
    const args = [
      'create',
      'virtualnode',
      'mynode',
      ...toMilan,
      'way-to-milan',
      '--labels',
      'region=eu',
    ];
    const { code, stdout, stderr } = await world.liqoctl(...args);
    expect({ code, stdout, stderr }).toMatchObject({ code: 0, stdout: '' });
    expect(stderr).toMatch(/^✔ VirtualNode "mynode" is created \(.* s\)$/m);
    expect(stderr).toMatch(/✔ Node "mynode" is Ready \(.* s\)\n$/);
    const node = await world.rome.client.get(Node, { name: 'mynode' });
    expect(isConditionTrue(node?.status?.conditions, 'Ready')).toBe(true);
    expect(node?.metadata.labels).toMatchObject({ region: 'eu' });
  }, 120_000);

  test('get virtualnode --watch shows each change, until Ctrl-C', async () => {
    const stop = new AbortController();
    let written = '';
    const stdout = { write: (text: string) => (written += text), isTerminal: false };
    const env = { KUBECONFIG: world.rome.kubeconfig };
    const args = ['get', 'vn', 'mynode', '-w', '-o', 'json'];
    const running = runHere(args, { env, signal: stop.signal, stdout });
    const last = () => JSON.parse(written.trim().split('\n').at(-1) ?? '');
    await eventually(async () => expect(last().metadata.name).toBe('mynode'));
    const patch = mergePatch({ metadata: { labels: { watched: 'yes' } } });
    await world.rome.client.patch(VirtualNode, { namespace: tenant, name: 'mynode' }, patch);
    await eventually(async () => expect(last().metadata.labels).toMatchObject({ watched: 'yes' }));
    stop.abort(new Interruption(130));
    expect(await running).toMatchObject({ code: 0, stderr: '' });
  });

  test('get virtualnode prints what there is in every format', async () => {
    const table = await world.liqoctl('get', 'vn');
    expect(table.stdout).toMatch(/^NAMESPACE +NAME +CLUSTERID +CREATE NODE +NODE +AGE\n/);
    expect(table.stdout).toMatch(/^liqo-tenant-milan +mynode +milan +true +Running +\d+s\n$/m);
    const wide = await world.liqoctl('get', 'vn', 'mynode', '-o', 'wide');
    expect(wide.stdout).toMatch(/ Running +2 +4Gi +110 +way-to-milan +<none>\n$/);
    const name = await world.liqoctl('get', 'vn', '-o', 'name');
    expect(name.stdout).toBe('virtualnode.offloading.liqo.io/mynode\n');
    const yaml = await world.liqoctl('get', 'vn', 'mynode', '-o', 'yaml', '-n', tenant);
    expect(load(yaml.stdout)).toMatchObject({ metadata: { name: 'mynode' } });
    expect(yaml.stdout).not.toContain('managedFields');
    const json = await world.liqoctl('get', 'vn', 'mynode', '-o=json');
    expect(JSON.parse(json.stdout)).toMatchObject({ kind: 'VirtualNode' });
  });

  test('info shows the installation and its peers', async () => {
    const { code, stdout, stderr } = await world.liqoctl('info');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('Cluster ID:     rome');
    expect(stdout).toContain(`K8s API server: ${world.rome.server}`);
    expect(stdout).toContain('✔    Liqo is healthy');
    expect(stdout).toMatch(/^\| {2}milan +\|$/m);
    const json = JSON.parse((await world.liqoctl('info', '-o', 'json')).stdout);
    expect(json.peerings.peers).toMatchObject([
      {
        clusterID: 'milan',
        role: 'Provider',
        authenticationStatus: 'Healthy',
        offloadingStatus: 'Healthy',
      },
    ]);
    const yaml = load((await world.liqoctl('info', '-o', 'yaml')).stdout);
    expect(yaml).toEqual(json);
    expect((await world.liqoctl('info', '--get', 'clusterid')).stdout).toBe('rome\n');
    expect((await world.liqoctl('info', '-g', 'health')).stdout).toBe('healthy: true\n');
    expect((await world.liqoctl('info', '-g', 'health', '-o', 'json')).stdout).toBe(
      '{\n  "healthy": true\n}\n',
    );
  });

  test('info peer shows everything about a peer', async () => {
    const { code, stdout, stderr } = await world.liqoctl('info', 'peer', 'milan');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^\| +Secret: +way-to-milan +\|$/m);
    const field = await world.liqoctl('info', 'peer', '--get', 'offloading.status');
    expect(field.stdout).toBe('Healthy\n');
    const { stdout: json } = await world.liqoctl('info', 'peer', '-o', 'json');
    expect(JSON.parse(json).offloading.virtualNodes).toMatchObject([{ name: 'mynode' }]);
  });

  test('info shows what it may see, and warns of the rest', async () => {
    const metadata = { name: 'reader', namespace: 'liqo' };
    const apiGroup = 'rbac.authorization.k8s.io';
    await world.rome.client.create(Role, {
      metadata,
      rules: [{ apiGroups: [''], resources: ['configmaps', 'pods'], verbs: ['get', 'list'] }],
    });
    await world.rome.client.create(RoleBinding, {
      metadata,
      roleRef: { apiGroup, kind: 'Role', name: 'reader' },
      subjects: [{ apiGroup, kind: 'User', name: 'reader' }],
    });
    const user = { name: 'reader', groups: ['readers'] };
    const kubeconfig = await world.file('reader.kubeconfig', world.rome.kubeconfigFor(user));
    const { code, stdout, stderr } = await runHere(['info', '--kubeconfig', kubeconfig]);
    expect(code).toBe(0);
    expect(stdout).toContain('✔    Liqo is healthy');
    expect(stdout).not.toContain('Active peerings');
    expect(stderr).toMatch(/^! Cannot show the section "local": .*forbidden/);
    expect(stderr).toMatch(/^! Cannot show the section "peerings": .*forbidden/m);
  });

  test('offload namespace waits until the provider has it', async () => {
    await world.rome.client.create(Namespace, {
      metadata: { name: 'shop', labels: { team: 'web' } },
    });
    const { code, stdout, stderr } = await world.liqoctl('offload', 'namespace', 'shop');
    expect({ code, stdout, stderr }).toMatchObject({ code: 0, stdout: '' });
    expect(stderr).toMatch(/✔ Namespace "shop" is offloaded \(.* s\)\n$/);
    expect(await world.milan.client.get(Namespace, { name: 'shop-rome' })).toBeDefined();
    expect(await phaseOf('shop')).toBe('Ready');
  });

  test('info at the provider shows the consumer whose pods it hosts', async () => {
    const { signal } = new AbortController();
    expect(await readPeerFacts(world.milan.client, signal)).toMatchObject({
      tenantNamespaces: [{}],
      copiedNamespaceMaps: [{ status: { currentMapping: { shop: { phase: 'Accepted' } } } }],
      shadowPodOrigins: [],
      identitySecrets: [],
    });
    const key = { namespace: 'shop', name: 'guest' };
    await world.rome.client.create(Pod, {
      metadata: key,
      spec: {
        nodeName: 'mynode',
        tolerations: [{ operator: 'Exists' }],
        containers: [{ name: 'web', image: 'nginx' }],
      },
    });
    await eventually(async () => {
      const hosted = await world.milan.client.get(Pod, { ...key, namespace: 'shop-rome' });
      expect(hosted?.status?.phase).toBe('Running');
    });
    expect(await readPeerFacts(world.milan.client, signal)).toMatchObject({
      shadowPodOrigins: ['rome'],
    });
    expect(await readPeerFacts(world.rome.client, signal)).toMatchObject({
      copiedNamespaceMaps: [],
      shadowPodOrigins: [],
      identitySecrets: [{ metadata: { name: 'kubeconfig-controlplane-milan' } }],
    });
    const env = { KUBECONFIG: world.milan.kubeconfig };
    const { stdout } = await runHere(['info', '-g', 'peerings.peers', '-o', 'json'], { env });
    expect(JSON.parse(stdout)).toEqual([
      {
        clusterID: 'rome',
        role: 'Consumer',
        networkingStatus: 'Disabled',
        authenticationStatus: 'Healthy',
        offloadingStatus: 'Healthy',
      },
    ]);
    const peer = await runHere(['info', 'peer', 'rome', '--get', 'info.role'], { env });
    expect(peer).toMatchObject({ code: 0, stdout: 'Consumer\n' });
    await world.rome.client.delete(Pod, key);
    await eventually(async () => expect(await world.rome.client.get(Pod, key)).toBeUndefined());
  });

  test('offload namespace changes what is said, and keeps the rest', async () => {
    const args = ['offload', 'ns', '--ns-selector', 'team=web', '--timeout', '30s'];
    const first = await world.liqoctl(...args, '-l', 'region=eu,!x', '-l', 'region=us');
    expect(first.code).toBe(0);
    const { code, stderr } = await world.liqoctl(...args, '--pod-offloading-strategy', 'remote');
    expect(code).toBe(0);
    expect(stderr).not.toContain('has no effect');
    const key = { namespace: 'shop', name: 'offloading' };
    const offloading = await world.rome.client.get(NamespaceOffloading, key);
    expect(offloading?.spec).toMatchObject({
      podOffloadingStrategy: 'Remote',
      namespaceMappingStrategy: 'DefaultName',
      clusterSelector: { nodeSelectorTerms: [{}, {}] },
    });
    expect(await phaseOf('shop')).toBe('Ready');
  });

  test('offload namespace --ns-selector offloads all namespaces that match, or none of them', async () => {
    const { client } = world.rome;
    const create = (name: string) =>
      client.create(Namespace, { metadata: { name, labels: { team: 'data' } } });
    const matching = ['--ns-selector', 'team=data', '--timeout', '30s'];
    await create('etl');
    await create('lake');
    const { code, stderr } = await world.liqoctl('offload', 'ns', ...matching);
    expect(code).toBe(0);
    for (const name of ['etl', 'lake']) {
      expect(stderr).toContain(`Namespace "${name}" is offloaded`);
      expect(await phaseOf(name)).toBe('Ready');
      expect(await world.milan.client.get(Namespace, { name: `${name}-rome` })).toBeDefined();
    }
    await create('archive');
    const strategy = ['--namespace-mapping-strategy', 'EnforceSameName'];
    const refused = await world.liqoctl('offload', 'ns', ...matching, ...strategy);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('it is offloaded as DefaultName already');
    expect(await phaseOf('archive')).toBeUndefined();
    const undone = await world.liqoctl('unoffload', 'ns', ...matching, '--skip-confirm');
    expect(undone.code).toBe(0);
    for (const name of ['etl', 'lake']) {
      expect(await phaseOf(name)).toBeUndefined();
      expect(await world.milan.client.get(Namespace, { name: `${name}-rome` })).toBeUndefined();
    }
  });

  test('offload namespace warns when no provider is selected', async () => {
    await world.rome.client.create(Namespace, { metadata: { name: 'lonely' } });
    const { code, stderr } = await world.liqoctl('offload', 'ns', 'lonely', '-l', 'region=mars');
    expect(code).toBe(0);
    expect(stderr.replaceAll(/\(.*? s\)/g, '')).toMatch(
      /^✔ Namespace "lonely" is marked for offloading \n( {2}.*\n)*! No provider is selected, so the pods of "lonely" stay here.*\n$/,
    );
  });

  test('offload namespace -o prints manifests, and needs no cluster for it', async () => {
    const { code, stdout } = await runHere(['offload', 'ns', 'a', 'b', '-o', 'yaml']);
    expect(code).toBe(0);
    const manifests = stdout.split('---\n').map((text) => load(text));
    expect(manifests).toMatchObject([
      { kind: 'NamespaceOffloading', metadata: { namespace: 'a' } },
      { kind: 'NamespaceOffloading', metadata: { namespace: 'b' } },
    ]);
  });

  test('unoffload namespace asks, and does nothing unless it is told to', async () => {
    const env = { KUBECONFIG: world.rome.kubeconfig };
    const asked: string[] = [];
    const ask = async (question: string) => {
      asked.push(question);
      return 'n';
    };
    const { code, stderr } = await runHere(['unoffload', 'ns', 'shop'], { env, ask });
    expect({ code, asked }).toEqual({
      code: 1,
      asked: ['milan will remove what it has of "shop", pods included. Go on? [y/N] '],
    });
    expect(stderr).toContain('Nothing was changed');
    const dry = await world.liqoctl('unoffload', 'ns', 'shop', '--dry-run');
    expect(dry.stderr).toMatch(/^✔ Namespace "shop" would be taken back/);
    expect(await phaseOf('shop')).toBe('Ready');
  });

  test('unoffload namespace names no provider that has nothing', async () => {
    const env = { KUBECONFIG: world.rome.kubeconfig };
    const asked: string[] = [];
    const ask = async (question: string) => {
      asked.push(question);
      return 'yes';
    };
    const { code, stderr } = await runHere(['unoffload', 'ns', 'lonely'], { env, ask });
    expect({ code, asked }).toEqual({
      code: 0,
      asked: ['No provider has "lonely". Go on? [y/N] '],
    });
    expect(stderr).not.toContain('milan');
    await world.liqoctl('offload', 'ns', 'lonely', '-l', 'region=mars');
  });

  test('unoffload namespace waits until the provider has removed it', async () => {
    const env = { KUBECONFIG: world.rome.kubeconfig };
    const ask = async () => 'yes';
    const { code, stdout, stderr } = await runHere(['unoffload', 'ns', 'shop', 'lonely'], {
      env,
      ask,
    });
    expect({ code, stdout, stderr }).toMatchObject({ code: 0, stdout: '' });
    expect(stderr).toMatch(/✔ Namespace "shop" is no longer offloaded \(.* s\)$/m);
    expect(await phaseOf('shop')).toBeUndefined();
    const again = await world.liqoctl('unoffload', 'ns', 'shop', '--skip-confirm');
    expect(again).toMatchObject({
      code: 0,
      stderr: '! No namespace is offloaded: nothing to do\n',
    });
  });

  test('offload namespace keeps what the label of the namespace has made', async () => {
    const { client } = world.rome;
    const metadata = { name: 'labelled', labels: { 'liqo.io/enabled': 'true' } };
    await client.create(Namespace, { metadata });
    await eventually(async () => expect(await phaseOf('labelled')).toBe('Ready'));
    expect(await world.milan.client.get(Namespace, { name: 'labelled-rome' })).toBeDefined();
    const key = { namespace: 'labelled', name: 'offloading' };
    const before = await client.get(NamespaceOffloading, key);
    expect(before?.metadata.annotations).toHaveProperty(['liqo.io/enabled-namespace']);
    const args = ['--pod-offloading-strategy', 'Remote'];
    expect(await world.liqoctl('offload', 'ns', 'labelled', ...args)).toMatchObject({ code: 0 });
    const after = await client.get(NamespaceOffloading, key);
    expect(after?.metadata.uid).toBe(before?.metadata.uid);
    expect(after?.metadata.annotations ?? {}).not.toHaveProperty(['liqo.io/enabled-namespace']);
  });

  test('unoffload namespace removes the label, so that it is not offloaded again', async () => {
    const args = ['unoffload', 'ns', 'labelled', '--skip-confirm'];
    await world.liqoctl(...args, '--dry-run');
    const labelsOf = async () =>
      (await world.rome.client.get(Namespace, { name: 'labelled' }))?.metadata.labels;
    expect(await labelsOf()).toHaveProperty(['liqo.io/enabled']);
    expect(await world.liqoctl(...args)).toMatchObject({ code: 0 });
    expect(await labelsOf()).not.toHaveProperty(['liqo.io/enabled']);
    expect(await phaseOf('labelled')).toBeUndefined();
    expect(await world.milan.client.get(Namespace, { name: 'labelled-rome' })).toBeUndefined();
  });

  test('create virtualnode says why the Node is not Ready in time, and what to do', async () => {
    await createDeadEnd();
    const args = ['create', 'vn', 'lost', ...toMilan, 'dead-end', '--timeout', '3s'];
    const { code, stdout, stderr } = await world.liqoctl(...args);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(
      /✖ Cannot wait for the Node "lost" to be Ready any longer than 3\.0 s: \S/,
    );
    expect(stderr).toContain('liqoctl delete virtualnode lost');
    const { stdout: info } = await world.liqoctl('info');
    expect(info).toMatch(/^\| +Offloading status: +Unhealthy +\|$/m);
    expect(info).toMatch(/^\| +Alert: +Offloading: lost: \S/m);
    expect(await virtualNode('lost')).toBeDefined();
  });

  test('Ctrl-C says what is left', async () => {
    const stop = new AbortController();
    const args = ['create', 'vn', 'half', ...toMilan, 'dead-end'];
    const env = { KUBECONFIG: world.rome.kubeconfig };
    const running = runHere(args, { env, signal: stop.signal });
    await eventually(async () => expect(await virtualNode('half')).toBeDefined());
    stop.abort(new Interruption(130));
    const { code, stdout, stderr } = await running;
    expect({ code, stdout }).toEqual({ code: 130, stdout: '' });
    expect(stderr).toMatch(
      /✖ Interrupted while .*: VirtualNode "half" (is there|may have been created)/,
    );
    expect(stderr).toContain('remove it with liqoctl delete virtualnode half');
  });

  test('Ctrl-C before anything was written says so', async () => {
    const stop = new AbortController();
    stop.abort(new Interruption(130));
    const env = { KUBECONFIG: world.rome.kubeconfig };
    const { code, stderr } = await runHere(['info'], { env, signal: stop.signal });
    expect({ code, stderr }).toEqual({
      code: 130,
      stderr: '✖ Interrupted: nothing was changed\n  Run it again to do it\n',
    });
  });

  test('delete virtualnode --no-wait and --dry-run do as they say', async () => {
    const dry = await world.liqoctl('delete', 'vn', 'half', '--dry-run');
    expect(dry.stderr).toMatch(/^✔ VirtualNode "half" would be deleted/);
    expect((await virtualNode('half'))?.metadata?.deletionTimestamp).toBeUndefined();
    const { code, stderr } = await world.liqoctl('delete', 'vn', 'half', '--no-wait');
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: expect.stringMatching(/is marked for deletion \(.*\n$/),
    });
    await eventually(async () => expect(await virtualNode('half')).toBeUndefined(), {
      timeoutMs: 30_000,
    });
  });

  test('delete virtualnode takes several names, and waits until they are gone', async () => {
    const names = ['lost', 'mynode'];
    const both = await world.liqoctl('get', 'virtualnode', ...names, '-A', '-o', 'name');
    const lines = names.map((name) => `virtualnode.offloading.liqo.io/${name}\n`);
    expect(both).toEqual({ code: 0, stdout: lines.join(''), stderr: '' });
    const questions: string[] = [];
    const ask = async (question: string) => {
      questions.push(question);
      return 'y';
    };
    const env = { KUBECONFIG: world.rome.kubeconfig };
    const { code, stderr } = await runHere(['delete', 'virtualnode', ...names], { env, ask });
    expect(questions).toEqual(['The pods on "lost", "mynode" will be evicted. Go on? [y/N] ']);
    expect({ code, stderr }).toMatchObject({ code: 0 });
    for (const name of names) {
      expect(stderr).toContain(`✔ VirtualNode "${name}" is gone`);
      expect(await virtualNode(name)).toBeUndefined();
      expect(await world.rome.client.get(Node, { name })).toBeUndefined();
    }
  }, 120_000);

  test('create virtualnode uses a ResourceSlice that the provider has accepted', async () => {
    const { client } = world.rome;
    // No peer, so that nothing else decides about the slice.
    const namespace = 'liqo-tenant-paris';
    const labels = { 'liqo.io/remote-cluster-id': 'paris', 'liqo.io/tenant-namespace': 'true' };
    await client.create(Namespace, { metadata: { name: namespace, labels } });
    const key = { name: 'mypool', namespace };
    await client.create(ResourceSlice, {
      metadata: key,
      spec: { providerClusterID: 'paris' },
    });
    const args = [
      'create',
      'vn',
      'a',
      '--remote-cluster-id',
      'paris',
      '--resource-slice-name',
      'mypool',
      '-o',
      'yaml',
    ];
    const early = await world.liqoctl(...args);
    expect(early).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('has not accepted it'),
    });
    const status = {
      conditions: [
        { type: 'Authentication', status: 'Accepted' },
        { type: 'Resources', status: 'Accepted' },
      ],
      resources: { cpu: '2', memory: '4Gi', pods: '10', 'ephemeral-storage': '20Gi' },
    };
    const granted = mergePatch({ status });
    await client.patch(ResourceSlice, key, granted, { subresource: 'status' });
    const { code, stdout } = await world.liqoctl(...args, '--cpu', '1');
    expect(code).toBe(0);
    expect(load(stdout)).toMatchObject({
      spec: {
        kubeconfigSecretRef: { name: 'kubeconfig-resourceslice-mypool' },
        resourceQuota: {
          hard: { cpu: '1', memory: '4Gi', pods: '10', 'ephemeral-storage': '20Gi' },
        },
      },
    });
  });

  test('info shows peers by their ForeignCluster', async () => {
    await world.rome.client.create(ForeignCluster, {
      metadata: { name: 'turin' },
      spec: { clusterID: 'turin' },
    });
    const { stdout } = await world.liqoctl('info', '--get', 'peerings.peers', '-o', 'json');
    const milan = { clusterID: 'milan', role: 'Provider', offloadingStatus: 'Disabled' };
    const turin = { clusterID: 'turin', role: 'Unknown' };
    const peers = [milan, turin].map((peer) => expect.objectContaining(peer));
    expect(JSON.parse(stdout)).toEqual(expect.arrayContaining(peers));
  });

  test('says that nothing acts on an object once the controller-manager is uninstalled', async () => {
    const { client } = world.rome;
    const args = ['create', 'vn', 'orphan', ...toMilan, 'way-to-milan'];
    expect(await world.liqoctl(...args)).toMatchObject({ code: 0 });
    const manager = { namespace: 'liqo', name: 'liqo-controller-manager' };
    const controllers = 'app.kubernetes.io/name=controller-manager';
    await client.patch(Deployment, manager, mergePatch({ spec: { replicas: 0 } }));
    await eventually(async () => {
      const { items } = await client.list(Pod, { namespace: 'liqo', labelSelector: controllers });
      expect(items).toEqual([]);
      expect((await client.get(Deployment, manager))?.status?.readyReplicas ?? 0).toBe(0);
    });
    const stalled = await world.liqoctl('delete', 'vn', 'orphan', '--timeout', '1s');
    expect(stalled).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(
        'no pod of the Deployment "liqo-controller-manager" is ready',
      ),
    });
    await client.delete(Deployment, manager);
    for (const noWait of [[], ['--no-wait']]) {
      const { code, stderr } = await world.liqoctl('delete', 'vn', 'orphan', ...noWait);
      expect(code).toBe(noWait.length === 0 ? 1 : 0);
      expect(stderr).toMatch(/^✔ VirtualNode "orphan" is marked for deletion/);
      expect(stderr).toMatch(
        /there is no Deployment "liqo-controller-manager" in this cluster(\. |\n {2})Install Liqo again .*own-clusters\.md/,
      );
      expect(stderr).not.toContain('It goes on without liqoctl');
    }
    expect((await virtualNode('orphan'))?.metadata?.deletionTimestamp).toBeDefined();
    const offload = await world.liqoctl('offload', 'ns', 'lonely');
    expect(offload).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('there is no Deployment "liqo-controller-manager"'),
    });
  }, 120_000);

  test('__complete offers the names of what is there, and nothing when it cannot', async () => {
    const namespaces = await world.liqoctl('__complete', 'offload', 'ns', 'sh');
    expect(namespaces).toEqual({ code: 0, stdout: 'shop\n', stderr: '' });
    const contexts = await world.liqoctl('__complete', 'info', '--context', '');
    expect(contexts.stdout).toMatch(/rome/);
    const lost = await runHere(['__complete', 'get', 'vn', '']);
    expect(lost).toEqual({ code: 0, stdout: '', stderr: '' });
  });
});
