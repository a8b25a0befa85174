import { createPrivateKey, type KeyObject } from 'node:crypto';
import {
  allKinds,
  annotations,
  forgeCustomResourceDefinition,
  Identity,
  labels,
  ResourceSlice,
  Tenant,
} from '@liqo/api';
import {
  CertificateSigningRequest,
  type Client,
  CustomResourceDefinition,
  findCondition,
  Namespace,
  Secret,
  type Stored,
} from '@liqo/kube';
import { readCertificate, readCertificateRequest } from '@liqo/kube/x509';
import { forgeControlPlaneIdentity, forgeNonceSecret, forgeTenantNamespace } from '@liqo/model';
import { SharedInformers, type Stoppable, silentLogger, together } from '@liqo/runtime';
import { VirtualClock } from '@liqo/testkit';
import { startTestCluster, type TestCluster } from '@liqo/testkit/cluster';
import { generateClusterKey } from '../authentication/cluster-keys.ts';
import { startConsumerAuthentication } from '../authentication/consumer-authentication.ts';
import { startProviderAuthentication } from '../authentication/provider-authentication.ts';
import type { ControllerContext } from '../controller-context.ts';
import { startReplicationController } from '../replication/replication-controller.ts';
import { startSliceController } from '../slices/slice-controller.ts';
import { startTenantAccessController } from '../tenant-access/tenant-access-controller.ts';
import { Applicant } from './applicant.ts';
import { type CertificateUse, CertifiedTransport } from './certified-transport.ts';
import { controllersIdentity, installRights, liqoNamespace } from './installation.ts';
import { issueCertificate } from './issue-certificate.ts';

const atRome = 'liqo-tenant-milan';
const atMilan = 'liqo-tenant-rome';
export const minute = 60_000;
/** Short, so that many renewals need few events of the clock. */
export const lifeMs = 60 * minute;

export type Side = 'rome' | 'milan';

/** The consumer "rome" and the provider "milan" with a slice, whose certificates the test signs, on one virtual clock. */
export class RenewalWorld implements AsyncDisposable {
  readonly clock: VirtualClock;
  readonly rome: TestCluster;
  readonly milan: TestCluster;
  /** What rome's control plane did at milan with a certificate that was not valid. */
  readonly use: CertificateUse;
  /** Whether the signer of milan answers. */
  isSigning = true;
  readonly #running = new Map<Side, Stoppable>();

  private constructor(clock: VirtualClock, rome: TestCluster, milan: TestCluster) {
    this.clock = clock;
    this.rome = rome;
    this.milan = milan;
    this.use = { clock, invalid: [] };
  }

  static async start(): Promise<RenewalWorld> {
    const clock = new VirtualClock();
    const world = new RenewalWorld(
      clock,
      await startTestCluster({ clock }),
      await startTestCluster({ clock, seed: 2 }),
    );
    for (const side of ['rome', 'milan'] as const) {
      const { admin } = world[side];
      for (const kind of allKinds) {
        await admin.create(CustomResourceDefinition, forgeCustomResourceDefinition(kind));
      }
      await installRights(admin, side);
    }
    await clock.advance(10_000);
    await world.rome.admin.create(Namespace, forgeTenantNamespace('milan'));
    await world.milan.admin.create(Namespace, forgeTenantNamespace('rome'));
    await world.milan.admin.create(Secret, forgeNonceSecret('rome', atMilan));
    world.startSide('rome');
    world.startSide('milan');
    await world.pass(minute);
    await world.#introduce();
    return world;
  }

  startSide(side: Side): void {
    const context = this.#contextOf(side);
    const apiServer = { address: 'milan.example:6443', ca: '', isTrusted: true };
    const defaultClass = {
      isEnabled: true,
      resources: {},
      nodeLabels: {},
      ingressClasses: [],
      loadBalancerClasses: [],
    };
    const parts =
      side === 'rome'
        ? [
            startConsumerAuthentication(context, {
              newKey: () => generateClusterKey('ed25519'),
              reservedAddresses: 'forbidden',
            }),
            startReplicationController(context),
          ]
        : [
            startProviderAuthentication(context, { apiServer }),
            startSliceController(context, { apiServer, defaultClass }),
          ];
    this.#running.set(side, together([startTenantAccessController(context), ...parts]));
  }

  async stopSide(side: Side): Promise<void> {
    await this.#running.get(side)?.[Symbol.asyncDispose]();
    this.#running.delete(side);
  }

  /** Minute by minute; after each, the signer of milan signs what was approved. */
  async pass(ms: number): Promise<void> {
    for (let passed = 0; passed < ms; passed += minute) {
      await this.clock.advance(minute);
      if (this.isSigning) await this.#sign();
    }
  }

