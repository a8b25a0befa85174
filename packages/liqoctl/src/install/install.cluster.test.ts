import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { VkOptionsTemplate } from '@liqo/api';
import {
  ConfigMap,
  CustomResourceDefinition,
  Deployment,
  type KubeObject,
  mergePatch,
  PodDisruptionBudget,
  Service,
  ValidatingWebhookConfiguration,
} from '@liqo/kube';
import { defaultValues, forgeKinds, forgeManifests } from '@liqo/manifests';
import type { Minicluster } from '@liqo/minicluster';
import { embeddedKubernetes } from '@liqo/playground';
import { systemClock, systemRandom } from '@liqo/runtime';
import { eventually } from '@liqo/testkit';
import { loadAll } from 'js-yaml';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runHere } from '../testing/run-here.ts';
import { lookAtWebhooks } from './look-at-webhooks.ts';
import { findDeadWebhooks } from './webhooks-of-others.ts';

const never = new AbortController().signal;
const controllers = { namespace: 'liqo', name: 'liqo-controller-manager' };

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

describe('liqoctl install', () => {
  const folder = mkdtempSync(join(tmpdir(), 'liqoctl-install-'));
  const values = join(folder, 'values.yaml');
  let rome: Minicluster;

  beforeAll(async () => {
    const kubernetes = await embeddedKubernetes({ clock: systemClock, random: systemRandom });
    rome = await kubernetes.startCluster('rome');
    // The ports of the embedded cluster are those of the machine.
    const ports = [freePort(), freePort(), freePort(), freePort()] as const;
    const [healthPort, port, webhookPort, webhookHealthPort] = await Promise.all(ports);
    await writeFile(
      values,
      `controllerManager: { healthPort: ${healthPort}, metrics: { port: ${port} } }
webhook: { replicas: 1, port: ${webhookPort}, healthPort: ${webhookHealthPort} }\n`,
    );
  });

  afterAll(async () => {
    await rome[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true });
  });

  function liqoctl(line: string) {
    return runHere(line.split(' '), { env: { KUBECONFIG: rome.kubeconfig } });
  }

  test('doctor finds the cluster ready for Liqo before, and says how to go on', async () => {
    const { code, stdout, stderr } = await liqoctl('doctor');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/✔ Liqo is not installed, and can be\n {2}Next: liqoctl install\n$/);
    const { stdout: json } = await liqoctl('doctor -o json');
    expect(JSON.parse(json)).toMatchObject({ healthy: true });
  });

  test('--dry-run says what would be created, and creates nothing', async () => {
    const { code, stderr } = await liqoctl('install --cluster-id rome --dry-run');
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(stderr).toMatch(/^✔ The cluster can be used: Kubernetes v1\.\d+/);
    expect(stderr).toMatch(/\d\d kinds would be created, 0 would be changed, 0 as wanted already/);
    expect(stderr).toContain(
      'would create CustomResourceDefinition "tenants.authentication.liqo.io"',
    );
    expect(stderr).toContain('would create Deployment "liqo-controller-manager"');
    expect(await rome.client.list(CustomResourceDefinition)).toMatchObject({ items: [] });
  });

  test('findDeadWebhooks() finds webhooks of others that do not run', async () => {
    const configuration = { metadata: { name: 'guard' } };
    await rome.client.create(ValidatingWebhookConfiguration, {
      ...configuration,
      webhooks: [
        {
          name: 'guard.example.org',
          admissionReviewVersions: ['v1'],
          sideEffects: 'None',
          clientConfig: { service: { namespace: 'default', name: 'guard' } },
          rules: [
            { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] },
          ],
        },
      ],
    });
    expect(await findDeadWebhooks(rome.client, never)).toEqual([
      '"guard.example.org" (Service "guard" in "default")',
    ]);
    await rome.client.delete(ValidatingWebhookConfiguration, configuration.metadata);
    expect(await findDeadWebhooks(rome.client, never)).toEqual([]);
  });

  test('--only-output-values prints what is given and detected', async () => {
    const line = 'install k3s --cluster-id rome --only-output-values --set image.name=x';
    const { code, stdout } = await liqoctl(line);
    expect(code).toBe(0);
    expect(loadAll(stdout)).toEqual([
      {
        clusterID: 'rome',
        image: { name: 'x' },
        slices: { nodeLabels: ['liqo.io/provider=k3s'] },
      },
    ]);
  });

  test('the label of the provider joins those that are given', async () => {
    const line = 'install k3s --cluster-id rome --only-output-values --set slices.nodeLabels={a=b}';
    const { stdout } = await liqoctl(line);
    expect(loadAll(stdout)).toMatchObject([
      { slices: { nodeLabels: ['a=b', 'liqo.io/provider=k3s'] } },
    ]);
    const own = await liqoctl(line.replace('a=b', 'liqo.io/provider=mine'));
    expect(loadAll(own.stdout)).toMatchObject([
      { slices: { nodeLabels: ['liqo.io/provider=mine'] } },
    ]);
  });

  test('-o yaml prints the kinds and the manifests, without a cluster', async () => {
    const { code, stdout } = await runHere('install --cluster-id rome -o yaml'.split(' '));
    expect(code).toBe(0);
    const wanted = [...forgeKinds(), ...forgeManifests({ ...defaultValues, clusterID: 'rome' })];
    const names = (objects: readonly KubeObject[]) => objects.map(({ metadata }) => metadata?.name);
    expect(names(loadAll(stdout) as KubeObject[])).toEqual(names(wanted));
    const { code: without, stderr } = await runHere('install -o yaml'.split(' '));
    expect(without).toBe(2);
    expect(stderr).toContain('without a cluster, nothing tells its ID');
  });

  test('installs, waits until the controllers run, and says what is next', async () => {
    const outcome = await liqoctl(`install --cluster-id rome --values ${values}`);
    expect(outcome).toMatchObject({ code: 0, stdout: '' });
    expect(outcome.stderr).toMatch(/✔ Liqo runs: this cluster is "rome" \(.* s\)\n/);
    expect(outcome.stderr).toContain('Next, make it a peer of a provider: liqoctl peer');
    const deployment = await rome.client.get(Deployment, controllers);
    expect(deployment?.status?.availableReplicas).toBe(1);
    const info = await liqoctl('info');
    expect(info.stdout).toContain('Liqo is healthy');
  }, 60_000);

  test('changes nothing when it is repeated, and keeps the ID', async () => {
    const { code, stderr } = await liqoctl('install');
    expect(code).toBe(0);
    expect(stderr).toMatch(/0 kinds created, 0 changed/);
    expect(stderr).toMatch(/0 objects created, 0 changed/);
    expect(stderr).toContain('this cluster is "rome"');
  }, 60_000);

  const template = { namespace: 'liqo', name: 'virtual-kubelet-default' };
  const budget = { namespace: 'liqo', name: 'liqo-webhook' };
  const upgrade = 'install --set virtualKubelet.replicas=2 --set disruptionBudgets.enabled=false';

  test('--dry-run says which fields would change, and what would be removed', async () => {
    const { code, stderr } = await liqoctl(`${upgrade} --dry-run`);
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(stderr).toContain(
      'would change VkOptionsTemplate "virtual-kubelet-default" (spec.replicas)',
    );
    expect(stderr).toContain(
      '2 objects would be removed: PodDisruptionBudget "liqo-controller-manager"',
    );
    expect((await rome.client.get(VkOptionsTemplate, template))?.spec.replicas).toBe(1);
    expect(await rome.client.get(PodDisruptionBudget, budget)).toBeDefined();
  }, 60_000);

  test('upgrades in place: only what differs is changed', async () => {
    const { code, stderr } = await liqoctl(upgrade);
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(stderr).toMatch(/0 objects created, 2 changed/);
    expect((await rome.client.get(VkOptionsTemplate, template))?.spec.replicas).toBe(2);
    expect(await rome.client.get(PodDisruptionBudget, budget)).toBeUndefined();
  }, 60_000);

  test('--reset-values forgets the values of the last installation', async () => {
    const { stderr } = await liqoctl(`install --reset-values --values ${values} --dry-run`);
    expect(stderr).toContain('would create PodDisruptionBudget "liqo-webhook"');
    expect(stderr).toContain('would change VkOptionsTemplate');
  }, 60_000);

  test('is not done while the API server does not reach the webhooks', async () => {
    const service = { namespace: 'liqo', name: 'liqo-webhook' };
    const kept = await rome.client.get(Service, service);
    await rome.client.patch(Service, service, mergePatch({ spec: { selector: { a: 'b' } } }));
    await eventually(async () => {
      expect(await lookAtWebhooks(rome.client, 'liqo', never)).toMatchObject({
        notYet: expect.stringContaining('failed calling webhook "shadowpod.mutate.liqo.io"'),
      });
    });
    const selector = { ...kept?.spec?.selector, a: null };
    await rome.client.patch(Service, service, mergePatch({ spec: { selector } }));
    await eventually(async () => {
      expect(await lookAtWebhooks(rome.client, 'liqo', never)).toEqual({ done: true });
    });
  }, 60_000);

  test('refuses another ID', async () => {
    const { code, stderr } = await liqoctl('install --cluster-id milan');
    expect(code).toBe(1);
    expect(stderr).toContain('this cluster is "rome" already, and its peers know it by that ID');
    const config = { namespace: 'liqo', name: 'liqo-clusterid-configmap' };
    expect((await rome.client.get(ConfigMap, config))?.data).toEqual({ CLUSTER_ID: 'rome' });
  });

  test.each([
    ['install minishift', 2, /"minishift" is not one of aks, eks/],
    ['install --cluster-id Rome', 2, /"--cluster-id=Rome"/],
    ['install --set image.version=x', 2, /there is no value "image.version"/],
    ['install --set controllerManager.replicas=x', 2, /must be an integer/],
    ['install --values /nonexistent', 1, /Cannot read the values in "\/nonexistent": ENOENT/],
  ])('liqoctl %s ends with %d and says why', async (line, code, message) => {
    const outcome = await liqoctl(line);
    expect(outcome).toMatchObject({ code, stdout: '', stderr: expect.stringMatching(message) });
  });
});
