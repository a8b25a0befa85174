import { allKinds, annotations, forgeCustomResourceDefinition, labels } from '@liqo/api';
import { CustomResourceDefinition, Namespace, RoleBinding, Secret } from '@liqo/kube';
import { Metrics, SharedInformers, type Stoppable, silentLogger } from '@liqo/runtime';
import { VirtualClock } from '@liqo/testkit';
import { startTestCluster, type TestCluster } from '@liqo/testkit/cluster';
import type { ControllerContext } from '../controller-context.ts';
import { startForeignClusterController } from '../peers/foreign-cluster-controller.ts';
import { PeerLinks } from '../peers/peer-links.ts';
import { startReplicationController } from '../replication/replication-controller.ts';
import { startTenantAccessController } from '../tenant-access/tenant-access-controller.ts';
import { controllersIdentity, installRights, liqoNamespace } from './installation.ts';

export const tenantNamespace = 'liqo-tenant-milan';
export const secretName = 'kubeconfig-controlplane-milan';

/** The consumer "rome", whose controllers know of peers, and its provider "milan", on one clock that the test moves. */
export interface PeerWorld extends AsyncDisposable {
  readonly clock: VirtualClock;
  readonly rome: TestCluster;
  /** Its faults act on the calls of rome's control plane. */
  readonly milan: TestCluster;
  readonly metrics: Metrics;
  start(): void;
  stop(): Promise<void>;
  /** A Secret with the credentials of rome at milan, written by hand. */
  connect(): Promise<void>;
}

export async function startPeerWorld(): Promise<PeerWorld> {
  const clock = new VirtualClock();
  const rome = await startTestCluster({ clock, namespaces: ['shop'] });
  const milan = await startTestCluster({ clock, seed: 2, namespaces: ['liqo-tenant-rome'] });
  for (const { admin } of [rome, milan]) {
    for (const kind of allKinds) {
      await admin.create(CustomResourceDefinition, forgeCustomResourceDefinition(kind));
    }
    await installRights(admin, 'rome');
  }
  await clock.advance(10_000);
  await createTenantNamespace(rome, 'milan');
  await grantControlPlane(milan);
  const metrics = new Metrics();
  let running: Stoppable[] = [];
  const stop = async () => {
    for (const part of running) await part[Symbol.asyncDispose]();
    running = [];
  };
  return {
    clock,
    rome,
    milan,
    metrics,
    start() {
      const context = contextOf(rome, milan, metrics);
      const links = new PeerLinks();
      running = [
        startTenantAccessController(context),
        startReplicationController(context, links),
        startForeignClusterController(context, links),
      ];
    },
    stop,
    async connect() {
      const kubeconfig = milan.cluster.kubeconfigFor({ name: 'rome', groups: ['rome'] });
      await rome.admin.create(Secret, {
        metadata: {
          name: secretName,
          namespace: tenantNamespace,
          labels: { [labels.identityType]: 'ControlPlane', [labels.remoteClusterID]: 'milan' },
          annotations: { [annotations.remoteTenantNamespace]: 'liqo-tenant-rome' },
        },
        data: { kubeconfig: Buffer.from(kubeconfig).toString('base64') },
      });
    },
    async [Symbol.asyncDispose]() {
      await stop();
      await rome[Symbol.asyncDispose]();
      await milan[Symbol.asyncDispose]();
      rome.denied.refuse();
    },
  };
}

export async function createTenantNamespace({ admin }: TestCluster, peer: string): Promise<void> {
  const marks = { [labels.remoteClusterID]: peer, [labels.tenantNamespace]: 'true' };
  await admin.create(Namespace, { metadata: { name: `liqo-tenant-${peer}`, labels: marks } });
}

async function grantControlPlane({ admin }: TestCluster): Promise<void> {
  const apiGroup = 'rbac.authorization.k8s.io';
  await admin.create(RoleBinding, {
    metadata: { name: 'rome', namespace: 'liqo-tenant-rome' },
    roleRef: { apiGroup, kind: 'ClusterRole', name: 'liqo-remote-controlplane' },
    subjects: [{ apiGroup, kind: 'User', name: 'rome' }],
  });
}

function contextOf(rome: TestCluster, milan: TestCluster, metrics: Metrics): ControllerContext {
  const { clock, random } = rome;
  const log = silentLogger;
  const client = rome.clientWithRightsOf(controllersIdentity, 'rome');
  return {
    client,
    caches: new SharedInformers({ client, clock, random, log }),
    clusterID: 'rome',
    liqoNamespace,
    clock,
    random,
    log,
    metrics,
    events: { record: () => undefined, [Symbol.asyncDispose]: async () => undefined },
    connectPeer: async (kubeconfig) => {
      if (!kubeconfig.includes('clusters:')) throw new Error('it is not a kubeconfig');
      return milan.clientWithRightsOf({ name: 'rome', groups: ['rome'] }, 'rome');
    },
  };
}
