import { Tenant } from '@liqo/api';
import { type Client, Namespace, Secret, type Stored } from '@liqo/kube';
import { connectKubeconfig, forgeKubeconfig } from '@liqo/kube/node';
import { forgeNonceSecret, forgeTenantNamespace } from '@liqo/model';
import type { Stoppable } from '@liqo/runtime';
import { eventually } from '@liqo/testkit';
import { startProviderAuthentication } from '../authentication/provider-authentication.ts';
import { Applicant } from './applicant.ts';
import { startCluster, type TestCluster } from './start-cluster.ts';

export const patient = { timeoutMs: 30_000 };

/** The provider "milan", and what administrators do there for consumers. */
export class ProviderWorld implements AsyncDisposable {
  readonly milan: TestCluster;
  readonly #controller: Stoppable;

  constructor(milan: TestCluster) {
    this.milan = milan;
    const apiServer = { address: 'milan.example:6443', ca: '', isTrusted: false };
    this.#controller = startProviderAuthentication(milan.context, { apiServer });
  }

  static async start(): Promise<ProviderWorld> {
    return new ProviderWorld(await startCluster('milan'));
  }

  /** A tenant namespace with a nonce. */
  async prepare(clusterID: string): Promise<string> {
    const { client } = this.milan;
    await client.create(Namespace, forgeTenantNamespace(clusterID));
    await client.create(Secret, forgeNonceSecret(clusterID, namespaceOf(clusterID)));
    return eventually(async () => {
      const nonce = await this.nonce(clusterID);
      if (nonce === '') throw new Error('there is no nonce yet');
      return nonce;
    }, patient);
  }

  async nonce(clusterID: string): Promise<string> {
    const key = { namespace: namespaceOf(clusterID), name: 'liqo-nonce' };
    const secret = await this.milan.client.get(Secret, key);
    return Buffer.from(secret?.data?.nonce ?? '', 'base64').toString();
  }

  tenant(clusterID: string): Promise<Stored<Tenant> | undefined> {
    const key = { namespace: namespaceOf(clusterID), name: clusterID };
    return this.milan.client.get(Tenant, key);
  }

  /** Of the last time that the Tenant was judged. */
  async reason(clusterID: string): Promise<string | undefined> {
    return (await this.tenant(clusterID))?.status?.conditions?.[0]?.reason;
  }

  /** With a Tenant, and credentials. */
  async admit(clusterID: string): Promise<Applicant> {
    const applicant = new Applicant(clusterID);
    await this.milan.client.create(Tenant, applicant.tenant(await this.prepare(clusterID)));
    await eventually(async () => {
      const reason = await this.reason(clusterID);
      if (reason !== 'Reconciled') throw new Error(`the Tenant is not accepted: ${reason}`);
    }, patient);
    return applicant;
  }

  /** With the credentials that the Tenant shows, over TLS. */
  async connect({ clusterID, key }: Applicant): Promise<Client> {
    const { ca = '', signedCRT = '' } = (await this.tenant(clusterID))?.status?.authParams ?? {};
    const user = {
      clientCertificatePem: decode(signedCRT),
      clientKeyPem: key.export({ format: 'pem', type: 'pkcs8' }).toString(),
    };
    const { server } = this.milan.cluster;
    const { clock, random } = this.milan.context;
    const config = forgeKubeconfig({ name: 'milan', server, caPem: decode(ca), user });
    return connectKubeconfig(config, { clock, random });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#controller[Symbol.asyncDispose]();
    await this.milan[Symbol.asyncDispose]();
  }
}

export function namespaceOf(clusterID: string): string {
  return `liqo-tenant-${clusterID}`;
}

function decode(text: string): string {
  return Buffer.from(text, 'base64').toString();
}
