/** What a token says of its bearer, in the form in which real clusters write it. */
export interface ServiceAccountClaims {
  readonly aud: readonly string[];
  readonly exp: number;
  readonly iat: number;
  readonly iss: string;
  readonly jti: string;
  readonly 'kubernetes.io': KubernetesClaims;
  readonly nbf: number;
  readonly sub: string;
}

export interface KubernetesClaims {
  readonly namespace: string;
  readonly node?: ObjectClaim;
  readonly pod?: ObjectClaim;
  readonly secret?: ObjectClaim;
  readonly serviceaccount: ObjectClaim;
  /** When somebody should have asked for a new one: such a token is good for much longer than it was asked for. */
  readonly warnafter?: number;
}

export interface ObjectClaim {
  readonly name: string;
  /** Absent for a node that is not there. */
  readonly uid?: string;
}
