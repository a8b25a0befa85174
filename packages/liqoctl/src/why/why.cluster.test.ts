import { NamespaceOffloading, ResourceSlice, VirtualNode, virtualNodeToleration } from '@liqo/api';
import { Deployment, mergePatch, Namespace, Node, Pod, Secret } from '@liqo/kube';
import type { Minicluster } from '@liqo/minicluster';
import { embeddedKubernetes, startWorld, type World } from '@liqo/playground';
import { systemClock, systemRandom } from '@liqo/runtime';
import { eventually } from '@liqo/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Interruption } from '../surroundings.ts';
import { runHere } from '../testing/run-here.ts';

const patient = { timeoutMs: 30_000 };
const tenant = 'liqo-tenant-milan';

describe('liqoctl why', () => {
  let world: World<Minicluster>;
  let rome: Minicluster;
  let milan: Minicluster;

  beforeAll(async () => {
    const kubernetes = await embeddedKubernetes({ clock: systemClock, random: systemRandom });
    world = await startWorld({
      kubernetes,
      consumer: 'rome',
      providers: ['milan'],
      virtualNodes: [{ name: 'mypool', provider: 'milan', capacity: { cpu: '2', memory: '4Gi' } }],
      offloaded: ['shop'],
    });
    [rome, milan] = [world.cluster('rome'), world.cluster('milan')];
  }, 120_000);

  afterAll(() => world[Symbol.asyncDispose]());

  function liqoctl(line: string) {
    return runHere(line.split(' '), { env: { KUBECONFIG: rome.kubeconfig } });
  }

  async function causeOf(object: string) {
    const { stdout, stderr } = await liqoctl(`why ${object} -o json`);
    expect(stderr).toBe('');
    return JSON.parse(stdout).cause;
  }

  /** Objects reach the state that the cause is about in a moment. */
  function expectCause(object: string, cause: object): Promise<void> {
    return eventually(async () => expect(await causeOf(object)).toMatchObject(cause), patient);
  }

  async function createPod(name: string, spec: object = {}, namespace = 'shop'): Promise<void> {
    const requests = { cpu: '1', memory: '1Gi' };
    await rome.client.create(Pod, {
      metadata: { name, namespace },
      spec: { containers: [{ name: 'main', image: 'app', resources: { requests } }], ...spec },
    });
  }

  const tolerations = [{ ...virtualNodeToleration }];
  const onVirtualNode = { nodeSelector: { 'liqo.io/type': 'virtual-node' }, tolerations };

  test('finds nothing wrong with a pod that runs, nor with what it depends on', async () => {
    await createPod('web', onVirtualNode);
    await expectCauseAbsent('pod/web -n shop');
    for (const object of ['ns/shop', 'node/mypool', 'vn/mypool', 'rs/mypool', 'peer/milan']) {
      expect(await causeOf(object)).toBeUndefined();
    }
    const { code, stdout } = await liqoctl('why pod/web -n shop');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^✔ pod +Pod "web" in "shop"\n✔ namespace +Namespace "shop"\n/);
    expect(stdout).toMatch(/\nEverything it depends on is in order\n$/);
  });

  function expectCauseAbsent(object: string): Promise<void> {
    return eventually(async () => expect(await causeOf(object)).toBeUndefined(), patient);
  }

  test('test offloading runs a pod on each virtual node, and removes it again', async () => {
    const { code, stdout, stderr } = await liqoctl('test offloading');
    expect({ code, stdout, stderr }).toMatchObject({ code: 0, stdout: '' });
    expect(stderr).toMatch(/✔ A pod runs on "mypool" \(.* s\)\n/);
    expect(stderr).toMatch(/Offloading works on 1 virtual node\n$/);
    for (const cluster of [rome, milan]) {
      const { items } = await cluster.client.list(Namespace);
      expect(items.filter(({ metadata }) => metadata.name.startsWith('liqo-test-'))).toEqual([]);
    }
    expect(await liqoctl('test offloading none')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('there is no virtual node "none" with a Node'),
    });
  }, 60_000);

  async function expectNoTestNamespaces(): Promise<void> {
    await eventually(async () => {
      for (const cluster of [rome, milan]) {
        const { items } = await cluster.client.list(Namespace);
        const names = items.map(({ metadata }) => metadata.name);
        expect(names.filter((name) => name.startsWith('liqo-test-'))).toEqual([]);
      }
    }, patient);
  }

  test('test offloading removes everything after a failure too, and tells the failure', async () => {
    const key = { name: 'mypool' };
    await rome.client.patch(Node, key, mergePatch({ spec: { unschedulable: true } }));
    const { code, stderr } = await liqoctl('test offloading --timeout 20s');
    await rome.client.patch(Node, key, mergePatch({ spec: { unschedulable: null } }));
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /✔ Namespace "liqo-test-\w+" is gone .*\n✖ Cannot wait for a pod on "mypool"/,
    );
    expect(stderr).toContain('spec.unschedulable is true');
    await expectNoTestNamespaces();
  }, 120_000);

  test('test offloading removes everything after Ctrl-C too', async () => {
    const stop = new AbortController();
    const env = { KUBECONFIG: rome.kubeconfig };
    const running = runHere(['test', 'offloading'], { env, signal: stop.signal });
    await eventually(async () => {
      const { items } = await rome.client.list(Namespace);
      expect(items.some(({ metadata }) => metadata.name.startsWith('liqo-test-'))).toBe(true);
    }, patient);
    stop.abort(new Interruption(130));
    const { code, stderr } = await running;
    expect(code).toBe(130);
    expect(stderr).toMatch(
      /: the namespace "liqo-test-\w+" is being deleted\n {2}See that it is gone: /,
    );
    await expectNoTestNamespaces();
  }, 120_000);

  test('doctor is content with a cluster in which all is in order', async () => {
    const { code, stdout } = await liqoctl('doctor');
    expect({ code, stdout }).toMatchObject({ code: 0 });
    expect(stdout).toMatch(/^✔ Kubernetes v1\.\d+/);
    for (const what of ['foreigncluster/milan', 'resourceslice/mypool', 'namespace/shop']) {
      expect(stdout).toContain(`✔ ${what}\n`);
    }
  });

  test('names a Quota that is full', async () => {
    await createPod('second', onVirtualNode);
    await expectCauseAbsent('pod/second -n shop');
    // Bound by hand: the scheduler knows what the Node has.
    await createPod('third', { nodeName: 'mypool', tolerations });
    await expectCause('pod/third -n shop', {
      link: 'quota',
      reason: 'QuotaExceeded',
      evidence: expect.stringContaining('cpu 2 of 2 in use (1 requested)'),
    });
    await createPod('fourth', onVirtualNode);
    await expectCause('pod/fourth -n shop', {
      link: 'pod',
      reason: 'Unschedulable',
      evidence: expect.stringContaining('Insufficient cpu'),
    });
    for (const name of ['second', 'third', 'fourth']) {
      await rome.client.delete(Pod, { namespace: 'shop', name });
    }
  });

  test('names a namespace that is not offloaded, with the command that offloads it', async () => {
    await rome.client.create(Namespace, { metadata: { name: 'lab' } });
    await createPod('web', onVirtualNode, 'lab');
    await createPod('early', {}, 'lab');
    await expectCause('pod/web -n lab', {
      link: 'namespace',
      reason: 'NamespaceNotOffloaded',
      remedy: { at: 'consumer', command: 'liqoctl offload namespace lab' },
    });
    await liqoctl('offload namespace lab');
    await expectCauseAbsent('pod/web -n lab');
    await expectCause('pod/early -n lab', { link: 'pod', reason: 'NoToleration' });
    await rome.client.delete(Pod, { namespace: 'lab', name: 'web' });
  });

  test('names a selector that selects no virtual node', async () => {
    const offloading = { podOffloadingStrategy: 'Remote', namespaceMappingStrategy: 'DefaultName' };
    await rome.client.create(Namespace, { metadata: { name: 'mill' } });
    const matchExpressions = [{ key: 'region', operator: 'In', values: ['mars'] }];
    await rome.client.create(NamespaceOffloading, {
      metadata: { name: 'offloading', namespace: 'mill' },
      spec: { ...offloading, clusterSelector: { nodeSelectorTerms: [{ matchExpressions }] } },
    } as NamespaceOffloading);
    await createPod('web', {}, 'mill');
    await expectCause('pod/web -n mill', { link: 'namespace', reason: 'NoClusterSelected' });
  });

  test('names a name that is taken at the provider', async () => {
    await milan.client.create(Namespace, { metadata: { name: 'mart-rome' } });
    await rome.client.create(Namespace, { metadata: { name: 'mart' } });
    await liqoctl('offload namespace mart --timeout 1s');
    await expectCause('namespace/mart', {
      link: 'namespace',
      reason: 'NamespaceTaken',
      evidence: expect.stringContaining('the provider "milan" does not have it'),
    });
  });

  test('names a cordon of an administrator, and a taint', async () => {
    const key = { name: 'mypool' };
    await rome.client.patch(Node, key, mergePatch({ spec: { unschedulable: true } }));
    await createPod('fifth', onVirtualNode);
    await expectCause('pod/fifth -n shop', {
      link: 'node',
      reason: 'NodeCordoned',
      remedy: { at: 'consumer', command: 'kubectl uncordon mypool' },
    });
    await rome.client.patch(Node, key, mergePatch({ spec: { unschedulable: null } }));
    const inTenant = { namespace: tenant, name: 'mypool' };
    const taints = [{ key: 'gpu', value: 'yes', effect: 'NoSchedule' }];
    await rome.client.patch(VirtualNode, inTenant, mergePatch({ spec: { taints } }));
    await eventually(async () => {
      expect((await rome.client.get(Node, key))?.spec?.taints).toHaveLength(2);
    }, patient);
    await createPod('sixth', onVirtualNode);
    await expectCause('pod/sixth -n shop', {
      link: 'node',
      reason: 'TaintNotTolerated',
      remedy: { at: 'consumer', command: `kubectl edit virtualnode mypool -n ${tenant}` },
    });
    await rome.client.patch(VirtualNode, inTenant, mergePatch({ spec: { taints: null } }));
    for (const name of ['fifth', 'sixth']) {
      await rome.client.delete(Pod, { namespace: 'shop', name });
    }
  });

  test('names a class of slices that has no controller', async () => {
    await liqoctl('create resourceslice golden --remote-cluster-id milan --class gold');
    await expectCause('resourceslice/golden', {
      link: 'slice',
      reason: 'SliceUndecided',
      evidence: expect.stringContaining('its class is "gold"'),
      remedy: { at: 'provider' },
    });
  });

  test('names a slice that the provider has cordoned', async () => {
    const key = { namespace: 'liqo-tenant-rome', name: 'mypool' };
    const cordon = (value: string | null) =>
      milan.client.patch(
        ResourceSlice,
        key,
        mergePatch({ metadata: { annotations: { 'liqo.io/cordon': value } } }),
      );
    await cordon('true');
    await createPod('seventh', { nodeName: 'mypool', tolerations });
    await expectCause('pod/seventh -n shop', {
      remedy: {
        at: 'provider',
        command: 'liqoctl uncordon resourceslice mypool --remote-cluster-id rome',
      },
    });
    await cordon(null);
    await rome.client.delete(Pod, { namespace: 'shop', name: 'seventh' });
  });

  test('names a Secret that is gone', async () => {
    const key = { namespace: tenant, name: 'kubeconfig-nowhere' };
    await rome.client.create(VirtualNode, {
      metadata: { name: 'lost', namespace: tenant },
      spec: {
        clusterID: 'milan',
        kubeconfigSecretRef: { name: key.name },
        resourceQuota: { hard: { cpu: '1', memory: '1Gi' } },
      },
    });
    await expectCause('node/lost', { link: 'identity', reason: 'NoKubeconfig' });
    expect(await rome.client.get(Secret, key)).toBeUndefined();
    await rome.client.delete(VirtualNode, { namespace: tenant, name: 'lost' });
  });

  test('names the controllers of this cluster when a slice waits for them', async () => {
    const key = { namespace: 'liqo', name: 'liqo-controller-manager' };
    const scale = (replicas: number) =>
      rome.client.patch(Deployment, key, mergePatch({ spec: { replicas } }));
    await scale(0);
    await eventually(async () => {
      expect((await rome.client.get(Deployment, key))?.status?.readyReplicas ?? 0).toBe(0);
    }, patient);
    await rome.client.create(ResourceSlice, {
      metadata: { name: 'late', namespace: tenant },
      spec: { providerClusterID: 'milan' },
    });
    await expectCause('rs/late', { link: 'controllers', reason: 'ControllersNotRunning' });
    await scale(1);
  });

  test('names the provider when it is gone, whatever is asked about', async () => {
    await milan[Symbol.asyncDispose]();
    for (const object of ['pod/web -n shop', 'node/mypool', 'peer/milan']) {
      await expectCause(object, { link: 'API server' });
    }
    const examined = await liqoctl('doctor -o json');
    expect(examined).toMatchObject({ code: 1, stderr: expect.stringContaining('not in order') });
    expect(JSON.parse(examined.stdout)).toMatchObject({ healthy: false });
    const { stdout } = await liqoctl('why node/mypool');
    expect(stdout).toMatch(/\nCause: https:.* \(\w+\)\nFix: kubectl get --raw \/readyz -s https:/);
  }, 120_000);

  test.each([
    ['why', 2, /it needs a KIND\/NAME/],
    ['why web', 2, /"web" is not of the form KIND\/NAME, such as "pod\/web"/],
    ['why podd/web', 2, /it knows nothing of the kind "podd" \(did you mean "pod"\?\)/],
    ['why pod/web/x', 2, /is not of the form/],
    ['why pod/none', 1, /there is no pod of that name in the namespace "default"/],
    ['why node/none', 1, /there is no virtual node of that name/],
    ['why rs/none', 1, /there is no resourceslice of that name/],
    ['why peer/none', 1, /there is no foreigncluster of that name/],
  ])('liqoctl %s ends with %d and says why', async (line, code, message) => {
    const outcome = await liqoctl(line);
    expect(outcome).toMatchObject({ code, stdout: '', stderr: expect.stringMatching(message) });
  });
});
