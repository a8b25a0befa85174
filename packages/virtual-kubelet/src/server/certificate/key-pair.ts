/** A certificate and its private key, both as PEM. */
export interface KeyPair {
  readonly certificate: string;
  readonly privateKey: string;
}
