import { ResourceSlice, remoteCertificateSecretName, type Tenant } from '@liqo/api';
import {
  type CertificateSigningRequest,
  type Client,
  type Clock,
  deepEqual,
  findCondition,
  formatTime,
  type ObjectKey,
  oneLine,
  type Stored,
} from '@liqo/kube';
import {
  type AuthParams,
  acceptedStatus,
  consumerOf,
  type DefaultClass,
  decidedStatus,
  deniedStatus,
  forgeAuthParams,
  grantResources,
  judgeSlice,
  ownerReference,
  type SliceVerdict,
  sliceAge,
  sliceSubject,
} from '@liqo/model';
import {
  type CachedReader,
  done,
  type EventRecorder,
  type Informer,
  type Outcome,
  type ReconcileContext,
  requeueAfter,
  writeStatus,
} from '@liqo/runtime';
import type { ApiServerAdvertiser } from '../authentication/advertised-api-server.ts';
import { hasProvedKey } from '../authentication/handshake.ts';
import { type Issuance, issueCertificate } from '../authentication/issue-certificate.ts';
import type { WhyMisplaced } from '../tenancy.ts';

interface SliceContext {
  readonly client: Client;
  readonly clock: Clock;
  readonly clusterID: string;
  readonly events: EventRecorder;
  /** Copies from consumers. */
  readonly slices: Informer<ResourceSlice>;
  readonly tenants: CachedReader<Tenant>;
  readonly requests: Informer<CertificateSigningRequest>;
  readonly apiServer: Pick<ApiServerAdvertiser, 'read'>;
  readonly whyMisplaced: WhyMisplaced;
  readonly mostSlices: number;
  readonly readDefaultClass: () => DefaultClass;
}

type Slice = Stored<ResourceSlice>;
type SliceStatus = NonNullable<ResourceSlice['status']>;
type Issued = Extract<Issuance, { readonly type: 'issued' }>;

/** A timer cannot be set for longer than some weeks, and a certificate may be valid for years. */
const longestWaitMs = 24 * 60 * 60_000;
/** Another slice may go, and leave its place. */
const deniedMs = 300_000;

/** Gives the slice of a consumer its credentials, and what its class grants. */
export class SliceReconciler {
  readonly #context: SliceContext;

  constructor(context: SliceContext) {
    this.#context = context;
  }

  async reconcile(key: ObjectKey, run: ReconcileContext): Promise<Outcome> {
    const slice = this.#context.slices.get(key);
    if (!slice || slice.metadata.deletionTimestamp !== undefined) return done;
    const tenant = this.#tenantOf(slice);
    const verdict = await this.#judge(slice, tenant);
    if (verdict.type === 'refuse') return this.#deny(slice, verdict.message, run);
    if (verdict.type === 'wait' || !tenant) return done;
    return this.#issue(slice, tenant, verdict.publicKey, run);
  }

  async #judge(slice: Slice, tenant: Stored<Tenant> | undefined): Promise<SliceVerdict> {
    const { clusterID, mostSlices, slices, whyMisplaced } = this.#context;
    const { namespace = '' } = slice.metadata;
    const isOlder = (other: Slice) => sliceAge(other) < sliceAge(slice);
    return judgeSlice(slice, {
      ownClusterID: clusterID,
      misplaced: whyMisplaced(namespace, consumerOf(slice)),
      tenant,
      isKeyProved: tenant !== undefined && (await hasProvedKey(tenant)),
      older: slices.list(namespace).filter(isOlder).length,
      mostSlices,
    });
  }

  /** Of several, the oldest counts. */
  #tenantOf(slice: Slice): Stored<Tenant> | undefined {
    const [oldest] = this.#context.tenants
      .list(slice.metadata.namespace)
      .filter(({ spec }) => spec.clusterID === consumerOf(slice))
      .sort((one, other) => (age(one) < age(other) ? -1 : 1));
    return oldest;
  }

  async #issue(
    slice: Slice,
    tenant: Stored<Tenant>,
    publicKey: string | undefined,
    run: ReconcileContext,
  ): Promise<Outcome> {
    const apiServer = this.#context.apiServer.read();
    // The Tenant says so.
    if (apiServer.type === 'unknown') return done;
    const { name, namespace } = slice.metadata;
    const consumerClusterID = consumerOf(slice);
    const identity = {
      subject: sliceSubject(name, consumerClusterID),
      consumerClusterID,
      csr: slice.spec?.csr ?? '',
      publicKey,
      secret: { namespace, name: remoteCertificateSecretName(name) },
      owner: ownerReference(ResourceSlice, slice.metadata),
    };
    const issuance = await issueCertificate(this.#context, identity, run);
    if (issuance.type === 'refused') return this.#deny(slice, issuance.message, run);
    if (issuance.type === 'waiting') return requeueAfter(issuance.checkInMs, issuance.message);
    const { proxyURL } = tenant.spec;
    const authParams = forgeAuthParams(apiServer, issuance.certificate, proxyURL);
    return this.#accept(slice, tenant, { issuance, authParams }, run);
  }

  async #accept(
    slice: Slice,
    tenant: Stored<Tenant>,
    { issuance, authParams }: { readonly issuance: Issued; readonly authParams: AuthParams },
    run: ReconcileContext,
  ): Promise<Outcome> {
    const now = formatTime(this.#context.clock.now());
    const accepted = acceptedStatus(slice.status, authParams, now);
    const decision = grantResources(slice, tenant.spec, this.#context.readDefaultClass());
    await this.#report(slice, decidedStatus(accepted, decision, now), run);
    const againMs = Math.min(issuance.checkInMs, longestWaitMs);
    return requeueAfter(againMs, 'waiting for the certificate to be due');
  }

  async #deny(slice: Slice, fact: string, run: ReconcileContext): Promise<Outcome> {
    const now = formatTime(this.#context.clock.now());
    await this.#report(slice, deniedStatus(slice.status, fact, now), run);
    return requeueAfter(deniedMs, fact);
  }

  /** Tells about what is new. */
  async #report(slice: Slice, status: SliceStatus, run: ReconcileContext): Promise<void> {
    const { client, events, slices } = this.#context;
    const written = await writeStatus(client, ResourceSlice, slice, status, run.signal);
    if (written === slice) return;
    run.wrote(slices, written);
    for (const condition of status.conditions ?? []) {
      const before = findCondition(slice.status?.conditions, condition.type);
      if (deepEqual(before, condition)) continue;
      const { type, status: outcome, message = '' } = condition;
      const isDenied = outcome === 'Denied';
      const reason =
        isDenied && type === 'Authentication' ? 'InvalidCSR' : (condition.reason ?? type);
      events.record({
        regarding: slice,
        type: isDenied ? 'Warning' : 'Normal',
        reason,
        action: type === 'Authentication' ? 'Authenticating' : 'Granting',
        note: oneLine(message),
      });
    }
  }
}

function age({ metadata }: Stored<Tenant>): string {
  return `${metadata.creationTimestamp} ${metadata.name}`;
}
