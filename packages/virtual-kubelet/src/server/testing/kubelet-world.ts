import type { VirtualNode } from '@liqo/api';
import { type Client, ConfigMap, mergePatch, Namespace, Node, Pod, type Stored } from '@liqo/kube';
import { connectKubeconfig, parseKubeconfig } from '@liqo/kube/node';
import { type Identity, type Minicluster, startMinicluster } from '@liqo/minicluster';
import {
  type Informer,
  silentLogger,
  startInformer,
  systemClock,
  systemRandom,
} from '@liqo/runtime';
import { eventually } from '@liqo/testkit';
import {
  consumerUser,
  grantLocalRights,
  grantRemoteRights,
  installRoles,
  kubeletUser,
} from '../../testing/rights.ts';
import { ServingCertificate } from '../certificate/serving-certificate.ts';
import { type KubeletServer, startKubeletServer } from '../kubelet-server.ts';
import type { ProviderAccess } from '../provider-access.ts';
import { ask, type Proof, type Reply } from './ask.ts';

const surroundings = { clock: systemClock, random: systemRandom };
const simulation = 'minicluster.liqo-ts.dev/';

const nodeName = 'mynode';

export interface KubeletWorldOptions {
  /** In place of a cluster with a node. */
  readonly provider?: () => ProviderAccess | undefined;
}

/** A consumer whose node `mynode` is a server under test, in front of a provider whose one node runs its pods. */
export class KubeletWorld implements AsyncDisposable {
  readonly consumer: Minicluster;
  readonly provider: Minicluster;
  readonly server: KubeletServer;
  readonly #parts: readonly AsyncDisposable[];

  constructor(
    consumer: Minicluster,
    provider: Minicluster,
    server: KubeletServer,
    parts: readonly AsyncDisposable[],
  ) {
    this.consumer = consumer;
    this.provider = provider;
    this.server = server;
    this.#parts = parts;
  }

  /** A pod on the node, and its twin at the provider, which runs. */
  async runPod(name: string, steering: Readonly<Record<string, string>> = {}): Promise<void> {
    const prefixed = Object.entries(steering).map(([key, value]) => [simulation + key, value]);
    const annotations = Object.fromEntries(prefixed);
    const containers = [{ name: 'main', image: 'example.org/app' }];
    await this.bindPod(name);
    await this.provider.client.create(Pod, {
      metadata: { namespace: 'shop-rome', name, annotations },
      spec: { containers },
    });
    await eventually(async () => {
      const pod = await this.provider.client.get(Pod, { namespace: 'shop-rome', name });
      if (pod?.status?.phase !== 'Running') throw new Error(`${name} does not run`);
    });
  }

  /** On the node, and nowhere else. */
  async bindPod(name: string): Promise<void> {
    const containers = [{ name: 'main', image: 'example.org/app' }];
    const metadata = { namespace: 'shop', name };
    await this.consumer.client.create(Pod, { metadata, spec: { nodeName, containers } });
    await eventually(async () => {
      const { body } = await this.ask('/pods', { keys: this.keysOf(admin) });
      if (!body.includes(`"name":"${name}"`)) throw new Error(`${name} is not known to the node`);
    });
  }

  keysOf(user: Identity): NonNullable<Proof['keys']> {
    return keysIn(this.consumer.kubeconfigFor(user));
  }

  /** Straight to the port of the node. */
  ask(path: string, proof: Proof, method = 'GET'): Promise<Reply> {
    return ask({ port: this.server.port, path, method }, proof);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const part of this.#parts) await part[Symbol.asyncDispose]();
  }
}

export const admin: Identity = { name: 'kubernetes-admin', groups: ['system:masters'] };

