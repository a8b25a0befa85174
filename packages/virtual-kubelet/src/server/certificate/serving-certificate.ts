import { X509Certificate } from 'node:crypto';
import { type Client, type Clock, jitter, type Random, sleep } from '@liqo/kube';
import type { Logger } from '@liqo/runtime';
import type { KeyPair } from './key-pair.ts';

/** Where the certificate comes from: a signer of Kubernetes, that of EKS, or nobody. */
export type CertificateType = 'kubelet' | 'aws' | 'self-signed';

export interface ServingCertificateOptions {
  /** The cluster that the node is in. */
  readonly client: Client;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  readonly nodeName: string;
  /** The IP addresses by which the node is reached. */
  readonly addresses: readonly string[];
  readonly certificateType: CertificateType;
}

const signerNames = {
  kubelet: 'kubernetes.io/kubelet-serving',
  aws: 'beta.eks.amazonaws.com/app-serving',
} as const;

const selfSignedLifeMs = 365 * 24 * 3600_000;
/** For clocks that are behind. */
const backdateMs = 5 * 60_000;
const firstRetryMs = 5_000;
const longestRetryMs = 10 * 60_000;
/** However little life a certificate has when it comes: clocks differ, and nobody is asked without a break. */
const soonestRenewalMs = 5 * 60_000;

/** Resolves as soon as there is a certificate to serve with: a self-signed one, until a better one has come. */
export async function startServingCertificate(
  options: ServingCertificateOptions,
): Promise<ServingCertificate> {
  const certificate = new ServingCertificate(options, await selfSigned(options));
  certificate.keepFresh();
  return certificate;
}

/**
 * What the node proves itself with. The keys are in memory only: a process that starts anew asks anew. Renewed when most
 * of its life is over; until that has worked, what there is stays in use.
 */
export class ServingCertificate implements AsyncDisposable {
  readonly #options: ServingCertificateOptions;
  readonly #listeners = new Set<(keys: KeyPair) => void>();
  readonly #stop = new AbortController();
  #current: KeyPair;
  #running: Promise<void> = Promise.resolve();

  constructor(options: ServingCertificateOptions, first: KeyPair) {
    this.#options = options;
    this.#current = first;
  }

  get current(): KeyPair {
    return this.#current;
  }

  /** Told of every further certificate. */
  subscribe(listener: (keys: KeyPair) => void): Disposable {
    this.#listeners.add(listener);
    return { [Symbol.dispose]: () => this.#listeners.delete(listener) };
  }

  keepFresh(): void {
    const { certificateType } = this.#options;
    const { signal } = this.#stop;
    const work =
      certificateType === 'self-signed'
        ? this.#renewSelfSigned(signal)
        : this.#followSigner(signerNames[certificateType], signal);
    this.#running = work.catch((error) => {
      if (!signal.aborted) throw error;
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  async #renewSelfSigned(signal: AbortSignal): Promise<void> {
    for (;;) {
      await this.#untilRenewal(signal);
      this.#use(await selfSigned(this.#options));
    }
  }

  async #followSigner(signerName: string, signal: AbortSignal): Promise<void> {
    const { clock, random, log } = this.#options;
    for (let failures = 0; ; ) {
      try {
        const { requestCertificate } = await import('./request-certificate.ts');
        this.#use(await requestCertificate({ ...this.#options, signerName }, signal));
        failures = 0;
        await this.#untilRenewal(signal);
      } catch (error) {
        if (signal.aborted) throw error;
        const delayMs = Math.min(firstRetryMs * 2 ** failures++, longestRetryMs);
        log.warn('Cannot get a serving certificate', { err: error, retryInMs: delayMs });
        await sleep(clock, jitter(random, delayMs, 0.5), signal);
      }
    }
  }

  #use(keys: KeyPair): void {
    this.#current = keys;
    const { validTo } = new X509Certificate(keys.certificate);
    this.#options.log.info('Serves with a new certificate', { validTo });
    for (const listener of this.#listeners) listener(keys);
  }

  /** Somewhere between 70 and 80 % of its life: many nodes that started together do not ask together. */
  #untilRenewal(signal: AbortSignal): Promise<void> {
    const { clock, random } = this.#options;
    const { validFrom, validTo } = new X509Certificate(this.#current.certificate);
    const fromMs = Date.parse(validFrom);
    const lifeMs = Date.parse(validTo) - fromMs;
    const renewAtMs = fromMs + lifeMs * (0.7 + 0.1 * random());
    return sleep(clock, Math.max(soonestRenewalMs, renewAtMs - clock.now()), signal);
  }
}

/** Loaded when it is needed: it takes its time. */
async function selfSigned({ nodeName, addresses, clock }: ServingCertificateOptions) {
  const { forgeSelfSigned } = await import('./forge-certificates.ts');
  const notBeforeMs = clock.now() - backdateMs;
  const notAfterMs = notBeforeMs + selfSignedLifeMs;
  return forgeSelfSigned({ nodeName, addresses }, { notBeforeMs, notAfterMs });
}
