import { text } from 'node:stream/consumers';
import { allKinds, VirtualNode } from '@liqo/api';
import {
  CertificateSigningRequest,
  type Client,
  ConfigMap,
  Deployment,
  Event,
  type Kind,
  Namespace,
  Node,
  Pod,
  Secret,
  ServiceAccount,
} from '@liqo/kube';
import type { Minicluster } from '@liqo/minicluster';
import { systemClock, systemRandom } from '@liqo/runtime';
import { eventually } from '@liqo/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { embeddedKubernetes } from './embedded-kubernetes.ts';
import { startRightsWorld } from './testing/rights-world.ts';
import type { World } from './world.ts';

const password = 'canary-password-0b7e1c55';
const brokenToken = 'canary-token-9d41aa02';
const tenant = 'liqo-tenant-milan';

/** A line that cannot be read, in the middle of a credential. */
const brokenKubeconfig = `apiVersion: v1
users:
- name: x
  user: {token: "${brokenToken}\u0001", ${brokenToken}: [}
`;

let world: World<Minicluster>;

beforeAll(async () => {
  const surroundings = { clock: systemClock, random: systemRandom };
  world = await startRightsWorld(await embeddedKubernetes(surroundings));
  const { client } = world.cluster('rome');
  await client.create(Secret, {
    metadata: { namespace: 'shop', name: 'canary' },
    stringData: { password },
  });
  await client.create(Pod, {
    metadata: { namespace: 'shop', name: 'web' },
    spec: {
      nodeName: 'north',
      tolerations: [{ key: 'virtual-node.liqo.io/not-allowed', operator: 'Exists' }],
      containers: [
        {
          name: 'web',
          image: 'nginx',
          env: [{ name: 'P', valueFrom: { secretKeyRef: { name: 'canary', key: 'password' } } }],
        },
      ],
    },
  });
  await client.create(Secret, {
    metadata: { namespace: tenant, name: 'broken' },
    stringData: { kubeconfig: brokenKubeconfig },
  });
  await client.create(VirtualNode, {
    metadata: { namespace: tenant, name: 'broken' },
    spec: { clusterID: 'milan', kubeconfigSecretRef: { name: 'broken' } },
  });
  await eventually(
    async () => {
      const pod = await client.get(Pod, { namespace: 'shop', name: 'web' });
      expect(pod?.status?.phase).toBe('Running');
      const broken = await client.get(VirtualNode, { namespace: tenant, name: 'broken' });
      expect(JSON.stringify(broken?.status)).toContain('not valid YAML');
    },
    { timeoutMs: 30_000 },
  );
}, 120_000);
afterAll(() => world?.[Symbol.asyncDispose]());

async function logsOf(client: Client): Promise<string> {
  const { items } = await client.list(Pod);
  const ours = items.filter(({ metadata }) => metadata.namespace?.startsWith('liqo'));
  const texts = ours.map(async ({ metadata: { namespace = '', name } }) =>
    text(await client.logs({ namespace, name })),
  );
  return (await Promise.all(texts)).join('\n');
}

/** What the processes and objects of a cluster show to users who may not read Secrets. */
async function shownBy(client: Client): Promise<string> {
  const kinds: readonly Kind[] = [
    ...allKinds,
    CertificateSigningRequest,
    ConfigMap,
    Deployment,
    Event,
    Namespace,
    Node,
    Pod,
    ServiceAccount,
  ];
  const lists = await Promise.all(kinds.map((kind) => client.list(kind)));
  const objects = lists.map(({ items }) => JSON.stringify(items)).join('\n');
  return [objects, await logsOf(client), await metricsOf(client)].join('\n');
}

async function metricsOf(client: Client): Promise<string> {
  const key = { namespace: 'liqo', name: 'liqo-controller-manager' };
  const deployment = await client.get(Deployment, key);
  const args = deployment?.spec?.template.spec?.containers[0]?.args ?? [];
  const [, address] = args.join(' ').match(/--metrics-address=(\S+)/) ?? [];
  return (await fetch(`http://${address}/metrics`)).text();
}

/** What proves an identity: private keys, and signatures of tokens. */
function credentialsIn(value: string): readonly string[] {
  const keyData = [...value.matchAll(/client-key-data: *"?([\w+/=]{40,})/g)].map(([, key]) => key);
  const keys = [...keyData.map((key = '') => Buffer.from(key, 'base64').toString()), value];
  const bodies = keys.flatMap((one) =>
    [...one.matchAll(/PRIVATE KEY-----\s+([\w+/=]{40,})/g)].map(([, body]) => body),
  );
  const signatures = [...value.matchAll(/eyJ[\w-]+\.eyJ[\w-]+\.([\w-]{40,})/g)].map(
    ([, end]) => end,
  );
  return [...keyData, ...bodies, ...signatures].filter((one) => one !== undefined);
}

async function credentialsOf(client: Client): Promise<readonly string[]> {
  const { items } = await client.list(Secret);
  return items.flatMap(({ data = {} }) =>
    Object.values(data).flatMap((value) =>
      credentialsIn(Buffer.from(value, 'base64').toString('latin1')),
    ),
  );
}

test('no credential and no value of a Secret is in logs, metrics or objects other than Secrets', async () => {
  const clients = world.clusters.map(({ client }) => client);
  const credentials = (await Promise.all(clients.map(credentialsOf))).flat();
  expect(credentials.length).toBeGreaterThan(5);
  const canaries = [...new Set([...credentials, password, brokenToken])];
  const shown = (await Promise.all(clients.map(shownBy))).join('\n');
  for (const part of [
    '"logger":"virtual-kubelet"',
    'rest_client_requests_total',
    '"kind":"ShadowPod"',
  ]) {
    expect(shown).toContain(part);
  }
  const asBase64 = (one: string) => Buffer.from(one).toString('base64').replace(/.{4}$/, '');
  const found = canaries.filter((one) => shown.includes(one) || shown.includes(asBase64(one)));
  expect(found.map((one) => one.slice(0, 20))).toEqual([]);
});

test('the Secret of an offloaded namespace has reached the provider, where the pod reads it', async () => {
  const key = { namespace: 'shop-rome', name: 'canary' };
  const copy = await world.cluster('milan').client.get(Secret, key);
  expect(Buffer.from(copy?.data?.password ?? '', 'base64').toString()).toBe(password);
});
