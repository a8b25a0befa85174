import { labels, Quota, ResourceSlice, ShadowPod, Tenant } from '@liqo/api';
import { apiVersionOf, mergePatch, Namespace, Pod, ServiceAccount, type Stored } from '@liqo/kube';
import { eventually } from '@liqo/testkit';
import { startCluster, type TestCluster } from './start-cluster.ts';
import { createTenantNamespace } from './tenancy.ts';

const tenantNamespace = 'liqo-tenant-rome';
const namespace = 'shop-rome';

/** What the world stands on: a cluster with our kinds and roles, whose controllers' calls can go wrong. */
export type QuotaCluster = AsyncDisposable & Pick<TestCluster, 'calls' | 'client' | 'context'>;

export type QuotaWorld = Awaited<ReturnType<typeof startQuotaWorld>>;

/** A provider with a consumer `rome` that has authenticated itself, and has a namespace. */
export async function startQuotaWorld(startMilan: () => Promise<QuotaCluster> = startEmbedded) {
  const milan = await startMilan();
  const { client } = milan;
  await createTenantNamespace(milan, 'rome');
  await createNamespace(milan, namespace);
  await client.create(Tenant, {
    metadata: { name: 'rome', namespace: tenantNamespace },
    spec: { clusterID: 'rome', authzPolicy: 'KeysExchange', tenantCondition: 'Active' },
  });
  const key = (name: string) => ({ namespace, name });
  return {
    milan,
    namespace,
    async createQuota(slice: string, resources: Record<string, string>) {
      const user = userOf(slice);
      const owner = await client.create(ResourceSlice, {
        metadata: { name: slice, namespace: tenantNamespace },
        spec: { class: 'default' },
      });
      await client.create(Quota, {
        metadata: { name: user, namespace: tenantNamespace, ownerReferences: [ownedBy(owner)] },
        spec: { user, resources, limitsEnforcement: 'None' },
      });
    },
    async changeQuota(slice: string, spec: Partial<Quota['spec']>) {
      const quota = { name: userOf(slice), namespace: tenantNamespace };
      await client.patch(Quota, quota, mergePatch({ spec }));
    },
    async deleteQuota(slice: string) {
      await client.delete(Quota, { name: userOf(slice), namespace: tenantNamespace });
      await client.delete(ResourceSlice, { name: slice, namespace: tenantNamespace });
    },
    create: (name: string, requests: Record<string, string> = {}, slice = 'mypool') =>
      client.create(ShadowPod, forgeShadowPod(key(name), requests, userOf(slice))),
    shadowPod: (name: string) => client.get(ShadowPod, key(name)),
    async shadowPods(): Promise<readonly Stored<ShadowPod>[]> {
      return (await client.list(ShadowPod, { namespace })).items;
    },
    deleteShadowPod: (name: string) => client.delete(ShadowPod, key(name)),
    pod: (name: string) => client.get(Pod, key(name)),
    made: (name: string) =>
      eventually(async () => (await client.get(Pod, key(name))) ?? missing(name)),
    async setPhase(name: string, phase: string) {
      const patch = mergePatch({ status: { phase } });
      await client.patch(Pod, key(name), patch, { subresource: 'status' });
    },
    /** Changes a pod in nothing that matters. */
    async touch(name: string) {
      const patch = mergePatch({ metadata: { annotations: { touched: 'true' } } });
      await client.patch(Pod, key(name), patch);
    },
    async livePods(): Promise<readonly Stored<Pod>[]> {
      const { items } = await client.list(Pod, { namespace });
      return items.filter(({ status }) => status?.phase !== 'Succeeded');
    },
    async [Symbol.asyncDispose]() {
      await milan[Symbol.asyncDispose]();
    },
  };
}

const startEmbedded = (): Promise<QuotaCluster> => startCluster('milan');

/** As the certificate of a slice names it. */
function userOf(slice: string): string {
  return `${slice}-a8a4c692b93b`;
}

function ownedBy({ metadata }: Stored<ResourceSlice>) {
  const { kind } = ResourceSlice;
  return { apiVersion: apiVersionOf(ResourceSlice), kind, name: metadata.name, uid: metadata.uid };
}

function missing(name: string): never {
  throw new Error(`There is no pod "${name}"`);
}

async function createNamespace({ client }: QuotaCluster, name: string): Promise<void> {
  const marks = { [labels.remoteClusterID]: 'rome' };
  await client.create(Namespace, { metadata: { name, labels: marks } });
  await eventually(async () => {
    const account = await client.get(ServiceAccount, { namespace: name, name: 'default' });
    if (!account) throw new Error('The namespace has no service account yet');
  });
}

function forgeShadowPod(
  key: { readonly namespace: string; readonly name: string },
  requests: Record<string, string>,
  user: string,
): ShadowPod {
  const marks = { [labels.origin]: 'rome', [labels.creatorUser]: user };
  const container = { name: 'web', image: 'nginx', resources: { requests } };
  return {
    metadata: { ...key, labels: marks },
    spec: { pod: { containers: [container], restartPolicy: 'Never' } },
  };
}