  /** The Identities of rome that cannot be used now, each with the reason. */
  async outages(): Promise<readonly string[]> {
    const { items } = await this.rome.admin.list(Identity, { namespace: atRome });
    const missing = items.length === 2 ? [] : [`${items.length} Identities`];
    const broken = await Promise.all(items.map((identity) => this.#outageOf(identity)));
    return [...missing, ...broken.flat()];
  }

  async #outageOf({ metadata, status }: Stored<Identity>): Promise<readonly string[]> {
    const ready = findCondition(status?.conditions, 'Ready');
    const key = { namespace: atRome, name: `kubeconfig-${metadata.name}` };
    const secret = await this.rome.admin.get(Secret, key);
    const until = expiryOf(secret);
    return [
      ...(ready?.status === 'True' ? [] : [`${metadata.name}: ${ready?.reason}`]),
      ...(until > this.clock.now() ? [] : [`${metadata.name}: its kubeconfig has expired`]),
    ];
  }

  /** Until when the kubeconfigs of rome are valid. */
  async expiries(): Promise<readonly number[]> {
    const names = ['kubeconfig-controlplane-milan', 'kubeconfig-resourceslice-mypool'];
    const { admin } = this.rome;
    const secrets = names.map((name) => admin.get(Secret, { namespace: atRome, name }));
    return (await Promise.all(secrets)).map(expiryOf);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stopSide('rome');
    await this.stopSide('milan');
    await this.rome[Symbol.asyncDispose]();
    await this.milan[Symbol.asyncDispose]();
  }

  async #introduce(): Promise<void> {
    const applicant = new Applicant('rome', await this.#romeKey());
    const nonceKey = { namespace: atMilan, name: 'liqo-nonce' };
    const nonce = await this.milan.admin.get(Secret, nonceKey);
    const text = Buffer.from(nonce?.data?.nonce ?? '', 'base64').toString();
    await this.milan.admin.create(Tenant, applicant.tenant(text));
    await this.pass(3 * minute);
    const tenant = await this.milan.admin.get(Tenant, { namespace: atMilan, name: 'rome' });
    const { authParams } = tenant?.status ?? {};
    if (!authParams) throw new Error(`rome was not let in: ${JSON.stringify(tenant?.status)}`);
    const route = { provider: 'milan', tenantNamespace: atRome, remoteNamespace: atMilan };
    await this.rome.admin.create(Identity, forgeControlPlaneIdentity({ ...route, authParams }));
    await this.rome.admin.create(ResourceSlice, forgeSlice());
    await this.pass(5 * minute);
  }

  async #romeKey(): Promise<KeyObject> {
    const key = { namespace: liqoNamespace, name: 'authentication-keys' };
    const secret = await this.rome.admin.get(Secret, key);
    return createPrivateKey(Buffer.from(secret?.data?.privateKey ?? '', 'base64').toString());
  }

  async #sign(): Promise<void> {
    const { admin } = this.milan;
    const { items } = await admin.list(CertificateSigningRequest);
    for (const request of items) {
      const isApproved = request.status?.conditions?.some(({ type }) => type === 'Approved');
      if (!isApproved || request.status?.certificate) continue;
      const certificate = await this.#issue(request);
      const status = { ...request.status, certificate };
      await admin.updateStatus(CertificateSigningRequest, { ...request, status });
    }
  }

  async #issue({ spec }: Stored<CertificateSigningRequest>): Promise<string> {
    const content = readCertificateRequest(Buffer.from(spec.request, 'base64').toString());
    const names = (content?.subject ?? [])
      .flat()
      .map((text) => text.split('=') as [string, string]);
    return issueCertificate({
      key: await this.#romeKey(),
      name: names.map(([type, value]) => ({ [type]: [value] })),
      notBeforeMs: this.clock.now(),
      notAfterMs: this.clock.now() + lifeMs,
    });
  }

  #contextOf(side: Side): ControllerContext {
    const { clock } = this;
    const { random } = this[side];
    const log = silentLogger;
    const client = this[side].clientWithRightsOf(controllersIdentity, side);
    return {
      client,
      caches: new SharedInformers({ client, clock, random, log }),
      clusterID: side,
      liqoNamespace,
      clock,
      random,
      log,
      events: { record: () => undefined, [Symbol.asyncDispose]: async () => undefined },
      connectPeer: async (kubeconfig) => this.#connectMilan(kubeconfig),
    };
  }

  #connectMilan(kubeconfig: string): Client {
    const client = this.milan.clientWithRightsOf({ name: 'rome', groups: ['liqo.io'] }, 'peer');
    return client.withTransport(
      (transport) => new CertifiedTransport(transport, kubeconfig, this.use),
    );
  }
}

function expiryOf(secret: Secret | undefined): number {
  const text = Buffer.from(secret?.data?.kubeconfig ?? '', 'base64').toString();
  const [, encoded = ''] = /client-certificate-data: (\S+)/.exec(text) ?? [];
  return readCertificate(Buffer.from(encoded, 'base64').toString())?.notAfterMs ?? 0;
}

function forgeSlice(): ResourceSlice {
  return {
    metadata: {
      name: 'mypool',
      namespace: atRome,
      annotations: { [annotations.createVirtualNode]: 'false' },
      labels: {
        [labels.replication]: 'true',
        [labels.replicationDestination]: 'milan',
        [labels.remoteClusterID]: 'milan',
      },
    },
    spec: { class: 'default', resources: { cpu: '1' } },
  };
}
