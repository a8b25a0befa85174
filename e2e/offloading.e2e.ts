import { CertificateSigningRequest } from '@liqo/kube';
import { createKubeconfig, startWorld, type World } from '@liqo/playground';
import { realKubernetes } from '@liqo/playground/real';
import { systemClock } from '@liqo/runtime';
import { eventually } from '@liqo/testkit';
import type { Link, RealCluster } from '@liqo/testkit/real-cluster';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  TakeDownWatch,
  takeDownOrder,
} from '../packages/playground/src/testing/watch-take-down.ts';
import { installChart } from './install/install-chart.ts';
import { startPortForward } from './kubectl/port-forward.ts';
import { runKubectl } from './kubectl/run-kubectl.ts';
import {
  offloadedDeployment,
  offloading,
  toolsPod,
  virtualNode,
} from './offloading/seed-manifests.ts';
import { accessTo, kubectl } from './real-nodes/kubectl.ts';
import { shellImage } from './real-nodes/test-images.ts';

const timeoutMs = 120_000;
const patience = { timeoutMs: 60_000, intervalMs: 200 };

describe('the seed’s virtual node, on real clusters with real nodes', () => {
  let world: World<RealCluster>;
  let rome: RealCluster;
  let milan: RealCluster;
  let link: Link;
  const atRome = (line: string, input?: string) => kubectl(rome, line, input);
  const inShop = (line: string) => atRome(`-n shop ${line}`);
  const remotely = (line: string) => kubectl(milan, `-n shop-rome ${line}`);

  beforeAll(async () => {
    const kubernetes = realKubernetes({ clock: systemClock, install: installChart });
    world = await startWorld({ kubernetes, consumer: 'rome', providers: ['milan'], byHand: true });
    [rome, milan] = [world.cluster('rome'), world.cluster('milan')];
    link = kubernetes.linkBetween(rome, milan);
    const credentials = { name: 'kubeconfig-resourceslice-mypool', user: 'mypool-rome' };
    await createKubeconfig(rome, milan, credentials);
  }, 240_000);

  afterAll(() => world?.[Symbol.asyncDispose](), timeoutMs);

  async function firstPod(): Promise<string> {
    return (await inShop('get pods -o name')).split('\n')[0] ?? '';
  }

  function providerStatus(): Promise<string> {
    const path = '{.status.conditions[?(@.type=="Provider")].status}';
    return atRome(`-n liqo-tenant-milan get virtualnode mynode -o jsonpath=${path}`);
  }

  /** Changes with every write to what is there of the pods at the provider. */
  function remoteVersions(): Promise<string> {
    return remotely('get pods,shadowpods -o jsonpath={.items[*].metadata.resourceVersion}');
  }

  /** The types of the conditions of each request for a serving certificate that a virtual kubelet has made. */
  async function answersToVirtualKubelets(): Promise<readonly (readonly string[])[]> {
    const { items } = await rome.client.list(CertificateSigningRequest);
    const own = items.filter(({ spec }) =>
      spec.username?.startsWith('system:serviceaccount:liqo-tenant-milan:'),
    );
    return own.map(({ status }) => status?.conditions?.map(({ type }) => type) ?? []);
  }

  test(
    'kubectl get node lists it as a ready agent of the API server’s version',
    async () => {
      await atRome('apply -f -', JSON.stringify(virtualNode));
      await atRome('wait node/mynode --for=create --timeout=60s');
      await atRome('wait node/mynode --for=condition=Ready --timeout=60s');
      const row = await atRome('get node mynode --no-headers');
      expect(row.split(/\s+/)).toEqual(['mynode', 'Ready', 'agent', expect.anything(), 'v1.35.4']);
      await eventually(async () => {
        const said = await atRome('get virtualnode -A -o wide --no-headers');
        expect(said).toMatch(/Running\s+Running$/);
        expect(await providerStatus()).toBe('Running');
      }, patience);
    },
    timeoutMs,
  );

  test(
    'a Deployment of three that tolerates it runs over there',
    async () => {
      await atRome('create namespace shop');
      await atRome('-n shop wait serviceaccount/default --for=create --timeout=20s');
      await atRome('apply -f -', JSON.stringify(offloading));
      await atRome(
        '-n shop wait namespaceoffloading/offloading --for=jsonpath={.status.offloadingPhase}=Ready --timeout=60s',
      );
      await atRome('apply -f -', JSON.stringify(offloadedDeployment(3)));
      await inShop('rollout status deployment/web --timeout=60s');
      const names = await inShop('get pods -o name');
      expect(await remotely('get pods --field-selector=status.phase=Running -o name')).toBe(names);
      expect(await inShop('get pods -o jsonpath={.items[*].spec.nodeName}')).toBe(
        'mynode mynode mynode',
      );
      const addresses = 'get pods -o jsonpath={.items[*].status.podIP}';
      expect(await inShop(addresses)).toBe(await remotely(addresses));
    },
    timeoutMs,
  );

  test(
    'the first request for a log is answered at once, with a certificate of the cluster',
    async () => {
      const name = (await firstPod()).replace('pod/', '');
      const path = `/api/v1/namespaces/shop/pods/${name}/log`;
      const startedMs = systemClock.monotonicMs();
      const log = await rome.client.raw({ method: 'GET', path });
      expect(await log.text()).toContain('started');
      expect(systemClock.monotonicMs() - startedMs).toBeLessThan(2_000);
      expect(await answersToVirtualKubelets()).toEqual([['Approved']]);
    },
    timeoutMs,
  );

  test(
    'logs, exec and port-forward reach the containers through the consumer',
    async () => {
      const pod = await firstPod();
      expect(await inShop(`logs ${pod}`)).toContain('started');
      expect(await inShop(`exec ${pod} -- hostname`)).toBe(pod.replace('pod/', ''));
      await using forward = await startPortForward(accessTo(rome), `-n shop ${pod}`, 8080);
      const answer = await fetch(`http://127.0.0.1:${forward.port}/`);
      expect((await answer.text()).trim()).toBe(pod.replace('pod/', ''));
    },
    timeoutMs,
  );

  test(
    'exec carries input, output, errors and exit codes as they are',
    async () => {
      const access = accessTo(rome);
      const pod = await firstPod();
      const bytes = 'x'.repeat(5_000_000);
      const cat = await runKubectl(access, `-n shop exec -i ${pod} -- cat`, bytes);
      expect(cat).toMatchObject({ code: 0, stdout: bytes });
      const failing = await runKubectl(access, `-n shop exec ${pod} -- ls /nowhere`);
      expect(failing).toMatchObject({ code: 1, stdout: '' });
      expect(failing.stderr).toContain('/nowhere');
    },
    timeoutMs,
  );

  const sized = (name: string, cpu: string) => [{ name, resources: { requests: { cpu } } }];

  /** What the pod `tools` of the consumer shows of a list of statuses. */
  async function toolStatuses(list: string): Promise<unknown> {
    const said = await inShop(`get pod tools -o jsonpath={.status.${list}}`);
    return JSON.parse(said || '[]');
  }

  test(
    'a ShadowPod shows that its pod runs within seconds',
    async () => {
      await atRome('apply -f -', JSON.stringify(toolsPod));
      await inShop('wait pod/tools --for=condition=Ready --timeout=60s');
      const running = '--for=jsonpath={.status.phase}=Running --timeout=10s';
      await remotely(`wait shadowpod/tools ${running}`);
    },
    timeoutMs,
  );

  test(
    'a resize reaches the containers and sidecars at the provider, and its result the consumer',
    async () => {
      const spec = { containers: sized('web', '20m'), initContainers: sized('proxy', '30m') };
      const patch = JSON.stringify({ spec });
      await inShop(`patch pod tools --subresource=resize --type=strategic -p ${patch}`);
      await eventually(async () => {
        const amounts = (cpu: string) => ({
          restartCount: 0,
          allocatedResources: { cpu },
          resources: { requests: { cpu } },
        });
        expect(await toolStatuses('containerStatuses')).toMatchObject([amounts('20m')]);
        expect(await toolStatuses('initContainerStatuses')).toMatchObject([amounts('30m')]);
        const generations =
          'get pod tools -o jsonpath={.metadata.generation}={.status.observedGeneration}';
        const [generation, observed] = (await inShop(generations)).split('=');
        expect(observed).toBe(generation);
      }, patience);
    },
    timeoutMs,
  );

  test(
    'kubectl debug attaches to a container that is added to the pod at the provider',
    async () => {
      const debug = `debug tools --image=${shellImage} --image-pull-policy=Never --target=web`;
      const echoed = await runKubectl(
        accessTo(rome),
        `-n shop ${debug} -i -q --profile=baseline -c echo -- cat`,
        'hello provider\n',
      );
      expect(echoed).toMatchObject({ code: 0 });
      // kubectl may detach at the end of the input, before the answer; so it does at the provider itself. The log has it.
      await eventually(async () => {
        expect(await inShop('logs tools -c echo')).toBe('hello provider');
        expect(await toolStatuses('ephemeralContainerStatuses')).toMatchObject([{ name: 'echo' }]);
      }, patience);
      await inShop(`${debug} --profile=sysadmin -c root -- sleep 60`);
      await eventually(async () => {
        const waiting = {
          reason: 'FailedUpdatePod',
          message: expect.stringContaining('violates PodSecurity "baseline'),
        };
        const root = expect.objectContaining({ name: 'root', state: { waiting } });
        const statuses = await toolStatuses('ephemeralContainerStatuses');
        expect(statuses).toEqual(expect.arrayContaining([root]));
      }, patience);
    },
    timeoutMs,
  );

  test(
    'a pod that was changed is deleted on both sides',
    async () => {
      await inShop('delete pod tools --timeout=60s');
      await remotely('wait shadowpod/tools --for=delete --timeout=60s');
    },
    timeoutMs,
  );

  test(
    'scaling and a rolling update reach the provider',
    async () => {
      await inShop('scale deployment/web --replicas=5');
      await inShop('rollout status deployment/web --timeout=60s');
      expect((await remotely('get pods -o name')).split('\n')).toHaveLength(5);
      await atRome('apply -f -', JSON.stringify(offloadedDeployment(3, '2')));
      await inShop('rollout status deployment/web --timeout=60s');
      await eventually(async () => {
        const versions = await remotely(
          'get pods -o jsonpath={.items[*].spec.containers[0].env[0].value}',
        );
        expect(versions).toBe('2 2 2');
        expect((await inShop('get pods -o name')).split('\n')).toHaveLength(3);
      }, patience);
    },
    timeoutMs,
  );

  test(
    'a pod that is deleted over there comes back there, and is the same pod here',
    async () => {
      const pod = await firstPod();
      const uid = `get ${pod} -o jsonpath={.metadata.uid}`;
      const [here, there] = [await inShop(uid), await remotely(uid)];
      await remotely(`delete ${pod}`);
      await eventually(async () => {
        expect(await remotely(uid)).not.toBe(there);
        expect(await inShop(`get ${pod} -o jsonpath={.status.containerStatuses[0].ready}`)).toBe(
          'true',
        );
      }, patience);
      expect(await inShop(uid)).toBe(here);
    },
    timeoutMs,
  );

  test(
    'at rest nothing is written but its Lease, seldom',
    async () => {
      // The last write about a pod.
      await remotely('wait shadowpods --all --for=jsonpath={.status.phase}=Running --timeout=60s');
      const versions = 'get pods -o jsonpath={.items[*].metadata.resourceVersion}';
      const before = [await inShop(versions), await remoteVersions()];
      const watching = '-n kube-node-lease get lease mynode -w --no-headers --request-timeout=30s';
      const { stdout } = await runKubectl(accessTo(rome), watching);
      const renewals = stdout.trim().split('\n').length - 1;
      expect(renewals).toBeGreaterThan(0);
      expect(renewals).toBeLessThanOrEqual(4);
      expect([await inShop(versions), await remoteVersions()]).toEqual(before);
    },
    timeoutMs,
  );

  test(
    'a virtual kubelet that is replaced writes nothing over there, and its node stays ready',
    async () => {
      const readySince =
        'get node mynode -o jsonpath={.status.conditions[?(@.type=="Ready")].lastTransitionTime}';
      const before = [await atRome(readySince), await remoteVersions()];
      await atRome('-n liqo-tenant-milan rollout restart deployment/vk-mynode');
      await atRome('-n liqo-tenant-milan rollout status deployment/vk-mynode --timeout=60s');
      const pod = await firstPod();
      await eventually(async () => expect(await inShop(`exec ${pod} -- true`)).toBe(''), patience);
      expect(await answersToVirtualKubelets()).toEqual([['Approved'], ['Approved']]);
      expect([await atRome(readySince), await remoteVersions()]).toEqual(before);
    },
    timeoutMs,
  );

  test('a cut link makes the node not ready and no pod fail; restored, everything is as before', async () => {
    const uids = 'get pods -o jsonpath={.items[*].metadata.uid}';
    const [here, there] = [await inShop(uids), await remotely(uids)];
    await link.cut();
    await atRome('wait node/mynode --for=condition=Ready=false --timeout=90s');
    expect(await inShop('get pods -o jsonpath={.items[*].status.phase}')).toBe(
      'Running Running Running',
    );
    await link.restore();
    await atRome('wait node/mynode --for=condition=Ready --timeout=60s');
    await inShop('wait pods --all --for=condition=Ready --timeout=60s');
    expect(await inShop(uids)).toBe(here);
    expect(await remotely(uids)).toBe(there);
  }, 240_000);

  test(
    'kubectl drain empties it, on both sides',
    async () => {
      await atRome('drain mynode --ignore-daemonsets --delete-emptydir-data --timeout=60s');
      expect(await atRome('get pods -A --field-selector=spec.nodeName=mynode -o name')).toBe('');
      expect(await remotely('get pods,shadowpods -o name')).toBe('');
      await atRome('uncordon mynode');
      await inShop('rollout status deployment/web --timeout=60s');
    },
    timeoutMs,
  );

  test(
    'deleting the VirtualNode takes it down in order, and leaves nothing in either cluster',
    async () => {
      await using watch = new TakeDownWatch(rome.client);
      await atRome('-n liqo-tenant-milan delete virtualnode mynode --timeout=90s');
      await eventually(() => expect(watch.steps).toEqual(takeDownOrder), patience);
      expect(await atRome('get nodes -o name')).toBe('node/rome-node-1');
      expect(
        await atRome(
          '-n liqo-tenant-milan get deployments,serviceaccounts,roles,rolebindings -l liqo.io/virtual-node=mynode -o name',
        ),
      ).toBe('');
      expect(
        await atRome(
          '-n kube-node-lease get leases,roles,rolebindings -l liqo.io/virtual-node=mynode -o name',
        ),
      ).toBe('');
      expect(await atRome('get clusterrolebindings -l liqo.io/virtual-node=mynode -o name')).toBe(
        '',
      );
      expect(await kubectl(milan, 'get shadowpods -A -o name')).toBe('');
      await eventually(async () => {
        expect(await kubectl(milan, 'get namespaces -o name')).not.toContain('shop-rome');
      }, patience);
    },
    timeoutMs,
  );
});
