import {
  NamespaceMap,
  Quota,
  Renew,
  ResourceSlice,
  ShadowEndpointSlice,
  ShadowPod,
  Tenant,
} from '@liqo/api';
import {
  type Client,
  ConfigMap,
  isForbidden,
  type Kind,
  type KubeObject,
  Namespace,
  Pod,
  RoleBinding,
  resourcePath,
  Secret,
  Service,
  ServiceAccount,
} from '@liqo/kube';
import { connectKubeconfig, parseKubeconfig } from '@liqo/kube/node';
import { runLiqoctl } from '@liqo/liqoctl';
import type { Minicluster } from '@liqo/minicluster';
import { systemClock, systemRandom } from '@liqo/runtime';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { embeddedKubernetes } from './embedded-kubernetes.ts';
import { offloadNamespace } from './offload-namespace.ts';
import { obtainSlice, peerClusters } from './peer-clusters.ts';

/** Consumers of the provider "milan", none of which may see or touch what another one has there. */
const tenants = ['rome', 'turin', 'oslo'] as const;
type TenantName = (typeof tenants)[number];

const clusters: Minicluster[] = [];
let milan: Minicluster;
const identities: { readonly of: TenantName; readonly name: string; readonly client: Client }[] =
  [];

const namespacesOf = (tenant: TenantName) => [`liqo-tenant-${tenant}`, `shop-${tenant}`];

const kinds = [
  ConfigMap,
  NamespaceMap,
  Pod,
  Quota,
  Renew,
  ResourceSlice,
  RoleBinding,
  Secret,
  Service,
  ServiceAccount,
  ShadowEndpointSlice,
  ShadowPod,
  Tenant,
] as readonly Kind<KubeObject>[];

beforeAll(async () => {
  const clock = systemClock;
  const kubernetes = await embeddedKubernetes({ clock, random: systemRandom });
  const { signal } = new AbortController();
  const start = async (name: string) => {
    const cluster = await kubernetes.startCluster(name);
    clusters.push(cluster);
    await kubernetes.install(cluster);
    return cluster;
  };
  const [provider, ...consumers] = await Promise.all(['milan', ...tenants].map(start));
  if (!provider) throw new Error('no cluster was started');
  milan = provider;
  for (const [index, of] of tenants.entries()) {
    const consumer = consumers[index];
    if (!consumer) throw new Error(`"${of}" was not started`);
    const work = { consumer, provider, clock, signal };
    await peerClusters<Minicluster>(work);
    await obtainSlice<Minicluster>(work, { name: 'pool', resources: { cpu: '1', pods: '5' } });
    await offloadNamespace(consumer.client, { namespace: 'shop', clock });
    for (const name of ['controlplane-milan', 'resourceslice-pool']) {
      identities.push({ of, name, client: await connectAs(consumer, name) });
    }
    identities.push({ of, name: 'peering-user', client: await connectPeeringUser(of) });
  }
}, 300_000);

afterAll(async () => {
  for (const { client } of identities) await client[Symbol.asyncDispose]();
  for (const cluster of clusters) await cluster[Symbol.asyncDispose]();
});

/** With the credentials that the consumer has in its own Secret, over TLS. */
async function connectAs({ client }: Minicluster, identity: string): Promise<Client> {
  const key = { namespace: 'liqo-tenant-milan', name: `kubeconfig-${identity}` };
  const text = Buffer.from((await client.get(Secret, key))?.data?.kubeconfig ?? '', 'base64');
  const config = parseKubeconfig(text.toString(), identity);
  return connectKubeconfig(config, { clock: systemClock, random: systemRandom });
}

