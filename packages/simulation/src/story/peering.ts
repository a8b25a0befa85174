import { fixedNames, labels, NamespaceOffloading, Tenant, tenantNamespaceName } from '@liqo/api';
import { type Client, Deployment, mergePatch, Namespace, Secret } from '@liqo/kube';
import { ensureSlice, peer, preparePeering, unpeer } from '@liqo/liqoctl/peering';
import type { SimulatedWorld } from '../world/simulated-world.ts';
import { app, namespace, offloading } from './shop.ts';

/** What the people of `rome` and `milan` do with a slice of `milan`, and with a shop that runs on it. */
export const slice = 'mypool';
/** Where each cluster has its objects about the other one. */
export const atRome = tenantNamespaceName('milan');
export const atMilan = tenantNamespaceName('rome');
const tenant = { namespace: atMilan, name: 'rome' };
export const controlPlane = 'controlplane-milan';
export const sliceIdentity = `resourceslice-${slice}`;

/** More than any chapter takes. */
const timeoutMs = 3_600_000;

function preparedPeering({ clock, clusters }: SimulatedWorld) {
  const sideOf = (clusterID: string) => {
    const cluster = clusters.get(clusterID);
    if (!cluster) throw new Error(`Cannot peer: there is no cluster "${clusterID}"`);
    return { client: cluster.admin, clusterID };
  };
  const { signal } = new AbortController();
  const [consumer, provider] = [sideOf('rome'), sideOf('milan')];
  return preparePeering({ consumer, provider, clock, signal, timeoutMs });
}

/** As `liqoctl peer` does. */
export function makePeers(world: SimulatedWorld): Promise<void> {
  return peer(preparedPeering(world), {});
}

/** As `liqoctl create resourceslice` does; a slice that is there is changed. */
export function askForSlice(world: SimulatedWorld, cpu: string): Promise<void> {
  const peering = preparedPeering(world);
  return ensureSlice(peering, peering.consumer, {
    name: slice,
    namespace: atRome,
    providerID: 'milan',
    class: fixedNames.defaultResourceSliceClass,
    resources: { cpu, memory: '4Gi', pods: '10' },
    createVirtualNode: true,
  });
}

/** As `liqoctl unpeer --delete-namespaces` does. */
export function endPeering(world: SimulatedWorld): Promise<void> {
  return unpeer(preparedPeering(world), { deletesNamespaces: true });
}

/** Nothing of the pods says where they run: that is up to the webhook. */
export async function openPlainShop(rome: Client, replicas: number): Promise<void> {
  const marks = { app: app.name };
  const resources = { requests: { cpu: '500m' } };
  await rome.create(Deployment, {
    metadata: app,
    spec: {
      replicas,
      selector: { matchLabels: marks },
      template: {
        metadata: { labels: marks },
        spec: { containers: [{ name: 'web', image: 'web:1', resources }] },
      },
    },
  });
}

/** Without their Secrets, the certificates of the consumer are issued again. */
export async function forgetCertificates(milan: Client): Promise<void> {
  const name = 'liqo-remote-certificate';
  await milan.delete(Secret, { namespace: atMilan, name });
  await milan.delete(Secret, { namespace: atMilan, name: `${name}-${slice}` });
}

/** As `liqoctl cordon|drain|activate tenant` does. */
export async function setTenant(
  milan: Client,
  tenantCondition: Tenant['spec']['tenantCondition'],
): Promise<void> {
  await milan.patch(Tenant, tenant, mergePatch({ spec: { tenantCondition } }));
}

/** The webhook places pods of a namespace with this label. */
export async function isPlacing(rome: Client): Promise<boolean> {
  const found = await rome.get(Namespace, { name: namespace });
  return found?.metadata.labels?.[labels.schedulingEnabled] === 'true';
}

export async function closePlainShop(rome: Client): Promise<void> {
  await rome.delete(Deployment, app);
  await rome.delete(NamespaceOffloading, offloading);
  await rome.delete(Namespace, { name: namespace });
}
