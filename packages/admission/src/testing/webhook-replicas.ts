import { once } from 'node:events';
import { connect } from 'node:tls';
import { allKinds, fixedNames, forgeCustomResourceDefinition } from '@liqo/api';
import {
  type Clock,
  CustomResourceDefinition,
  EndpointSlice,
  type KubeObject,
  Namespace,
  type Random,
  Service,
} from '@liqo/kube';
import { defaultValues, forgeManifests, kindOfManifest } from '@liqo/manifests';
import { type Minicluster, startMinicluster } from '@liqo/minicluster';
import { type Stoppable, silentLogger } from '@liqo/runtime';
import { chooseFreePort } from '@liqo/testkit';
import { startWebhook } from '../start-webhook.ts';

const namespace = 'liqo';
const values = { ...defaultValues, clusterID: 'milan', namespace };

export interface ReplicasOptions {
  readonly clock: Clock;
  readonly random: Random;
}

/** A cluster whose API server asks replicas of the webhooks behind their Service, as the installation configures it. */
export class WebhookReplicas implements AsyncDisposable {
  readonly cluster: Minicluster;
  readonly #options: ReplicasOptions;
  readonly #replicas = new Map<string, Stoppable & { readonly port: number }>();

  private constructor(cluster: Minicluster, options: ReplicasOptions) {
    this.cluster = cluster;
    this.#options = options;
  }

  static async start(options: ReplicasOptions): Promise<WebhookReplicas> {
    const cluster = await startMinicluster({ ...options, controllers: false, listens: false });
    const { client } = cluster;
    // Its pods have these addresses, and are on this machine.
    await cluster.startNode({ name: 'milan-1', podCidr: '10.200.1.0/24' });
    for (const kind of allKinds) {
      await client.create(CustomResourceDefinition, forgeCustomResourceDefinition(kind));
    }
    await client.create(Namespace, { metadata: { name: namespace } });
    await client.create(Service, {
      metadata: { namespace, name: fixedNames.webhook },
      spec: { ports: [{ name: 'webhook', port: 9443 }] },
    });
    const isAsking = ({ kind = '' }: KubeObject) => kind.endsWith('WebhookConfiguration');
    for (const object of forgeManifests(values).filter(isAsking)) {
      await client.create(kindOfManifest(object), object);
    }
    return new WebhookReplicas(cluster, options);
  }

  get names(): readonly string[] {
    return [...this.#replicas.keys()];
  }

  /** Why not all of them answer yet. */
  whyNotReady(): string | undefined {
    const reasons = [...this.#replicas.values()].map((replica) => replica.whyNotReady?.());
    return reasons.find((reason) => reason !== undefined);
  }

  /** By whom the certificates of the replicas are issued, each issuer once. */
  async issuers(): Promise<readonly string[]> {
    const all = await Promise.all([...this.#replicas.values()].map(({ port }) => issuerAt(port)));
    return [...new Set(all)];
  }

  /** One more process, which gets requests from now on. */
  async add(name: string): Promise<void> {
    const { client } = this.cluster;
    const host = '127.0.0.1';
    const port = await chooseFreePort(host);
    const webhook = await startWebhook({
      ...this.#options,
      client,
      log: silentLogger,
      clusterID: values.clusterID,
      liqoNamespace: namespace,
      enforceQuotas: true,
      listener: { host, port },
    });
    this.#replicas.set(name, {
      port,
      whyNotReady: () => webhook.whyNotReady?.(),
      [Symbol.asyncDispose]: () => webhook[Symbol.asyncDispose](),
    });
    await client.create(EndpointSlice, {
      metadata: { namespace, name, labels: { 'kubernetes.io/service-name': fixedNames.webhook } },
      addressType: 'IPv4',
      endpoints: [{ addresses: ['10.200.1.7'] }],
      ports: [{ name: 'webhook', port, protocol: 'TCP' }],
    });
  }

  /** No further request is sent to it, as to a pod that is going to end. */
  async withdraw(name: string): Promise<void> {
    await this.cluster.client.delete(EndpointSlice, { namespace, name });
  }

  async stop(name: string): Promise<void> {
    await this.#replicas.get(name)?.[Symbol.asyncDispose]();
    this.#replicas.delete(name);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const replica of this.#replicas.values()) await replica[Symbol.asyncDispose]();
    await this.cluster[Symbol.asyncDispose]();
  }
}

async function issuerAt(port: number): Promise<string> {
  const socket = connect({ host: '127.0.0.1', port, rejectUnauthorized: false });
  await once(socket, 'secureConnect');
  const issuer = socket.getPeerX509Certificate()?.issuer ?? '';
  socket.destroy();
  return issuer;
}
