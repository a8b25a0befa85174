import { spawn } from 'node:child_process';
import { createPublicKey, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Identity, Quota, ResourceSlice, Tenant } from '@liqo/api';
import { findCondition, Namespace, Pod, Secret } from '@liqo/kube';
import { startWorld } from '@liqo/playground';
import { realKubernetes } from '@liqo/playground/real';
import { systemClock } from '@liqo/runtime';
import { eventually } from '@liqo/testkit';
import type { RealCluster } from '@liqo/testkit/real-cluster';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listLeftovers } from '../packages/liqoctl/src/testing/leftovers.ts';
import { installChart } from './install/install-chart.ts';
import { runLiqoctlHere } from './install/run-liqoctl-here.ts';
import { environmentOf } from './kubectl/run-kubectl.ts';
import { offloading } from './offloading/seed-manifests.ts';
import { accessTo, kubectl } from './real-nodes/kubectl.ts';
import { containerOf } from './real-nodes/workloads.ts';
import { Vigil } from './virtual-node/vigil.ts';

const patience = { timeoutMs: 120_000, intervalMs: 200 };
const atRome = 'liqo-tenant-milan';
const atMilan = 'liqo-tenant-rome';
const settings = ['authentication.tlsCompatibilityMode=true'];

/** Where one stage of the life of a peering ends, the next one begins. */
describe('a peering of real clusters with RSA keys', () => {
  let world: Awaited<ReturnType<typeof start>>;
  let rome: RealCluster;
  let milan: RealCluster;
  /** Which the administrator of milan has given to that of rome. */
  let peeringUser = '';

  function start() {
    return startWorld({
      kubernetes: realKubernetes({
        clock: systemClock,
        install: (cluster, { consumer } = {}) => installChart(cluster, { consumer, settings }),
      }),
      consumer: 'rome',
      providers: ['milan'],
      unpeered: true,
    });
  }

  beforeAll(async () => {
    world = await start();
    [rome, milan] = [world.cluster('rome'), world.cluster('milan')];
  });
  afterAll(() => world?.[Symbol.asyncDispose]());

  async function liqoctl(cluster: RealCluster, line: string): Promise<string> {
    const { code, stdout, stderr } = await runLiqoctlHere(line.split(' '), cluster.kubeconfig);
    if (code !== 0) throw new Error(stderr);
    return stdout;
  }

  const inShop = (line: string) => kubectl(rome, `-n shop ${line}`);

  async function certificateOf(name: string): Promise<string> {
    const identity = await rome.client.get(Identity, { namespace: atRome, name });
    expect(findCondition(identity?.status?.conditions, 'Ready')?.status).toBe('True');
    return Buffer.from(identity?.spec.authParams?.signedCRT ?? '', 'base64').toString();
  }

  const identities = ['controlplane-milan', 'resourceslice-milan'];
  const certificates = () => Promise.all(identities.map(certificateOf));

  async function atProvider() {
    const { client } = milan;
    const [slices, quotas, pods, namespace] = await Promise.all([
      client.list(ResourceSlice),
      client.list(Quota),
      client.list(Pod, { namespace: 'shop-rome' }),
      client.get(Namespace, { name: 'shop-rome' }),
    ]);
    const counts = [slices, quotas, pods].map(({ items }) => items.length);
    return [...counts, namespace ? 1 : 0];
  }

  async function own() {
    const slice = await rome.client.get(ResourceSlice, { namespace: atRome, name: 'milan' });
    const { uid, generation, labels } = slice?.metadata ?? {};
    return { uid, generation, labels };
  }

  test('a peering user is enough to peer, with RSA keys at both ends', async () => {
    const line = 'generate peering-user --consumer-cluster-id rome';
    peeringUser = join(milan.folder, 'milan-for-rome.kubeconfig');
    writeFileSync(peeringUser, await liqoctl(milan, line), { mode: 0o600 });
    const remote = `--networking-disabled --remote-kubeconfig ${peeringUser}`;
    await liqoctl(rome, `peer ${remote} --cpu 1 --memory 1Gi --pods 10 --timeout 120s`);
    await eventually(async () => {
      for (const pem of await certificates()) {
        expect(new X509Certificate(pem).publicKey.asymmetricKeyType).toBe('rsa');
      }
    }, patience);
    const tenant = await milan.client.get(Tenant, { namespace: atMilan, name: 'rome' });
    const shown = Buffer.from(tenant?.spec.publicKey ?? '', 'base64');
    expect(createPublicKey(shown).asymmetricKeyType).toBe('rsa');
    await kubectl(rome, 'wait node/milan --for=create --timeout=90s');
    await kubectl(rome, 'wait node/milan --for=condition=Ready --timeout=90s');
  });

  test('a Deployment runs at the provider', async () => {
    await kubectl(rome, 'create namespace shop');
    await inShop('wait serviceaccount/default --for=create --timeout=30s');
    await kubectl(rome, 'apply -f -', JSON.stringify(offloading));
    const labels = { app: 'web' };
    const spec = {
      terminationGracePeriodSeconds: 1,
      containers: [containerOf('exec sleep 3600')],
      nodeSelector: { 'kubernetes.io/hostname': 'milan' },
      tolerations: [{ key: 'virtual-node.liqo.io/not-allowed', operator: 'Exists' }],
    };
    const deployment = {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'web', namespace: 'shop' },
      spec: {
        replicas: 1,
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec },
      },
    };
    await kubectl(rome, 'apply -f -', JSON.stringify(deployment));
    await inShop('rollout status deployment/web --timeout=90s');
  });

  test('renewed certificates end no exec stream and no watch, and no node or pod is not ready', async () => {
    const { kubectl: program, ...access } = accessTo(rome);
    const line = ['-n', 'shop', 'exec', '-i', 'deployment/web', '--', 'cat'];
    const exec = spawn(program, line, { env: environmentOf({ kubectl: program, ...access }) });
    const ended = once(exec, 'close');
    const echo = async (text: string) => {
      const heard = once(exec.stdout, 'data');
      exec.stdin.write(text);
      expect(String((await heard)[0])).toBe(text);
    };
    await echo('before\n');
    await using vigil = await Vigil.begin(rome.client, 'milan');
    const before = await certificates();
    for (const name of ['liqo-remote-certificate', 'liqo-remote-certificate-milan']) {
      await milan.client.delete(Secret, { namespace: atMilan, name });
    }
    await eventually(async () => {
      const after = await certificates();
      expect(after.map((pem, at) => pem !== before[at])).toEqual([true, true]);
    }, patience);
    await echo('after\n');
    // What follows is done with the renewed certificates.
    await inShop('exec deployment/web -- true');
    expect(vigil.lapses).toEqual([]);
    exec.stdin.end();
    expect(await ended).toEqual([0, null]);
  });

  test('a cordoned consumer keeps its pod, and gets no other one until it is uncordoned', async () => {
    await liqoctl(milan, 'cordon tenant rome --skip-confirm');
    await inShop('scale deployment/web --replicas=2');
    await eventually(async () => {
      const { items } = await rome.client.list(Pod, { namespace: 'shop' });
      const reasons = items.map(({ status }) => status?.reason ?? status?.phase);
      expect(reasons.toSorted()).toEqual(['QuotaCordoned', 'Running']);
    }, patience);
    await liqoctl(milan, 'uncordon tenant rome');
    await inShop('rollout status deployment/web --timeout=90s');
  });

  test('a drained consumer loses everything, and gets it back once it is activated', async () => {
    const untouched = await own();
    await liqoctl(milan, 'drain tenant rome --skip-confirm --timeout 90s');
    await eventually(async () => expect(await atProvider()).toEqual([0, 0, 0, 0]), patience);
    await liqoctl(milan, 'activate tenant rome --timeout 90s');
    await eventually(async () => expect(await atProvider()).toEqual([1, 1, 2, 1]), patience);
    await kubectl(rome, 'wait node/milan --for=condition=Ready --timeout=90s');
    await inShop('rollout status deployment/web --timeout=90s');
    expect(await own()).toEqual(untouched);
  });

  test('unpeer leaves nothing in either cluster', async () => {
    await liqoctl(rome, `unpeer --remote-kubeconfig ${peeringUser} --timeout 90s`);
    await liqoctl(milan, 'delete peering-user --consumer-cluster-id rome');
    await liqoctl(
      rome,
      `unpeer --delete-namespaces --remote-kubeconfig ${milan.kubeconfig} --timeout 90s`,
    );
    await eventually(async () => {
      expect(await listLeftovers(rome.client)).toEqual([]);
      expect(await listLeftovers(milan.client)).toEqual([]);
    }, patience);
  });
});
