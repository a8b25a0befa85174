/** The names of the objects that make a peering user, as Liqo has them. */
export interface PeeringUserNames {
  /** Of the CertificateSigningRequest, and the value of the label on all of it. */
  readonly user: string;
  /** Of the RoleBinding in the namespace of Liqo. */
  readonly reader: string;
  /** Of the RoleBinding in the tenant namespace. */
  readonly writer: string;
}

export function peeringUserNames(consumerID: string): PeeringUserNames {
  const user = `liqo-peer-user-${consumerID}`;
  return { user, reader: `${user}-liqo-ns-reader`, writer: `${user}-tenant-ns-writer` };
}
