import { annotations, finalizers, ResourceSlice, Tenant } from '@liqo/api';
import { keyOf, mergePatch, type ObjectKey, type Stored } from '@liqo/kube';
import {
  type AuthenticationReport,
  type AuthParams,
  controlPlaneSubject,
  cordonChange,
  forgeAuthParams,
  ownerReference,
  refuseTenant,
  type TenantRefusal,
} from '@liqo/model';
import {
  done,
  ensureFinalizer,
  type Outcome,
  type ReconcileContext,
  requeueAfter,
} from '@liqo/runtime';
import { drainTenant } from './drain-tenant.ts';
import { spendNonce, verifyHandshake } from './handshake.ts';
import { type Issuance, issueCertificate } from './issue-certificate.ts';
import { recordTenantEvent, reportTenant } from './report-tenant.ts';
import { certificateKey, removeLeftovers, tearDownTenant } from './tear-down-tenant.ts';
import type { TenantContext } from './tenant-context.ts';
import { grantControlPlane, grantEverywhere } from './tenant-rights.ts';

type Issued = Extract<Issuance, { readonly type: 'issued' }>;
type Waiting = Extract<Issuance, { readonly type: 'waiting' }>;

/** A timer cannot be set for longer than some weeks, and a certificate may be valid for years. */
const longestWaitMs = 24 * 60 * 60_000;

/** Lets a consumer in as far as its Tenant says, and lets it out. */
export class TenantReconciler {
  readonly #context: TenantContext;

  constructor(context: TenantContext) {
    this.#context = context;
  }

