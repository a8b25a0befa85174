import type {
  CallSignal,
  Clock,
  ReplaceableCredentials,
  Transport,
  TransportRequest,
} from '@liqo/kube';
import { parseKubeconfig, selectContext } from '@liqo/kube/node';
import { readCertificate } from '@liqo/kube/x509';

/** Calls that a server would refuse because the client certificate is not valid at that time. */
export interface CertificateUse {
  readonly clock: Clock;
  readonly invalid: string[];
}

/** A transport that proves its identity by the client certificate of a kubeconfig, which another one may replace. */
export class CertifiedTransport implements Transport, ReplaceableCredentials {
  readonly host: string;
  readonly #inner: Transport;
  readonly #use: CertificateUse;
  #certificate: string;

  constructor(inner: Transport, kubeconfig: string, use: CertificateUse) {
    this.host = inner.host;
    this.#inner = inner;
    this.#use = use;
    const { user } = selectContext(parseKubeconfig(kubeconfig, 'peer'));
    const encoded = user?.user['client-certificate-data'] ?? '';
    this.#certificate = Buffer.from(encoded, 'base64').toString();
  }

  get credentials(): ReplaceableCredentials {
    return this;
  }

  async replaceWith(others: ReplaceableCredentials): Promise<boolean> {
    if (!(others instanceof CertifiedTransport)) return false;
    this.#certificate = others.#certificate;
    return true;
  }

  send(request: TransportRequest, signal?: CallSignal): ReturnType<Transport['send']> {
    const validity = readCertificate(this.#certificate);
    const now = this.#use.clock.now();
    if (!validity || now < validity.notBeforeMs || now >= validity.notAfterMs) {
      this.#use.invalid.push(`${request.method} ${request.path}`);
    }
    return this.#inner.send(request, signal);
  }

  upgrade(request: TransportRequest, signal?: CallSignal) {
    return this.#inner.upgrade(request, signal);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#inner[Symbol.asyncDispose]();
  }
}
