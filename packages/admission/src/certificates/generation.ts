/** A serving certificate, its key and the authority that has signed it and will sign nothing else. All as PEM. */
export interface Generation {
  readonly authority: string;
  readonly certificate: string;
  readonly privateKey: string;
  readonly issuedAtMs: number;
  readonly expiresAtMs: number;
}