  async reconcile(key: ObjectKey, run: ReconcileContext): Promise<Outcome> {
    const { client, tenants, namespaces, clusterID } = this.#context;
    const tenant = tenants.get(key);
    if (!tenant) return removeLeftovers(this.#context, key.name, run);
    if (tenant.metadata.deletionTimestamp !== undefined) {
      return tearDownTenant(this.#context, tenant, run);
    }
    const refusal = refuseTenant(tenant, {
      ownClusterID: clusterID,
      namespaces: namespaces.list(),
      tenants: tenants.list(),
    });
    if (refusal) return this.#deny(tenant, refusal, run);
    const held = await ensureFinalizer(client, Tenant, tenant, finalizers.tenant, run.signal);
    return held ? this.#apply(held, run) : done;
  }

  async #apply(tenant: Stored<Tenant>, run: ReconcileContext): Promise<Outcome> {
    const { tenantCondition, authzPolicy } = tenant.spec;
    if (tenantCondition === 'Drained') {
      await drainTenant(this.#context, tenant, run);
      return done;
    }
    await this.#cordon(tenant, run.signal);
    if (authzPolicy === 'TolerateNoHandshake') return this.#admit(tenant, run);
    const verdict = await verifyHandshake(this.#context, tenant, run.signal);
    if (verdict.type === 'refuse') return this.#deny(tenant, verdict, run);
    return verdict.type === 'wait' ? this.#hold(tenant, verdict, run) : this.#issue(tenant, run);
  }

  /** The Quotas of cordoned slices admit no pod. */
  async #cordon({ metadata, spec }: Stored<Tenant>, signal: AbortSignal): Promise<void> {
    const { client, slices } = this.#context;
    for (const slice of slices.list(metadata.namespace)) {
      const change = cordonChange(slice, spec);
      if (change === undefined) continue;
      const patch = mergePatch({
        metadata: { uid: slice.metadata.uid, annotations: { [annotations.cordonTenant]: change } },
      });
      await client.patch(ResourceSlice, keyOf(slice), patch, { signal });
    }
  }

  /** Without a handshake nothing is issued. */
  async #admit(tenant: Stored<Tenant>, run: ReconcileContext): Promise<Outcome> {
    await grantEverywhere(this.#context, tenant, run);
    const message =
      'No handshake is asked for: the administrator of this cluster hands out credentials, and binds their user';
    const report = { status: 'Accepted', reason: 'HandshakeNotRequired', message } as const;
    await this.#report(tenant, report, undefined, run);
    return done;
  }

  async #issue(tenant: Stored<Tenant>, run: ReconcileContext): Promise<Outcome> {
    const { clusterID = '', csr = '', publicKey = '', proxyURL } = tenant.spec;
    const apiServer = this.#context.apiServer.read();
    if (apiServer.type === 'unknown') return this.#hold(tenant, apiServer, run);
    const identity = {
      subject: controlPlaneSubject(clusterID),
      consumerClusterID: clusterID,
      csr,
      publicKey,
      secret: certificateKey(tenant),
      owner: ownerReference(Tenant, tenant.metadata),
    };
    const issuance = await issueCertificate(this.#context, identity, run);
    if (issuance.type === 'refused') return this.#deny(tenant, issuance, run);
    if (issuance.type === 'waiting') return this.#await(tenant, issuance, run);
    const authParams = forgeAuthParams(apiServer, issuance.certificate, proxyURL);
    return this.#handOver(tenant, issuance, authParams, run);
  }

  /** The rights come before the credentials: the consumer may use these at once. */
  async #handOver(
    tenant: Stored<Tenant>,
    { problem, checkInMs }: Issued,
    authParams: AuthParams,
    run: ReconcileContext,
  ): Promise<Outcome> {
    await grantControlPlane(this.#context, tenant, run);
    await grantEverywhere(this.#context, tenant, run);
    const before = tenant.status?.authParams?.signedCRT;
    await this.#report(tenant, accepted(problem), authParams, run);
    if (before !== undefined && before !== authParams.signedCRT) {
      const note = 'The consumer has a new certificate';
      recordTenantEvent(this.#context, tenant, {
        type: 'Normal',
        reason: 'CertificateRenewed',
        note,
      });
    }
    await spendNonce(this.#context, tenant, run.signal);
    return requeueAfter(
      Math.min(checkInMs, longestWaitMs),
      'waiting for the certificate to be due',
    );
  }

  async #await(tenant: Stored<Tenant>, waiting: Waiting, run: ReconcileContext): Promise<Outcome> {
    const { isLate, message, checkInMs } = waiting;
    if (isLate) await this.#hold(tenant, { reason: 'CertificateNotIssued', message }, run);
    return requeueAfter(checkInMs, message);
  }

  async #hold(tenant: Stored<Tenant>, why: TenantRefusal, run: ReconcileContext): Promise<Outcome> {
    const { reason, message } = why;
    await this.#report(tenant, { status: 'Pending', reason, message }, undefined, run);
    return done;
  }

  /** What was issued before stays: it belongs to a key that was accepted. */
  async #deny(tenant: Stored<Tenant>, why: TenantRefusal, run: ReconcileContext): Promise<Outcome> {
    const { reason, message } = why;
    await this.#report(tenant, { status: 'Denied', reason, message }, undefined, run);
    return done;
  }

  async #report(
    tenant: Stored<Tenant>,
    report: AuthenticationReport,
    authParams: AuthParams | undefined,
    { signal, wrote }: ReconcileContext,
  ): Promise<void> {
    const tenantNamespace = tenant.metadata.namespace ?? '';
    const given =
      report.status === 'Accepted' ? { tenantNamespace, ...(authParams && { authParams }) } : {};
    const written = await reportTenant(this.#context, tenant, report, given, signal);
    if (written !== tenant) wrote(this.#context.tenants, written);
  }
}

function accepted(problem: string | undefined): AuthenticationReport {
  if (problem !== undefined) {
    return { status: 'Accepted', reason: 'RenewalDelayed', message: problem };
  }
  const message = 'The consumer has proved that it holds its key, and has its credentials';
  return { status: 'Accepted', reason: 'Reconciled', message };
}
