import { createPrivateKey, type KeyObject } from 'node:crypto';
import { allKinds, forgeCustomResourceDefinition, Identity } from '@liqo/api';
import { CustomResourceDefinition, Namespace, Secret } from '@liqo/kube';
import {
  type AuthParams,
  forgeControlPlaneIdentity,
  forgeTenantNamespace,
  type IdentitySubject,
} from '@liqo/model';
import {
  Metrics,
  type RecordedEvent,
  SharedInformers,
  type Stoppable,
  silentLogger,
  together,
} from '@liqo/runtime';
import { startTestCluster, type TestCluster } from '@liqo/testkit/cluster';
import { generateClusterKey } from '../authentication/cluster-keys.ts';
import {
  type ConsumerAuthenticationOptions,
  startConsumerAuthentication,
} from '../authentication/consumer-authentication.ts';
import type { ControllerContext } from '../controller-context.ts';
import { startTenantAccessController } from '../tenant-access/tenant-access-controller.ts';
import { controllersIdentity, installRights, liqoNamespace } from './installation.ts';
import { issueCertificate } from './issue-certificate.ts';

export const tenantNamespace = 'liqo-tenant-milan';
export const keysKey = { namespace: liqoNamespace, name: 'authentication-keys' };
export const day = 24 * 60 * 60_000;

/** The consumer "rome", and what the provider "milan" gives it, as the test says. */
export interface ConsumerWorld extends AsyncDisposable {
  readonly rome: TestCluster;
  readonly context: ControllerContext;
  readonly events: readonly RecordedEvent[];
  readonly metrics: Metrics;
  start(options?: Partial<ConsumerAuthenticationOptions>): void;
  stop(): Promise<void>;
  pass(ms: number): Promise<void>;
  key(): Promise<KeyObject>;
  /** AuthParams with a certificate for the key of the cluster. */
  issue(options?: IssueOptions): Promise<AuthParams>;
  createIdentity(authParams: AuthParams): Promise<void>;
  identity(): ReturnType<typeof getIdentity>;
}

interface IssueOptions {
  readonly subject?: IdentitySubject;
  readonly fromMs?: number;
  readonly forMs?: number;
  readonly key?: KeyObject;
}

export async function startConsumerWorld(): Promise<ConsumerWorld> {
  const rome = await startTestCluster();
  const { admin, clock } = rome;
  for (const kind of allKinds) {
    await admin.create(CustomResourceDefinition, forgeCustomResourceDefinition(kind));
  }
  await installRights(admin, 'rome');
  await clock.advance(10_000);
  await admin.create(Namespace, forgeTenantNamespace('milan'));
  const events: RecordedEvent[] = [];
  const metrics = new Metrics();
  const context = contextOf(rome, events, metrics);
  let running: Stoppable | undefined;
  const stop = async () => {
    await running?.[Symbol.asyncDispose]();
    running = undefined;
  };
  const key = async () => {
    const secret = await admin.get(Secret, keysKey);
    return createPrivateKey(Buffer.from(secret?.data?.privateKey ?? '', 'base64').toString());
  };
  return {
    rome,
    context,
    events,
    metrics,
    start(options = {}) {
      const defaults = {
        newKey: () => generateClusterKey('ed25519'),
        reservedAddresses: 'forbidden',
      } as const;
      running = together([
        startTenantAccessController(context),
        startConsumerAuthentication(context, { ...defaults, ...options }),
      ]);
    },
    stop,
    pass: (ms) => clock.advance(ms),
    key,
    async issue(options = {}) {
      const { subject, fromMs = -5 * 60_000, forMs = 365 * day } = options;
      const { commonName, organization } = subject ?? {
        commonName: 'rome',
        organization: 'liqo.io',
      };
      const notBeforeMs = clock.now() + fromMs;
      const signedCRT = await issueCertificate({
        key: options.key ?? (await key()),
        name: [{ O: [organization] }, { CN: [commonName] }],
        notBeforeMs,
        notAfterMs: notBeforeMs + forMs,
      });
      return { apiServer: 'https://milan.example:6443', ca: signedCRT, signedCRT };
    },
    async createIdentity(authParams) {
      const route = { provider: 'milan', tenantNamespace, remoteNamespace: 'liqo-tenant-rome' };
      await admin.create(Identity, forgeControlPlaneIdentity({ ...route, authParams }));
    },
    identity: () => getIdentity(rome),
    async [Symbol.asyncDispose]() {
      await stop();
      await rome[Symbol.asyncDispose]();
      rome.denied.refuse();
    },
  };
}

function getIdentity({ admin }: TestCluster) {
  return admin.get(Identity, { namespace: tenantNamespace, name: 'controlplane-milan' });
}

function contextOf(
  rome: TestCluster,
  recorded: RecordedEvent[],
  metrics: Metrics,
): ControllerContext {
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
    events: {
      record: (event) => recorded.push(event),
      [Symbol.asyncDispose]: async () => undefined,
    },
    connectPeer: async () => {
      throw new Error('nothing connects in this world');
    },
  };
}