/** With what an administrator of the provider hands out. */
async function connectPeeringUser(consumer: TenantName): Promise<Client> {
  let kubeconfig = '';
  const args = ['generate', 'peering-user', '--consumer-cluster-id', consumer];
  const code = await runLiqoctl(args, {
    env: { KUBECONFIG: milan.kubeconfig },
    clock: systemClock,
    random: systemRandom,
    signal: new AbortController().signal,
    stdout: { write: (text) => (kubeconfig += text), isTerminal: false },
    stderr: { write: () => undefined, isTerminal: false },
  });
  if (code !== 0) throw new Error(`Cannot generate the peering user of "${consumer}"`);
  const config = parseKubeconfig(kubeconfig, 'peering-user');
  return connectKubeconfig(config, { clock: systemClock, random: systemRandom });
}

interface Attempt {
  readonly method: string;
  readonly path: string;
  readonly body?: object;
}

/** Every verb that there is, on all objects of a kind, and on one. */
function attemptsOn(kind: Kind<KubeObject>, namespace: string, name: string): readonly Attempt[] {
  const all = resourcePath(kind, { namespace });
  const one = resourcePath(kind, { namespace, name });
  const { group, version, kind: word } = kind;
  const apiVersion = group ? `${group}/${version}` : version;
  const body = { apiVersion, kind: word, metadata: { namespace, name } };
  return [
    { method: 'GET', path: all },
    { method: 'GET', path: `${all}?watch=true&timeoutSeconds=1` },
    { method: 'POST', path: all, body },
    { method: 'DELETE', path: all },
    { method: 'GET', path: one },
    { method: 'PUT', path: one, body },
    { method: 'PATCH', path: one, body: { metadata: { labels: { touched: 'true' } } } },
    { method: 'PATCH', path: `${one}/status`, body: { status: {} } },
    { method: 'DELETE', path: one },
  ];
}

/** What leads into running pods and to credentials, and deletions of a few out of many. */
function furtherAttempts(namespace: string): readonly Attempt[] {
  const at = (kind: Kind<KubeObject>, name?: string) => resourcePath(kind, { namespace, name });
  const pod = at(Pod as Kind<KubeObject>, 'any');
  const account = at(ServiceAccount as Kind<KubeObject>, 'default');
  const token = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} };
  const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'any' } };
  const selectors = [
    'labelSelector=liqo.io%2Fremote-cluster-id',
    'fieldSelector=metadata.name%3Dany',
  ];
  return [
    { method: 'POST', path: `${pod}/exec?command=id&stdout=true` },
    { method: 'GET', path: `${pod}/exec?command=id&stdout=true` },
    { method: 'POST', path: `${pod}/attach?stdout=true` },
    { method: 'POST', path: `${pod}/portforward?ports=80` },
    { method: 'GET', path: `${pod}/log` },
    { method: 'GET', path: `${pod}/proxy/` },
    { method: 'POST', path: `${pod}/eviction`, body: eviction },
    { method: 'PATCH', path: `${pod}/ephemeralcontainers`, body: { spec: {} } },
    { method: 'PATCH', path: `${pod}/resize`, body: { spec: {} } },
    { method: 'POST', path: `${account}/token`, body: token },
    { method: 'GET', path: `${at(Service as Kind<KubeObject>, 'any')}/proxy/` },
    ...['kubeconfig-offer', 'liqo-nonce', 'liqo-remote-certificate'].map((name) => ({
      method: 'GET',
      path: at(Secret as Kind<KubeObject>, name),
    })),
    ...kinds.flatMap((kind) =>
      selectors.map((selector) => ({ method: 'DELETE', path: `${at(kind)}?${selector}` })),
    ),
  ];
}

const contentTypes: Readonly<Record<string, string>> = {
  PATCH: 'application/merge-patch+json',
  POST: 'application/json',
  PUT: 'application/json',
};

/** Undefined if the API server has refused it. */
async function succeeds(client: Client, attempt: Attempt): Promise<string | undefined> {
  const { method, path, body } = attempt;
  const contentType = contentTypes[method];
  try {
    const response = await client.raw({
      method,
      path,
      ...(contentType && { headers: { 'content-type': contentType } }),
      ...(body && { body: JSON.stringify(body) }),
    });
    response.discard();
    return `${method} ${path}: ${response.status}`;
  } catch (error) {
    return isForbidden(error) ? undefined : `${method} ${path}: ${error}`;
  }
}

