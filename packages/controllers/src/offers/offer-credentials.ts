import { createPrivateKey, type KeyObject } from 'node:crypto';
import { Advertisement, fixedNames, labels, Quota, type Tenant } from '@liqo/api';
import { deepEqual, isAlreadyExists, mergePatch, Secret, type Stored } from '@liqo/kube';
import { forgeKubeconfigText, forgeOfferQuota, offerSubject, ownerReference } from '@liqo/model';
import type { CachedReader, ReconcileContext } from '@liqo/runtime';
import type { ApiServerAdvertiser } from '../authentication/advertised-api-server.ts';
import { type IssuerContext, issueCertificate } from '../authentication/issue-certificate.ts';

export interface OfferCredentialsContext extends IssuerContext {
  readonly clusterID: string;
  readonly quotas: CachedReader<Quota>;
  readonly apiServer: Pick<ApiServerAdvertiser, 'read'>;
  /** Of the user of an offer. */
  readonly newKey: () => KeyObject;
}

type Offer = Stored<Advertisement>;

/** A timer cannot be set for longer than some weeks. */
const longestWaitMs = 24 * 60 * 60_000;

/** The user of an offer, limited by a Quota, and the Secret with its kubeconfig. All of it goes with the offer. */
export class OfferCredentials {
  readonly #context: OfferCredentialsContext;

  constructor(context: OfferCredentialsContext) {
    this.#context = context;
  }

  /** The limit comes before the credentials. Gives back when to look again. */
  async provide(offer: Offer, tenant: Stored<Tenant>, run: ReconcileContext): Promise<number> {
    await this.#limit(offer, tenant.spec.tenantCondition !== 'Active', run.signal);
    const secret = await this.#ensureKey(offer, run.signal);
    const pem = Buffer.from(secret?.data?.privateKey ?? '', 'base64').toString();
    const apiServer = this.#context.apiServer.read();
    if (!secret || pem === '' || apiServer.type === 'unknown') return 5_000;
    const { consumerClusterID } = offer.spec;
    const { namespace = '' } = offer.metadata;
    const subject = offerSubject(consumerClusterID);
    const identity = {
      subject,
      consumerClusterID,
      csr: await requestFor(subject, createPrivateKey(pem)),
      publicKey: undefined,
      secret: { namespace, name: fixedNames.offerCertificateSecret },
      owner: ownerReference(Advertisement, offer.metadata),
    };
    const issuance = await issueCertificate(this.#context, identity, run);
    if (issuance.type === 'refused') return longestWaitMs;
    if (issuance.type === 'waiting') return issuance.checkInMs;
    const kubeconfig = forgeKubeconfigText({
      provider: this.#context.clusterID,
      user: subject.commonName,
      server: apiServer.apiServer,
      ca: apiServer.ca,
      proxyUrl: tenant.spec.proxyURL,
      certificate: issuance.certificate,
      key: secret.data?.privateKey ?? '',
    });
    await this.#publish(secret, kubeconfig, run.signal);
    return Math.min(issuance.checkInMs, longestWaitMs);
  }

  async #limit(offer: Offer, isCordoned: boolean, signal: AbortSignal): Promise<void> {
    const { client, quotas } = this.#context;
    const wanted = forgeOfferQuota(offer, isCordoned);
    const { name = '', namespace } = wanted.metadata ?? {};
    const existing = quotas.get({ namespace, name });
    if (!existing) {
      await client.create(Quota, wanted, signal).catch((error) => {
        // The cache is behind: its event leads here again.
        if (!isAlreadyExists(error)) throw error;
      });
      return;
    }
    if (deepEqual(existing.spec, wanted.spec)) return;
    const { resourceVersion } = existing.metadata;
    const gone = Object.keys(existing.spec.resources ?? {});
    const resources = {
      ...Object.fromEntries(gone.map((resource) => [resource, null])),
      ...wanted.spec.resources,
    };
    const patch = mergePatch({
      metadata: { resourceVersion },
      spec: { ...wanted.spec, resources },
    } as never);
    await client.patch(Quota, { namespace, name }, patch, { signal });
  }

  async #ensureKey(offer: Offer, signal: AbortSignal): Promise<Stored<Secret> | undefined> {
    const { client, newKey } = this.#context;
    const { namespace = '' } = offer.metadata;
    const key = { namespace, name: fixedNames.offerKubeconfigSecret };
    const existing = await client.get(Secret, key, signal);
    if (existing) {
      const isOurs = existing.metadata.ownerReferences?.some(
        ({ uid }) => uid === offer.metadata.uid,
      );
      return isOurs ? existing : undefined;
    }
    const pem = newKey().export({ format: 'pem', type: 'pkcs8' });
    const secret: Secret = {
      metadata: {
        ...key,
        labels: {
          [labels.managed]: 'true',
          [labels.remoteClusterID]: offer.spec.consumerClusterID,
        },
        ownerReferences: [ownerReference(Advertisement, offer.metadata)],
      },
      type: 'Opaque',
      data: { privateKey: Buffer.from(pem).toString('base64') },
    };
    return client.create(Secret, secret, signal);
  }

  async #publish(secret: Stored<Secret>, text: string, signal: AbortSignal): Promise<void> {
    const kubeconfig = Buffer.from(text).toString('base64');
    if (secret.data?.kubeconfig === kubeconfig) return;
    const { name, namespace, resourceVersion } = secret.metadata;
    const patch = mergePatch({ metadata: { resourceVersion }, data: { kubeconfig } } as never);
    await this.#context.client.patch(Secret, { namespace, name }, patch, { signal });
  }
}

/** The same bytes each time. */
async function requestFor(
  subject: ReturnType<typeof offerSubject>,
  key: KeyObject,
): Promise<string> {
  // Loaded when it is needed: it takes its time.
  const { forgeCertificateRequest } = await import('@liqo/kube/x509');
  return Buffer.from(forgeCertificateRequest({ subject, key })).toString('base64');
}
