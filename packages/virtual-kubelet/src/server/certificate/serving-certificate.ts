import { X509Certificate } from 'node:crypto';
import { type Client, type Clock, jitter, type Random, sleep } from '@liqo/kube';
import { type Logger, settlesWithin } from '@liqo/runtime';
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
/** With the signer, while somebody waits: an API server gives a node 30 s to answer. */
const patienceMs = 5_000;

/**
 * What the node proves itself with, from the first caller on: before, no key is made and nobody is asked for anything. The
 * keys are in memory only: a process that starts anew asks anew. Renewed when most of its life is over; until that has
 * worked, what there is stays in use.
 */
export class ServingCertificate implements AsyncDisposable {
  readonly #options: ServingCertificateOptions;
  readonly #stop = new AbortController();
  #current: KeyPair | undefined;
  /** What those wait for who come before there is anything to serve with. */
  #coming: Promise<KeyPair> | undefined;
  #firstAttempt: Promise<KeyPair> | undefined;
  #running: Promise<void> | undefined;

  constructor(options: ServingCertificateOptions) {
    this.#options = options;
  }

  /** For one more caller: what there is, at once if there is something. Rejects when no key can be made, and after disposal. */
  async keys(): Promise<KeyPair> {
    if (this.#current) return this.#current;
    this.#coming ??= this.#first().finally(() => {
      this.#coming = undefined;
    });
    return this.#coming;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await Promise.allSettled([this.#coming, this.#running]);
  }

  /** A self-signed one, until a better one has come, where the signer refuses or takes its time. */
  async #first(): Promise<KeyPair> {
    const { signal } = this.#stop;
    signal.throwIfAborted();
    this.#firstAttempt ??= this.#start();
    await settlesWithin(this.#firstAttempt, this.#options.clock, patienceMs);
    signal.throwIfAborted();
    const keys = this.#current ?? (await selfSigned(this.#options));
    this.#current ??= keys;
    return this.#current;
  }

  #start(): Promise<KeyPair> {
    const { signal } = this.#stop;
    const attempt = this.#renew(signal);
    this.#running = this.#keepFresh(attempt, signal).catch((error) => {
      if (!signal.aborted) throw error;
    });
    return attempt;
  }

  async #keepFresh(firstAttempt: Promise<KeyPair>, signal: AbortSignal): Promise<void> {
    const { clock, random, log } = this.#options;
    let failures = 0;
    for (let attempt = firstAttempt; ; attempt = this.#renew(signal)) {
      try {
        const keys = await attempt;
        failures = 0;
        await this.#untilRenewal(keys, signal);
      } catch (error) {
        if (signal.aborted) throw error;
        const delayMs = Math.min(firstRetryMs * 2 ** failures++, longestRetryMs);
        log.warn('Cannot get a serving certificate', { err: error, retryInMs: delayMs });
        await sleep(clock, jitter(random, delayMs, 0.5), signal);
      }
    }
  }

  async #renew(signal: AbortSignal): Promise<KeyPair> {
    const keys = await this.#obtain(signal);
    this.#current = keys;
    const { validTo } = new X509Certificate(keys.certificate);
    this.#options.log.info('Serves with a new certificate', { validTo });
    return keys;
  }

  async #obtain(signal: AbortSignal): Promise<KeyPair> {
    const { certificateType } = this.#options;
    if (certificateType === 'self-signed') return selfSigned(this.#options);
    const { requestCertificate } = await import('./request-certificate.ts');
    const signerName = signerNames[certificateType];
    return requestCertificate({ ...this.#options, signerName }, signal);
  }

  /** Somewhere between 70 and 80 % of its life: many nodes that started together do not ask together. */
  #untilRenewal({ certificate }: KeyPair, signal: AbortSignal): Promise<void> {
    const { clock, random } = this.#options;
    const { validFrom, validTo } = new X509Certificate(certificate);
    const fromMs = Date.parse(validFrom);
    const lifeMs = Date.parse(validTo) - fromMs;
    const renewAtMs = fromMs + lifeMs * (0.7 + 0.1 * random());
    return sleep(clock, Math.max(soonestRenewalMs, renewAtMs - clock.now()), signal);
  }
}

/** Loaded when it is needed: it takes its time. */
async function selfSigned({ nodeName, addresses, clock }: ServingCertificateOptions) {
  const { forgeServingCertificate } = await import('./forge-certificates.ts');
  const notBeforeMs = clock.now() - backdateMs;
  const notAfterMs = notBeforeMs + selfSignedLifeMs;
  return forgeServingCertificate({ nodeName, addresses }, { notBeforeMs, notAfterMs });
}