/** What the provider has for a tenant, in the versions it has. */
async function stateOf(tenant: TenantName): Promise<readonly string[]> {
  const lists = await Promise.all(
    namespacesOf(tenant).flatMap((namespace) =>
      kinds.map((kind) => milan.client.list(kind, { namespace })),
    ),
  );
  return lists
    .flatMap(({ items }) => items.map(({ metadata }) => `${metadata.uid} ${metadata.generation}`))
    .toSorted();
}

test('no identity of a consumer has a verb in the namespaces of another consumer', async () => {
  const before = await Promise.all(tenants.map(stateOf));
  expect(before.every((state) => state.length > 5)).toBe(true);
  const broken: string[] = [];
  let attempts = 0;
  for (const { of, name: identity, client } of identities) {
    for (const other of tenants.filter((tenant) => tenant !== of)) {
      for (const namespace of namespacesOf(other)) {
        const further = furtherAttempts(namespace);
        attempts += further.length;
        for (const outcome of await Promise.all(further.map((one) => succeeds(client, one)))) {
          if (outcome) broken.push(`${of} ${identity} ${outcome}`);
        }
        for (const kind of kinds) {
          const { items } = await milan.client.list(kind, { namespace });
          const all = attemptsOn(kind, namespace, items[0]?.metadata.name ?? 'any');
          attempts += all.length;
          const outcomes = await Promise.all(all.map((attempt) => succeeds(client, attempt)));
          for (const outcome of outcomes) if (outcome) broken.push(`${of} ${identity} ${outcome}`);
        }
      }
    }
  }
  expect(broken).toEqual([]);
  const perNamespace = kinds.length * 9 + furtherAttempts('any').length;
  expect(attempts).toBe(identities.length * 2 * 2 * perNamespace);
  for (const [index, tenant] of tenants.entries()) {
    // Controllers may still add to it.
    expect(await stateOf(tenant)).toEqual(expect.arrayContaining([...(before[index] ?? [])]));
  }
});

test('no identity of a consumer has a verb on a namespace of others, or on all namespaces', async () => {
  const broken: string[] = [];
  for (const { of, name: identity, client } of identities) {
    const names = [...tenants.flatMap(namespacesOf), 'kube-system', 'liqo'];
    const attempts = [
      ...names.flatMap((name) => attemptsOn(Namespace as Kind<KubeObject>, '', name)),
      ...kinds.map((kind) => ({ method: 'GET', path: resourcePath(kind) })),
    ];
    const outcomes = await Promise.all(attempts.map((attempt) => succeeds(client, attempt)));
    for (const outcome of outcomes) if (outcome) broken.push(`${of} ${identity} ${outcome}`);
  }
  // A peering user sees that the namespace about its consumer exists.
  const own = (tenant: TenantName) =>
    `${tenant} peering-user GET /api/v1/namespaces/liqo-tenant-${tenant}: 200`;
  expect(broken).toEqual(tenants.map(own));
});

test('each identity has its own rights all the same', async () => {
  for (const { of, name, client } of identities) {
    const isVirtualKubelet = name.startsWith('resourceslice');
    if (name === 'peering-user') {
      const key = { namespace: `liqo-tenant-${of}`, name: of };
      await expect(client.get(Tenant, key)).resolves.toBeDefined();
      continue;
    }
    const kind = (isVirtualKubelet ? ShadowPod : ResourceSlice) as Kind<KubeObject>;
    const namespace = isVirtualKubelet ? `shop-${of}` : `liqo-tenant-${of}`;
    await expect(client.list(kind, { namespace })).resolves.toBeDefined();
  }
});