export async function startKubeletWorld(options: KubeletWorldOptions = {}): Promise<KubeletWorld> {
  const [consumer, provider] = await Promise.all([
    startMinicluster({ ...surroundings, name: 'rome' }),
    startMinicluster({ ...surroundings, name: 'milan', nodes: options.provider ? 0 : 1 }),
  ]);
  const kubeconfig = parseKubeconfig(provider.kubeconfigFor(consumerUser('rome')), 'milan');
  const remote = await connectKubeconfig(kubeconfig, surroundings);
  await prepare(consumer.client, provider.client, authorityOf(consumer));
  const local = consumer.clientFor(kubeletUser(virtualNode.metadata));
  const pods = watchPods(local);
  const certificate = selfSigned(local);
  const access = { client: remote, remoteNamespace: () => 'shop-rome' };
  const server = await startServer(local, certificate, pods, options.provider ?? (() => access));
  await joinNode(consumer.client, server.port);
  const parts = [server, certificate, pods, remote, consumer, provider];
  return new KubeletWorld(consumer, provider, server, parts);
}

function startServer(
  local: Client,
  certificate: ServingCertificate,
  pods: Informer<Pod>,
  provider: () => ProviderAccess | undefined,
): Promise<KubeletServer> {
  return startKubeletServer({
    ...surroundings,
    local,
    log: silentLogger,
    nodeName,
    consumerClusterID: 'rome',
    keys: () => certificate.keys(),
    host: '127.0.0.1',
    port: 0,
    provider,
    pods: () => (pods.hasSynced ? pods.list() : undefined),
  });
}

function selfSigned(client: Client): ServingCertificate {
  return new ServingCertificate({
    ...surroundings,
    client,
    log: silentLogger,
    nodeName,
    addresses: ['127.0.0.1'],
    certificateType: 'self-signed',
  });
}

function watchPods(client: Client): Informer<Pod> {
  const selection = { fieldSelector: `spec.nodeName=${nodeName}` };
  return startInformer({ ...surroundings, client, kind: Pod, log: silentLogger, selection });
}

async function prepare(consumer: Client, provider: Client, authority: string): Promise<void> {
  await consumer.create(Namespace, { metadata: { name: 'shop' } });
  await provider.create(Namespace, { metadata: { name: 'shop-rome' } });
  await grantRights(consumer, provider);
  const metadata = { namespace: 'kube-system', name: 'extension-apiserver-authentication' };
  await consumer.apply(
    ConfigMap,
    { metadata, data: { 'client-ca-file': authority } },
    { fieldManager: 'test', force: true },
  );
}

/** Whose kubelet is tested: its account has the rights that the controllers would give it. */
const virtualNode: Stored<VirtualNode> = {
  apiVersion: 'offloading.liqo.io/v1beta1',
  kind: 'VirtualNode',
  metadata: {
    namespace: 'liqo-tenant-milan',
    name: nodeName,
    uid: 'uid',
    resourceVersion: '1',
    creationTimestamp: '2030-01-01T00:00:00Z',
  },
  spec: { clusterID: 'milan', kubeconfigSecretRef: { name: 'kubeconfig-mynode' } },
};

async function grantRights(consumer: Client, provider: Client): Promise<void> {
  await consumer.create(Namespace, { metadata: { name: virtualNode.metadata.namespace ?? '' } });
  await installRoles(consumer);
  await grantLocalRights(consumer, virtualNode);
  await installRoles(provider);
  await grantRemoteRights(provider, 'shop-rome');
}

async function joinNode(client: Client, port: number): Promise<Stored<Node>> {
  await client.create(Node, { metadata: { name: nodeName } });
  const status = {
    addresses: [{ type: 'InternalIP', address: '127.0.0.1' }],
    daemonEndpoints: { kubeletEndpoint: { Port: port } },
  };
  const subresource = 'status' as const;
  return client.patch(Node, { name: nodeName }, mergePatch({ status }), { subresource });
}

/** The authority of a cluster, which signs for servers and clients alike. */
function authorityOf({ kubeconfigText }: Minicluster): string {
  return dataIn(kubeconfigText, 'certificate-authority-data');
}

function keysIn(kubeconfig: string): NonNullable<Proof['keys']> {
  const cert = dataIn(kubeconfig, 'client-certificate-data');
  return { cert, key: dataIn(kubeconfig, 'client-key-data') };
}

function dataIn(kubeconfig: string, key: string): string {
  const [, data = ''] = new RegExp(`${key}: "?([A-Za-z0-9+/=]+)`).exec(kubeconfig) ?? [];
  return Buffer.from(data, 'base64').toString();
}
